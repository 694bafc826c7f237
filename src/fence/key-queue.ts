/** A place in the queues of one or more keys. */
export interface Turn {
  /** Resolves when everybody who joined any of these queues earlier has left. */
  readonly ready: Promise<void>;
  /** Whether anybody stood in one of these queues when it was joined. */
  readonly hasOthersAhead: boolean;
  /** Gives the place up; those behind it may go once everybody before it has left too. */
  leave(): void;
}

/**
 * First come, first served, per key. Joining is synchronous, so one caller can join several queues in one
 * tick: all callers then stand in the same order everywhere and no two can wait for each other.
 */
export class KeyQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /** How many keys somebody stands at: a lease that lives long meets many, and keeps none. */
  get busyKeys(): number {
    return this.#tails.size;
  }

  join(keys: readonly string[]): Turn {
    const ahead: Promise<void>[] = [];
    for (const key of keys) {
      const tail = this.#tails.get(key);
      if (tail !== undefined) ahead.push(tail);
    }
    const { promise: left, resolve: leave } = deferred();
    const ready = Promise.all(ahead).then(() => undefined);
    // Whoever gives up early must not let those behind it overtake those before it.
    const done = Promise.all([ready, left]).then(() => {
      for (const key of keys) if (this.#tails.get(key) === done) this.#tails.delete(key);
    });
    for (const key of keys) this.#tails.set(key, done);
    return { ready, hasOthersAhead: ahead.length > 0, leave };
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((r) => {
    resolve = r;
  });
  return { promise, resolve };
}
