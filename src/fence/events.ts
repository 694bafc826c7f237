import type { Applied, RefusalReason } from './result.ts';
import type { FencingToken } from './token.ts';

/** What is done to a lease. */
export type LeaseVerb = 'acquire' | 'take-over' | 'renew' | 'release';

/** What is done to an item, alone or as a step of a transaction. */
export type ItemVerb = 'create' | 'put' | 'update' | 'delete' | 'claim' | 'check';

/** What every event has. */
export interface EventBase {
  /** When it happened, by the clock of whatever it happened to, in ms since the epoch. */
  readonly atMs: number;
  readonly resource: string;
  /** Under which token; undefined where none was granted. */
  readonly token: FencingToken | undefined;
  /** Who did it. */
  readonly holder: string;
}

/** What it took to get an answer. */
export interface Effort {
  /** From the call to its answer, waiting included, in ms. */
  readonly durationMs: number;
  /** Of an item, the copies of its request that were sent, over all calls that sent it; of a lease, how often its source was asked. 0 where the answer was known. */
  readonly attempts: number;
  /** DynamoDB's id of the last answer, for its support. Undefined for leases, whose source may be anything, and where nothing was answered. */
  readonly requestId: string | undefined;
}

/** Which item it was about. */
export interface ItemPlace {
  readonly table: string;
  /** The primary key, as text: numbers as they are written, binary as base64. Nothing else of an item is ever told. */
  readonly key: Readonly<Record<string, string>>;
  /** The name of the step, or its place in the list, in a transaction. Each step is an event of its own. */
  readonly step: string | number | undefined;
}

/** Whom the storage saw instead. */
export interface LastSeen {
  readonly lastToken: FencingToken | undefined;
  readonly lastHolder: string | undefined;
}

/** A lease was granted. */
export interface AcquireEvent extends EventBase, Effort {
  readonly event: 'acquire';
  readonly verb: 'acquire' | 'take-over';
  readonly token: FencingToken;
  readonly expiresAtMs: number;
}

/** An acquire met a holder and begins to wait. Told once a call, however often it asks again. */
export interface WaitEvent extends EventBase, LastSeen {
  readonly event: 'wait';
  readonly verb: 'acquire';
  /** When the grant in the way ends, if nobody renews it. */
  readonly expiresAtMs: number;
}

/** A lease was renewed. */
export interface RenewEvent extends EventBase, Effort {
  readonly event: 'renew';
  readonly verb: 'renew';
  readonly token: FencingToken;
  readonly expiresAtMs: number;
  /** Whether it was over by the local clock before. */
  readonly renewedLate: boolean;
}

/**
 * The signal of a lease has aborted, and not by its release: it is over by the local clock (`lease-expired`, which the next
 * renewal may mend), a newer token was met (`fenced`), or its row is free or gone (`lost`). Told once a lease.
 */
export interface LossEvent extends EventBase, LastSeen {
  readonly event: 'loss';
  readonly token: FencingToken;
  readonly reason: 'fenced' | 'lost' | 'lease-expired';
}

/** A lease was released. */
export interface ReleaseEvent extends EventBase, Effort {
  readonly event: 'release';
  readonly verb: 'release';
  readonly token: FencingToken;
}

/** An item was claimed. */
export interface ClaimEvent extends EventBase, Effort, ItemPlace {
  readonly event: 'claim';
  readonly verb: 'claim';
  readonly token: FencingToken;
}

/** An item was written. */
export interface WriteEvent extends EventBase, Effort, ItemPlace {
  readonly event: 'write';
  readonly verb: 'create' | 'put' | 'update' | 'delete';
  readonly token: FencingToken;
}

/** A write or a claim was applied, by a copy whose answer was lost. Told instead of `write` or `claim`. */
export interface ReplayEvent extends EventBase, Effort, ItemPlace {
  readonly event: 'replay';
  readonly verb: Exclude<ItemVerb, 'check'>;
  readonly token: FencingToken;
}

/** The storage said no, or the fence was known to be fenced. */
export type RefusalEvent = EventBase &
  Effort &
  LastSeen &
  Partial<ItemPlace> & {
    readonly event: 'refusal';
    readonly verb: LeaseVerb | ItemVerb;
    /** Why. For `held`, `lastToken` and `lastHolder` say who has the lease. */
    readonly reason: RefusalReason;
    /** Whether it may nevertheless have been applied; undefined where the reason leaves no doubt. */
    readonly applied: Applied | undefined;
  };

/** It may or may not have been applied. What `resolve()` finds out is another event. */
export type UnknownEvent = EventBase &
  Effort &
  Partial<ItemPlace> & {
    readonly event: 'unknown';
    readonly verb: LeaseVerb | ItemVerb;
    /** The name of the error that kept it from being known. */
    readonly cause: string;
  };

/** The call threw something else: an outage, a damaged fence, missing permissions. Not told where its caller ended it. */
export type FailureEvent = EventBase &
  Effort &
  Partial<ItemPlace> & {
    readonly event: 'failure';
    readonly verb: LeaseVerb | ItemVerb;
    /** The `code` of an error of this library, or the name of any other. */
    readonly code: string;
  };

/** Why a sequencer is refused, in the order in which it is decided. */
export type RejectedReason =
  /** It is no sequencer at all. */
  | 'malformed'
  /** No key of ours has signed it: it was invented, changed, or sealed with a key that is gone. */
  | 'tampered'
  /** It is genuine, and for another resource. */
  | 'foreign'
  /** It is genuine, and over. */
  | 'expired';

/** A client presented a sealed sequencer that was not accepted. */
export interface RejectedEvent {
  readonly event: 'rejected';
  readonly atMs: number;
  readonly reason: RejectedReason;
  /** What it should have been for; undefined where that was left open. */
  readonly resource: string | undefined;
  /** What it is for. This and the next two are known only where the signature is ours: what a stranger writes is no evidence. */
  readonly sealedResource: string | undefined;
  readonly token: FencingToken | undefined;
  readonly holder: string | undefined;
}

/** Everything that is told on the channel, told apart by `event`. */
export type FencingEvent =
  | AcquireEvent
  | WaitEvent
  | RenewEvent
  | LossEvent
  | ReleaseEvent
  | ClaimEvent
  | WriteEvent
  | ReplayEvent
  | RefusalEvent
  | UnknownEvent
  | FailureEvent
  | RejectedEvent;
