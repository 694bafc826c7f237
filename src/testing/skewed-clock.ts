import type { Clock } from '../fence/clock.ts';

/** A clock that is wrong in a known way. */
export interface SkewedClock extends Clock {
  /** Sets the wall clock forward, or back where negative, by this many ms: what NTP or an operator does. */
  jump(ms: number): void;
}

/**
 * The clock of one process among others: it shows another time than `base`, and may run faster or slower. Give
 * one to each holder of a test, over one base that the test moves.
 *
 * @param base the true time.
 * @param offsetMs how far its wall clock is ahead of `base`, in ms; behind where negative.
 * @param rate how many ms pass here while one passes in `base`; default 1. It applies to timers too.
 * @example
 * const fast = new LeaseManager({ source, ttlMs: 10_000, clock: skewedClock(time, 5_000) });
 */
export function skewedClock(base: Clock, offsetMs: number, rate = 1): SkewedClock {
  if (!(rate > 0)) throw new RangeError(`rate ${rate}: a clock goes forward`);
  const startedAt = base.now();
  let offset = offsetMs;
  return {
    now: () => startedAt + (base.now() - startedAt) * rate + offset,
    elapsed: () => base.elapsed() * rate,
    after: (delayMs, callback, options) => base.after(delayMs / rate, callback, options),
    jump(ms) {
      offset += ms;
    },
  };
}
