/// <reference lib="esnext.disposable" preserve="true" />
import type { CallOptions } from '../fence/call-options.ts';
import type { Fence } from '../fence/fence.ts';
import type { FencingToken } from '../fence/token.ts';
import type { RenewResult } from './lease-result.ts';

/** A lease as data. It tells about the lease and cannot stand in for it: to go on with its token, make a bare `fence`. */
export interface LeaseJSON {
  readonly resource: string;
  readonly token: FencingToken;
  readonly holder: string;
  /** In ms since the epoch. */
  readonly expiresAtMs: number;
}

/**
 * A grant of a resource for a limited time, and the fence that proves it to the storage. Pass it to every
 * write. Leaving its `await using` scope releases it.
 *
 * While it runs nobody else is granted the resource. That it still runs nobody can know for sure: a process
 * may be stopped between asking and acting. So the storage decides, by the token; asking here only saves work.
 */
export interface Lease extends Fence, AsyncDisposable {
  /** When the grant ends, as the source has stored it, in ms since the epoch. For people and logs: use {@link Lease.remainingMs} to decide. */
  readonly expiresAtMs: number;
  /**
   * Aborts when the lease is of no more use, with the error that says why: LeaseExpiredError, FencedError,
   * RefusedError (`lost`) or LeaseReleasedError. It stays aborted, also after a late renewal. A hint: after a
   * pause code may run before it aborts.
   */
  readonly signal: AbortSignal;
  /**
   * How long the lease still holds, in ms, at least 0. Counted here, from before the request that granted or
   * renewed it, by whichever clock ran faster. Costs no request.
   */
  remainingMs(): number;
  /**
   * Makes sure that the lease still holds by the local clock. Costs no request.
   *
   * @throws LeaseExpiredError, LeaseReleasedError, FencedError, or RefusedError with the code `lost`.
   */
  assertHeld(): void;
  /**
   * Prolongs the lease by its ttl, from now. It may be late, as long as nobody has taken the lease over. One
   * request (1 WCU); sent again after throttling, conflicts and lost answers until `timeoutMs` are over.
   *
   * @param options `timeoutMs` for the whole call, default 10,000; `signal`.
   * @returns `ok`; `fenced` where a newer token was issued; `lost` where the grant is over otherwise.
   * @throws LeaseReleasedError after release, also where the release comes while it runs; the signal's reason; UnavailableError
   * or OutcomeUnknownError where no answer came; CorruptFenceError or TokenExhaustedError where the row is damaged;
   * InvalidInputError; what the source will never accept, as its own error.
   * @example
   * const renewed = await lease.renew();
   * if (!renewed.ok) return stop(renewed.reason);
   */
  renew(options?: CallOptions): Promise<RenewResult>;
  /**
   * Ends the lease. From this moment on it throws, and running renewals end. One request (1 WCU); none if its
   * source has said that it is over. That it was lost before is no error. May be called again, also while it runs: then
   * each call waits within its own bounds, and one request is made for all of them.
   *
   * @param options `timeoutMs` for the whole call, default 10,000; `signal`.
   * @throws UnavailableError or OutcomeUnknownError where no answer came, and the signal's reason: then the grant ends by
   * itself. InvalidInputError, before anything has ended; what the source will never accept, as its own error.
   * Leaving an `await using` scope releases it too, and does not throw this.
   */
  release(options?: CallOptions): Promise<void>;
  /** What `JSON.stringify` writes: the lease as data, which cannot be used as one. */
  toJSON(): LeaseJSON;
}
