import { onAbort } from './on-abort.ts';
import { wallTimeMs } from './wall-time.ts';

/** What one timer may be told: `unref` lets the process exit while it is pending (default false). */
export interface TimerOptions {
  readonly unref?: boolean;
}

/**
 * Time, as a parameter. Everything in this library that reads a clock or waits does it through one of
 * these, so that a test can move it by hand.
 */
export interface Clock {
  /** Wall-clock time, in ms since the epoch. It may jump. */
  now(): number;
  /** Time that passed since some fixed moment, in ms. It never goes back, but may stop while suspended. */
  elapsed(): number;
  /** Calls `callback` once, after `delayMs`. Returns what cancels it. */
  after(delayMs: number, callback: () => void, options?: TimerOptions): () => void;
}

// Node clamps a longer delay to 1 ms, which would turn «never» into «now».
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, callback, options) {
    const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), LONGEST_TIMER_MS));
    if (options?.unref === true) timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Waits.
 *
 * @param clock whose time passes.
 * @param delayMs how long, in ms.
 * @param signal ends the wait early.
 * @returns when the time has passed.
 * @throws the signal's reason, once it aborts.
 */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const cancel = clock.after(delayMs, () => {
      leave?.();
      resolve();
    });
    const leave =
      signal &&
      onAbort(signal, () => {
        cancel();
        reject(signal.reason);
      });
  });
}

/**
 * Measures a span so that neither a suspended machine nor a clock set back can make it look shorter: the
 * monotonic clock may stop during a suspend, the wall clock may be set back, so the larger difference counts.
 */
export function stopwatch(clock: Clock): () => number {
  const wall = wallTimeMs(clock);
  const monotonic = clock.elapsed();
  return () => Math.max(clock.now() - wall, clock.elapsed() - monotonic);
}
