import type { Clock } from '../../src/fence/clock.ts';

/**
 * The clock of a scheduled run: pauses between copies end at once, and what takes long, deadlines and the ends
 * of leases, never comes by itself. The schedule alone says what comes first.
 */
export function scheduleClock(now: () => number): Clock {
  return {
    now,
    elapsed: now,
    after(delayMs, callback) {
      let cancelled = false;
      if (delayMs < 10_000) queueMicrotask(() => cancelled || callback());
      return () => {
        cancelled = true;
      };
    },
  };
}
