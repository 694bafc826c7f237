import type { Random } from './random.ts';

/** How delays between tries grow, both in ms. */
export interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
}

/**
 * Exponential backoff with full jitter: a uniform draw from nothing up to `base · 2^(attempt−1)`, capped.
 * The whole range is drawn from, because a fixed part keeps competing callers in step.
 * Source: M. Brooker, «Exponential Backoff And Jitter», AWS Architecture Blog, 2015.
 *
 * @param attempt how many tries were made so far, from 1.
 * @returns the delay in ms.
 */
export function fullJitter(attempt: number, backoff: Backoff, random: Random): number {
  return random.unit() * longestPause(attempt, backoff);
}

/** The upper end of the range that {@link fullJitter} draws from, in ms. */
export function longestPause(attempt: number, { baseMs, capMs }: Backoff): number {
  return Math.min(capMs, baseMs * 2 ** (attempt - 1));
}
