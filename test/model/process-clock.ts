import type { Clock } from '../../src/fence/clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

// Pauses between copies are shorter; deadlines and the ends of leases are not.
const LONGEST_PAUSE_MS = 10_000;

/**
 * The clock of one process in a scheduled history. Short pauses end at once. Long timers wait until the schedule
 * lets time pass, and for longer where the process is stopped: a timer is a hint.
 */
export class ProcessClock implements Clock {
  #aheadMs: number;
  #elapsedMs = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs: number) {
    this.#aheadMs = startMs;
  }

  now(): number {
    return this.#aheadMs + this.#elapsedMs;
  }

  elapsed(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#elapsedMs + delayMs, callback };
    this.#timers.add(timer);
    const cancel = () => this.#timers.delete(timer);
    if (delayMs < LONGEST_PAUSE_MS) queueMicrotask(() => cancel() && callback());
    return cancel;
  }

  /** Time passes; no timer runs. */
  pass(ms: number): void {
    this.#elapsedMs += ms;
  }

  jump(ms: number): void {
    this.#aheadMs += ms;
  }

  /** The timers that came due run now. */
  runTimers(): void {
    for (const timer of [...this.#timers]) {
      if (timer.dueMs <= this.#elapsedMs && this.#timers.delete(timer)) timer.callback();
    }
  }
}
