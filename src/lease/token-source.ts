import type { LeaseCheck } from '../dynamo/lease-check.ts';
import type { Deadline } from '../fence/deadline.ts';
import type { Fence } from '../fence/fence.ts';
import type { Applied } from '../fence/result.ts';
import type { FencingToken } from '../fence/token.ts';

/**
 * What grants leases and numbers them: the port between {@link LeaseManager} and a storage. A token is only
 * ever issued together with a grant, so there is no way to ask for a number alone.
 *
 * A source answers one question at a time and never waits for a holder: the manager polls. It must be atomic
 * per resource, must only ever issue tokens larger than every one that it issued before for that resource,
 * and must take the same request again (same holder) without granting twice. `tokenSourceConformance` of
 * `dynamodb-fenced/testing` checks all of it.
 *
 * Bad input, a damaged row and what can never succeed are thrown. Outages are answered: `undecided`.
 */
export interface TokenSource {
  /** Grants the lease if nobody holds it. */
  acquire(request: GrantRequest, deadline: Deadline): Promise<Granted | HeldBySomebody | Undecided>;
  /** Prolongs a grant, also one that is over, as long as nobody has taken it over. Never shortens one. */
  renew(request: RenewRequest, deadline: Deadline): Promise<Renewed | Gone | Newer | Undecided>;
  /** Ends a grant, and does nothing if it was over already. The counter stays. */
  release(request: ReleaseRequest, deadline: Deadline): Promise<Released | Undecided>;
}

/** A source that can hand a running lease over to somebody who knows its token. */
export interface CanTakeOver {
  /** Grants the lease to a new holder, with a larger token, if the grant with this token still stands. */
  takeOver(request: TakeOverRequest, deadline: Deadline): Promise<Granted | Gone | Newer | Undecided>;
}

/** A source that can tell a waiter when its turn may have come, so that nobody has to poll for it. */
export interface CanWait {
  /**
   * Waits until it is worth to ask again: the lease was released, or may have been. A source with a queue gives the holder a
   * place in it, which it keeps until it is granted the lease or released.
   *
   * @throws the signal's reason; anything else where the source cannot tell at the moment.
   */
  waitForRelease(request: WaitRequest, signal: AbortSignal): Promise<void>;
}

/** A source that can tell a holder that its grant is over, so that it need not find out by asking. */
export interface CanTellLoss {
  /**
   * Waits until a grant stands no more, by whatever ended it: its time, unless it can be renewed late; a takeover, an operator, the release. The manager asks once
   * per lease, and aborts the lease's signal with the answer. Nothing that it waits on may keep the process alive.
   *
   * @returns why it is over: `lost`, or `fenced` where a newer token was issued.
   * @throws the signal's reason; anything else where the source cannot tell at the moment: it is asked again after a pause.
   */
  whenGone(grant: GrantInQuestion, signal: AbortSignal): Promise<Gone | Newer>;
}

/** A source that can show what it stores. */
export interface CanInspect {
  /** @returns undefined where the resource was never leased. @throws UnavailableError where it cannot be read. */
  inspect(resource: string, deadline: Deadline): Promise<LeaseRecord | undefined>;
}

/** A source whose counter an operator can raise. */
export interface CanRaise {
  /** Ends whatever grant there is, and makes every later token larger than `above`. */
  raise(request: RaiseRequest, deadline: Deadline): Promise<Raised | Undecided>;
}

/** A source that lives in DynamoDB, so that a transaction can check a lease together with what it writes. */
export interface CanCheck {
  /** Makes the step of a transaction that is refused once the lease is not the current one any more. Pure: sends nothing. */
  check(fence: Fence): LeaseCheck;
}

/** Who wants which lease, and for how long. */
export interface GrantRequest {
  readonly resource: string;
  /** A name and a nonce: the same on every poll of one call, and never used by another. */
  readonly holder: string;
  readonly ttlMs: number;
  /** The token must be larger than this. */
  readonly above: number;
  /** What the holder wants to be stored beside its name; undefined for nothing. */
  readonly data?: unknown;
}

