/** A store with compare-and-set, as many have it: revisions of etcd, versions of Consul or ZooKeeper, ETags of S3. */
export interface Store {
  /** What is kept under a key, and which revision of it this is; undefined where nothing is. */
  get(
    key: string,
    signal: AbortSignal,
  ): Promise<{ readonly value: string; readonly revision: number } | undefined>;
  /**
   * Writes if the key still has this revision, 0 for none at all.
   *
   * @returns whether it was written. Where it rejects, nobody knows.
   */
  put(key: string, value: string, revision: number, signal: AbortSignal): Promise<boolean>;
}

/** Such a store, in memory. */
export function memoryStore(): Store {
  const kept = new Map<string, { value: string; revision: number }>();
  return {
    async get(key) {
      return kept.get(key);
    },
    async put(key, value, revision) {
      if ((kept.get(key)?.revision ?? 0) !== revision) return false;
      kept.set(key, { value, revision: revision + 1 });
      return true;
    },
  };
}
