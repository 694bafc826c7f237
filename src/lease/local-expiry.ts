import type { Clock } from '../fence/clock.ts';

/**
 * How long a grant holds by the local clock, and a timer that says when it is over. The timer is a hint: it
 * keeps no process alive, and after a pause it may come late.
 */
export class LocalExpiry {
  readonly #clock: Clock;
  readonly #onExpired: () => void;
  #ttlMs = 0;
  #elapsed: () => number = () => 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, onExpired: () => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  get remainingMs(): number {
    return Math.max(0, this.#ttlMs - this.#elapsed());
  }

  /** Counts from the moment at which the stopwatch was started. */
  restart(elapsed: () => number, ttlMs: number): void {
    this.#elapsed = elapsed;
    this.#ttlMs = ttlMs;
    this.stop();
    this.#arm();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  // A timer may be a little early, and the longest one is shorter than a lease may be.
  #arm(): void {
    const onTimer = () => (this.remainingMs > 0 ? this.#arm() : this.#onExpired());
    this.#cancel = this.#clock.after(this.remainingMs, onTimer, { unref: true });
  }
}
