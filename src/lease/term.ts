import type { GrantEnd } from './token-source.ts';

/** How long a grant holds here, and since when. It counts from before the grant was asked for, so that it ends here first. */
export interface Term {
  readonly lastsMs: number;
  readonly elapsed: () => number;
}

/**
 * The term of what was granted or renewed: what was asked for, or less where the source says that less is left. Counted by
 * the clock of this process alone, whatever the clock of the source shows.
 *
 * @param elapsed the time since the request was made.
 */
export function termOf({ remainingMs }: GrantEnd, ttlMs: number, elapsed: () => number): Term {
  return { lastsMs: Math.min(ttlMs, remainingMs ?? ttlMs), elapsed };
}

/** What is left of it, in ms, at least 0. */
export function termRemainingMs({ lastsMs, elapsed }: Term): number {
  return Math.max(0, lastsMs - elapsed());
}