/** Who waits for which lease. */
export interface WaitRequest {
  readonly resource: string;
  /** As in the {@link GrantRequest}s before and after. */
  readonly holder: string;
}

/** Who takes over which grant. */
export interface TakeOverRequest extends GrantRequest {
  /** The token of the grant that is handed over. */
  readonly from: FencingToken;
}

/** Which grant is to be prolonged, and for how long from now. */
export interface RenewRequest {
  readonly resource: string;
  readonly holder: string;
  readonly token: FencingToken;
  readonly ttlMs: number;
}

/** Which grant it is about. */
export interface GrantInQuestion {
  readonly resource: string;
  readonly holder: string;
  readonly token: FencingToken;
}

/** Which grant is to be ended. */
export interface ReleaseRequest {
  readonly resource: string;
  readonly holder: string;
  /** Undefined where the holder gives up without knowing whether it was granted anything. */
  readonly token: FencingToken | undefined;
}

/** Whose counter is to be raised. */
export interface RaiseRequest {
  readonly resource: string;
  /** Every later token must be larger than this. */
  readonly above: number;
}

/** When a grant ends, as its source tells it. */
export interface GrantEnd {
  /** By the clock that the source ends grants by, in ms since the epoch. */
  readonly expiresAtMs: number;
  /**
   * How long the grant still held when the source answered, in ms, at least 0: both ends of that span by the source's own
   * clock. A source with a clock of its own, as a lock server, says so, because nobody else can tell what is left: the
   * clock of this process may be hours apart. One that ends grants by the clocks of its callers, as DynamoDB's does, leaves it
   * out. Then `expiresAtMs` is compared with the clock of the manager, and a lease holds as long as was asked for.
   */
  readonly remainingMs?: number;
}

/** The lease was granted. */
export interface Granted extends GrantEnd {
  readonly is: 'granted';
  readonly token: FencingToken;
  /** True where an earlier request of this holder was granted and its answer lost: the grant is older than this request. */
  readonly recovered: boolean;
}

/** Somebody else has the lease. */
export interface HeldBySomebody extends GrantEnd {
  readonly is: 'held';
  readonly holder: string;
  readonly token: FencingToken;
  /** `unknown` where a copy of this request is still out and may be granted later, or has left something behind: a release without a token ends it. */
  readonly applied: Applied;
}

/** The grant was prolonged: it ends then now. */
export interface Renewed extends GrantEnd {
  readonly is: 'renewed';
}

/** The grant is over, and no newer one is known. */
export interface Gone {
  readonly is: 'lost';
}

/** A newer token was issued. */
export interface Newer {
  readonly is: 'fenced';
  readonly lastToken: FencingToken;
  readonly lastHolder: string | undefined;
  readonly applied: Applied;
}

/** The grant is over, also where it was over before. */
export interface Released {
  readonly is: 'released';
}

/** The counter was raised. */
export interface Raised {
  readonly is: 'raised';
  /** Every later token is larger than this one. */
  readonly token: FencingToken;
}

/** No answer decides: an outage, throttling, a deadline. The same request may be sent again. */
export interface Undecided {
  readonly is: 'undecided';
  /** `no`: it certainly changed nothing. */
  readonly applied: Applied;
  readonly error: unknown;
}

/** What is stored of a resource. */
export interface LeaseRecord {
  readonly resource: string;
  /** The last token that was issued. */
  readonly token: FencingToken;
  /** Who holds it, or held it last until it expired; undefined after a release. */
  readonly holder: string | undefined;
  /** When the grant ends, by the clock of the source, in ms since the epoch; undefined after a release. */
  readonly expiresAtMs: number | undefined;
  /** What the holder stored; a fraction with more digits than a number holds, which other languages may write, as its text. */
  readonly data: unknown;
}
