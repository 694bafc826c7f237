import type { BatchOperation, Callback, Item, KeyRange, Release, Store, Table } from './dynalite.ts';

/** What a staged store does where a plain one would lock and write. */
export interface Staging {
  /** `take` queues for the item's lock, as dynalite does; `held` is for those who hold it already. */
  readonly lock: 'take' | 'held';
  /** Called with everything that one action wants to write, index entries included. */
  commit(operations: readonly BatchOperation[], item: Item | undefined): Promise<void>;
  /** Called with a defect inside an action, which would otherwise end the process as an uncaught error. */
  onDefect(error: unknown): void;
}

export interface StagedStore {
  readonly store: Store;
  /** The item as the action read it, under the item's lock: what its condition was judged on. */
  seen(): Item | undefined;
}

/**
 * A view of a store for one action on one item. Reads go to the store. Writes are collected, and handed
 * over together when the action writes the item itself, which it does last: so an item and its index
 * entries change in one batch, or not at all.
 */
export function stagedStore(store: Store, staging: Staging): StagedStore {
  const operations: BatchOperation[] = [];
  let seen: Item | undefined;
  let unlock: (() => void) | undefined;

  // An action that throws while it holds a lock would keep the item locked for ever.
  const guarded =
    <Values extends unknown[]>(callback: (...values: Values) => void) =>
    (...values: Values) => {
      try {
        callback(...values);
      } catch (error) {
        unlock?.();
        staging.onDefect(error);
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
      guarded(done),
    );
  };

  function itemRange(tableName: string): KeyRange {
    const range = store.getItemDb(tableName);
    const { put, del } = collect(`item-${tableName}~`);
    return {
      lock(key, run) {
        if (staging.lock === 'held') run((done) => done);
        else {
          range.lock(key, (release: Release) => {
            unlock = release(() => {});
            run(release);
          });
        }
      },
      get(key, done) {
        range.get(
          key,
          guarded((error: unknown, item?: Item) => {
            seen = item;
            done(error, item);
          }),
        );
      },
      put: (key, value, done) => put(key, value, () => commit(value as Item, done)),
      del: (key, done) => del(key, () => commit(undefined, done)),
    };
  }

  function indexRange(type: string, tableName: string, indexName: string): KeyRange {
    const prefix = `index-${type.toLowerCase()}~${tableName}~${indexName}~`;
    return { ...store.getIndexDb(type, tableName, indexName), ...collect(prefix) };
  }

  return {
    store: {
      ...store,
      getItemDb: itemRange,
      getIndexDb: indexRange,
      getTable(tableName: string, ...rest: [Callback<Table>] | [boolean, Callback<Table>]) {
        const [mustBeActive, done] = rest.length === 1 ? [true, rest[0]] : rest;
        store.getTable(tableName, mustBeActive, guarded(done));
      },
    },
    seen: () => seen,
  };
}

/** Writes everything in one LevelDB batch. */
export function writeBatch(store: Store, operations: readonly BatchOperation[]): Promise<void> {
  return new Promise((resolve, reject) => {
    store.db.batch(operations, (error) => (error ? reject(error) : resolve()));
  });
}
