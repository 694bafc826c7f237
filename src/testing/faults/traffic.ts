/** What is on the wire, and how much has come back from it. */
export class Traffic {
  readonly #held = new Set<Promise<unknown>>();
  readonly #waiting = new Set<{ readonly after: number; missing: number; readonly done: () => void }>();

  /** Counts a request as passed once its caller has its answer or error. */
  async track<T>(number: number, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } finally {
      for (const waiting of this.#waiting) {
        if (waiting.after < number) waiting.missing--;
        if (waiting.missing > 0) continue;
        this.#waiting.delete(waiting);
        waiting.done();
      }
    }
  }

  /** Resolves once that many requests after this one have passed. */
  passed(after: number, requests: number): Promise<void> {
    if (requests <= 0) return Promise.resolve();
    return new Promise((done) => this.#waiting.add({ after, missing: requests, done }));
  }

  /** Keeps the wire busy until this ends. */
  keep<T>(work: Promise<T>): Promise<T> {
    this.#held.add(work);
    const release = () => this.#held.delete(work);
    work.then(release, release);
    return work;
  }

  async idle(): Promise<void> {
    while (this.#held.size > 0) await Promise.allSettled(this.#held);
  }
}
