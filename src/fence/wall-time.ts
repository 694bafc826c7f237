import type { Clock } from './clock.ts';
import { describe } from './describe.ts';
import { InvalidInputError } from './errors.ts';

// The last moment that a Date can name. It is also below the last token, which begins as a time.
const LATEST_MS = 8.64e15;

/**
 * What a clock says, in ms since the epoch. It becomes tokens and the ends of grants, which all that come later are compared
 * with, so one that tells no time is found before anything is stored.
 *
 * @throws InvalidInputError where it is no time.
 */
export function wallTimeMs(clock: Pick<Clock, 'now'>): number {
  const now = clock.now();
  if (typeof now === 'number' && Math.abs(now) <= LATEST_MS) return now;
  throw new InvalidInputError(
    'clock',
    `now() says ${describe(now)}, which is no time`,
    'Pass a clock that tells the milliseconds since 1970, or none for that of this machine.',
  );
}
