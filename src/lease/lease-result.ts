import type { Fenced, Lost } from '../fence/result.ts';
import type { FencingToken } from '../fence/token.ts';
import type { Lease } from './lease.ts';

/** Somebody else has the lease. */
export interface Held {
  readonly ok: false;
  readonly reason: 'held';
  readonly resource: string;
  /** Who has it, under which token, and until when by the clock of the source, in ms since the epoch. */
  readonly holder: string;
  readonly token: FencingToken;
  readonly expiresAtMs: number;
  /** When the grant ends if nobody renews it, in ms from now. Its holder may release it earlier. */
  readonly retryAfterMs: number;
}

/** What `acquire` answers. */
export type AcquireResult = { readonly ok: true; readonly lease: Lease } | Held;

/** What `takeOver` answers. */
export type TakeOverResult = { readonly ok: true; readonly lease: Lease } | Lost | Fenced;

/** What `renew` answers. */
export type RenewResult =
  | {
      readonly ok: true;
      /** When the grant ends now, by the clock of the source, in ms since the epoch. */
      readonly expiresAtMs: number;
      /**
       * True where the lease was over by the local clock before the renewal was confirmed. Nobody had taken it
       * over, so it holds again; but its signal has aborted and stays so.
       */
      readonly renewedLate: boolean;
    }
  | Lost
  | Fenced;

/** What `using` answers: what the work returned, or why it was not begun. */
export type UsingResult<T> = { readonly ok: true; readonly value: T } | Held;

/** Several leases that were acquired together. Leaving the `await using` scope releases all of them. */
export interface Leases extends AsyncDisposable {
  readonly ok: true;
  /** In the order of the arguments. */
  readonly leases: readonly Lease[];
}

/** What `acquireAll` answers: all of the leases, or the resource that somebody else has. */
export type AcquireAllResult = Leases | Held;
