import type { Clock } from '../fence/clock.ts';
import type { GrantEnd } from './token-source.ts';

/**
 * How long a grant of somebody else still holds, in ms, as its source says. One that goes by the clocks of its callers leaves
 * that to this one; a clock that is ahead of the holder's may find that nothing is left.
 */
export function whatIsLeftMs({ expiresAtMs, remainingMs }: GrantEnd, clock: Pick<Clock, 'now'>): number {
  return Math.max(0, remainingMs ?? expiresAtMs - clock.now());
}
