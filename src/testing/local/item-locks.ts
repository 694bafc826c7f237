import type { Release, Store } from './dynalite.ts';

/** One item, by its place in the store. */
export interface ItemPlace {
  readonly tableName: string;
  /** The key as dynalite's `createKey` gives it. */
  readonly key: string;
}

/** The locks that keep transactions and single writes apart: dynalite's own, one queue per item. */
export class ItemLocks {
  readonly #store: Store;
  readonly #inTransaction = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Waits for the locks of all items, which must differ. All queues are joined in one tick, so any two
   * transactions stand in the same order in every queue that they share: they cannot deadlock.
   *
   * @returns what releases them.
   */
  async acquire(items: readonly ItemPlace[]): Promise<() => void> {
    const granted = items.map(
      ({ tableName, key }) =>
        new Promise<() => void>((resolve) => {
          this.#store.getItemDb(tableName).lock(key, (release: Release) => resolve(release(() => {})));
        }),
    );
    const releases = await Promise.all(granted);
    return () => {
      for (const release of releases) release();
    };
  }

  /** Marks items as written by a running transaction, from its arrival to its end. Returns what unmarks them. */
  enter(items: readonly ItemPlace[]): () => void {
    const names = items.map(nameOf);
    for (const name of names) this.#inTransaction.set(name, this.#count(name) + 1);
    return () => {
      for (const name of names) {
        const left = this.#count(name) - 1;
        if (left > 0) this.#inTransaction.set(name, left);
        else this.#inTransaction.delete(name);
      }
    };
  }

  isInTransaction(item: ItemPlace): boolean {
    return this.#count(nameOf(item)) > 0;
  }

  #count(name: string): number {
    return this.#inTransaction.get(name) ?? 0;
  }
}

// A table's name has no «~».
const nameOf = ({ tableName, key }: ItemPlace) => `${tableName}~${key}`;
