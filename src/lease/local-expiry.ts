import type { Clock } from '../fence/clock.ts';
import { type Term, termRemainingMs } from './term.ts';

/**
 * How long a grant holds by the local clock, and a timer that says when it is over. The timer is a hint: it
 * keeps no process alive, and after a pause it may come late.
 */
export class LocalExpiry {
  readonly #clock: Clock;
  readonly #onExpired: () => void;
  #term: Term = { lastsMs: 0, elapsed: () => 0 };
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, onExpired: () => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  get remainingMs(): number {
    return termRemainingMs(this.#term);
  }

  restart(term: Term): void {
    this.#term = term;
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
