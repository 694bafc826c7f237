import type { Clock } from '../fence/clock.ts';

/** A clock that only a test moves. */
export interface ManualClock extends Clock {
  /**
   * Lets time pass: every timer that comes due runs at its own moment, in order, and what waits for it goes
   * on before the next one runs. What waits for a network or a disk is not waited for.
   *
   * @param ms how much time passes. 0 runs what is due already.
   */
  advance(ms: number): Promise<void>;
  /**
   * Stops the process for a while, as SIGSTOP or a frozen Lambda does: time passes and no timer runs. Those
   * that came due run late, with the next {@link ManualClock.advance}.
   */
  freeze(ms: number): void;
  /** Sets the wall clock forth, or back with a negative number, while the monotonic clock stands still. */
  jump(ms: number): void;
  /** How many timers are pending. 0 means that nothing was left behind. */
  readonly timers: number;
}

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

// Taken before anybody can put fake timers in its place.
const nextTurn = setImmediate;

/**
 * Makes a clock that stands still until a test moves it.
 *
 * @param startMs what its wall clock shows first, in ms since the epoch. Default 2026-01-01T00:00:00Z.
 * @returns the clock, to pass as `clock` to whatever is tested.
 * @example
 * const clock = manualClock();
 * const leases = new LeaseManager({ source: memoryTokenSource({ clock }), ttlMs: 10_000, clock });
 * await leases.acquire('account/a1');
 * await clock.advance(10_000); // the lease is over
 */
export function manualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let offset = startMs;
  let monotonic = 0;
  const pending = new Set<Timer>();

  // By the time that a turn of the event loop is over, every promise that could go on has done so.
  const settle = () => new Promise<void>((resolve) => nextTurn(resolve));

  return {
    // In whole ms, as Date.now() is.
    now: () => Math.floor(offset + monotonic),
    elapsed: () => monotonic,
    after(delayMs, callback) {
      const timer = { due: monotonic + Math.max(0, delayMs), callback };
      pending.add(timer);
      return () => pending.delete(timer);
    },
    async advance(ms) {
      const end = monotonic + ms;
      await settle();
      for (let timer = earliest(pending, end); timer !== undefined; timer = earliest(pending, end)) {
        pending.delete(timer);
        monotonic = Math.max(monotonic, timer.due);
        timer.callback();
        await settle();
      }
      monotonic = Math.max(monotonic, end);
      await settle();
    },
    freeze(ms) {
      monotonic += ms;
    },
    jump(ms) {
      offset += ms;
    },
    get timers() {
      return pending.size;
    },
  };
}

// Timers of one moment run in the order in which they were set: a set keeps it, and only `<` displaces.
function earliest(timers: ReadonlySet<Timer>, end: number): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) {
    if (timer.due <= end && (first === undefined || timer.due < first.due)) first = timer;
  }
  return first;
}
