import type { BatchOperation, Callback, Item, KeyRange, Release, Store } from './dynalite.ts';
import type { ItemPlace } from './item-locks.ts';

/** What a staged store does where a plain one would lock, read and write. */
export interface Staging {
  /** `take` queues for the item's lock, as dynalite does; `held` is for those who hold it already. */
  readonly lock: 'take' | 'held';
  /** Called before the item is locked. Throws to turn the write away. */
  admit(place: ItemPlace): void;
  /** Called with the item as the action reads it, under its lock. */
  read(item: Item | undefined): void;
  /** Called with everything that the action wants to write, index entries included, and the item's new image. */
  commit(operations: readonly BatchOperation[], item: Item | undefined): Promise<void>;
  /** Called with what `admit` threw, and with a defect inside an action, where it would end the process. */
  fail(error: unknown): void;
}

/**
 * A view of a store for one action on one item. Reads go to the store. Writes are collected, and handed
 * over together when the action writes the item itself, which it does last: so an item and its index
 * entries change in one batch, or not at all.
 */
export function stagedStore(store: Store, staging: Staging): Store {
  const operations: BatchOperation[] = [];
  let unlock: (() => void) | undefined;

  // An action that throws while it holds a lock would keep the item locked for ever.
  const guarded =
    <Values extends unknown[]>(callback: (...values: Values) => void) =>
    (...values: Values) => {
      try {
        callback(...values);
      } catch (error) {
        unlock?.();
        staging.fail(error);
      }
    };

  const collect = (prefix: string) => ({
    put: (key: string, value: unknown, done: Callback<void>) => {
      operations.push({ type: 'put', key: prefix + key, value });
      done(null);
    },
    del: (key: string, done: Callback<void>) => {
      operations.push({ type: 'del', key: prefix + key });
      done(null);
    },
  });

  const commit = (item: Item | undefined, done: Callback<void>) => {
    staging.commit(operations, item).then(
      guarded(() => done(null)),
      guarded((error) => done(error)),
    );
  };

  function itemRange(tableName: string): KeyRange {
    const range = store.getItemDb(tableName);
    const { put, del } = collect(`item-${tableName}~`);
    const take = (key: string, run: (release: Release) => void) => {
      staging.admit({ tableName, key });
      range.lock(key, (release) => {
        unlock = release(() => {});
        run(release);
      });
    };
    return {
      lock: guarded(staging.lock === 'take' ? take : (_key, run) => run((done) => done)),
      get(key, done) {
        range.get(
          key,
          guarded((error: unknown, item?: Item) => {
            staging.read(item);
            done(error, item);
          }),
        );
      },
      put: (key, value, done) => put(key, value, () => commit(value as Item, done)),
      del: (key, done) => del(key, () => commit(undefined, done)),
    };
  }

  return {
    ...store,
    getItemDb: itemRange,
    getIndexDb: (type, tableName, indexName) => ({
      ...store.getIndexDb(type, tableName, indexName),
      ...collect(`index-${type.toLowerCase()}~${tableName}~${indexName}~`),
    }),
    getTable: (tableName, ...rest) => {
      const [mustBeActive, done] = rest.length === 1 ? ([true, rest[0]] as const) : rest;
      store.getTable(tableName, mustBeActive, guarded(done));
    },
  };
}

/** Writes everything in one LevelDB batch: all of it is stored, or nothing. */
export function writeBatch(store: Store, operations: readonly BatchOperation[]): Promise<void> {
  return new Promise((resolve, reject) => {
    store.db.batch(operations, (error) => (error ? reject(error) : resolve()));
  });
}
