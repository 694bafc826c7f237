import { setMaxListeners } from 'node:events';
import { checkSignal } from './abort-signal.ts';
import type { CallOptions } from './call-options.ts';
import { type Clock, stopwatch } from './clock.ts';
import { checkDuration } from './duration.ts';
import { onAbort } from './on-abort.ts';

export const DEFAULT_TIMEOUT_MS = 10_000;

/** The reason that a deadline's signal carries when the time is up. */
export class DeadlineReached extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * One bound for a whole call: its time and its caller's signal in one place. Nothing may be sent once
 * {@link Deadline.over} is true; `dispose` frees the timer.
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #elapsed: () => number;
  readonly #caller: AbortSignal | undefined;
  readonly #cancel: () => void;
  readonly #leave: () => void;
  readonly timeoutMs: number;

  constructor(clock: Clock, options: CallOptions | undefined) {
    this.timeoutMs = checkDuration(options?.timeoutMs ?? DEFAULT_TIMEOUT_MS, 'timeoutMs');
    // Before anything is armed that nobody would stop.
    if (options?.signal !== undefined) checkSignal(options.signal);
    // Whoever waits within a call listens, and a call may wait for a hundred reads at once: Node would take it for a leak.
    setMaxListeners(0, this.#controller.signal);
    this.#elapsed = stopwatch(clock);
    const caller = options?.signal;
    this.#caller = caller;
    this.#cancel = clock.after(this.timeoutMs, () => this.#controller.abort(this.#timeout()));
    if (caller?.aborted === true) this.#controller.abort(caller.reason);
    this.#leave =
      caller === undefined ? () => {} : onAbort(caller, () => this.#controller.abort(caller.reason));
  }

  #timeout(): DeadlineReached {
    return new DeadlineReached(`the call's ${this.timeoutMs} ms are over`);
  }

  /** Aborts when the time is up (reason: a `TimeoutError`) or the caller's signal aborts (its reason). */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What is left, in ms; never below 0. */
  get remainingMs(): number {
    return Math.max(0, this.timeoutMs - this.#elapsed());
  }

  /**
   * Whether the call must send nothing more. Asks the clocks, not the timer: a process that thaws runs its
   * code before its timers, and a machine that was suspended has timers that know nothing of it.
   */
  get over(): boolean {
    if (this.#controller.signal.aborted) return true;
    if (this.remainingMs > 0) return false;
    this.#controller.abort(this.#timeout());
    return true;
  }

  /** Whether it was the caller who ended the call, rather than the clock. */
  get abortedByCaller(): boolean {
    return this.#caller?.aborted === true && Object.is(this.signal.reason, this.#caller.reason);
  }

  /** Frees the timer, and lets go of the caller's signal. */
  [Symbol.dispose](): void {
    this.#cancel();
    this.#leave();
  }
}
