import type { CallOptions } from '../fence/call-options.ts';
import type { Deadline } from '../fence/deadline.ts';
import { sessionOf } from '../fence/fence.ts';
import { onAbort } from '../fence/on-abort.ts';
import type { Lease } from '../lease/lease.ts';
import { linkedSignal } from '../lease/linked-signal.ts';

/** Those of one environment that hold a lease: more than one only where it takes several at once, or one was timed out. */
export type Invocations = Set<Invocation>;

/** One invocation that holds a lease, until it ends or its time is over. */
export class Invocation {
  readonly lease: Lease;
  /** Aborts with the lease, and when the time of the invocation is over. */
  readonly signal: AbortSignal;
  readonly #deadline: Deadline;
  readonly #unlink: () => void;
  readonly #others: Invocations;

  constructor(lease: Lease, deadline: Deadline, others: Invocations) {
    this.lease = lease;
    this.#deadline = deadline;
    const linked = linkedSignal([lease.signal, deadline.signal]);
    this.signal = linked.signal;
    // The lease is over with its invocation: a grant that was waited for lasts longer than that.
    sessionOf(lease).limitTo(() => deadline.remainingMs);
    const leave = onAbort(deadline.signal, () => lease.remainingMs());
    this.#unlink = () => {
      leave();
      linked[Symbol.dispose]();
    };
    this.#others = others;
    others.add(this);
  }

  /**
   * Ends it if its time is over: by the clock, because the timer of a process that was frozen runs after the code that thaws it.
   * Its signal aborts before anything else goes on.
   */
  async endIfOver(bounds: CallOptions): Promise<void> {
    if (this.#deadline.over) await this.end(bounds);
  }

  /** Releases the lease. A release that fails changes nothing: the lease ends by itself. */
  async end(bounds: CallOptions): Promise<void> {
    this.#others.delete(this);
    this.#unlink();
    await this.lease.release(bounds).catch(() => undefined);
  }
}
