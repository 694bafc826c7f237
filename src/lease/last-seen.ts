/**
 * Remembers the largest token that was met for a resource, for the resources used last. It lets the next
 * acquire propose a token that is accepted at once where a row is ahead of the clock, and keeps tokens
 * growing for this process where the row itself is lost.
 */
export class LastSeen {
  readonly #tokens = new Map<string, number>();
  readonly #capacity: number;

  constructor(capacity = 1_000) {
    this.#capacity = capacity;
  }

  /** @returns 0 where none is known. */
  get(resource: string): number {
    return this.#tokens.get(resource) ?? 0;
  }

  note(resource: string, token: number): void {
    const largest = Math.max(token, this.get(resource));
    // A map keeps the order of insertion: the first one is the one that was not used for longest.
    this.#tokens.delete(resource);
    this.#tokens.set(resource, largest);
    for (const oldest of this.#tokens.keys()) {
      if (this.#tokens.size <= this.#capacity) return;
      this.#tokens.delete(oldest);
    }
  }
}
