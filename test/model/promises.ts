/** The first promise that was broken, if one was, and what happened until then. */
export class Promises {
  broken: string | undefined;
  /** What callers were told, and rare things that happened. */
  readonly seen = new Set<string>();
  readonly #lines: (() => string)[] = [];

  get trace(): readonly string[] {
    return this.#lines.map((line) => line());
  }

  /** Written out only where somebody reads it: most histories keep every promise. */
  note(line: () => string): void {
    this.#lines.push(line);
  }

  /** For histories in which nothing happens keep every promise. */
  happened(what: string): void {
    this.seen.add(what);
  }

  /** Says that a promise is broken unless it holds. */
  readonly expect = (holds: boolean, promise: string): void => {
    if (holds || this.broken !== undefined) return;
    this.broken = promise;
    this.note(() => `=> ${promise}`);
  };
}
