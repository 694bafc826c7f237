import type { FencingToken } from './token.ts';

/**
 * Whether a refused write may nevertheless have taken effect: `no` is proved; `unknown` means that an
 * earlier copy of the same request may have landed before a newer holder overwrote it.
 */
export type Applied = 'no' | 'unknown';

interface RefusedByStamp {
  readonly ok: false;
  readonly resource: string;
  /** The token that was presented, and who presented it. */
  readonly token: FencingToken;
  readonly holder: string;
  /** What the storage saw last; the holder is undefined where it stores none. */
  readonly lastToken: FencingToken;
  readonly lastHolder: string | undefined;
  readonly applied: Applied;
}

/** The storage saw a newer token: somebody else owns the resource. Final, and sticky for the fence. */
export interface Fenced extends RefusedByStamp {
  readonly reason: 'fenced';
}

/** The storage holds the same number from another holder: whoever issues the tokens is broken. */
export interface TokenReused extends RefusedByStamp {
  readonly reason: 'token-reused';
}

/** What a fence is answered that has met a newer token. */
export function fencedResult(
  { resource, token, holder }: Pick<Fenced, 'resource' | 'token' | 'holder'>,
  { lastToken, lastHolder }: Pick<Fenced, 'lastToken' | 'lastHolder'>,
  applied: Applied,
): Fenced {
  return { ok: false, reason: 'fenced', resource, token, holder, lastToken, lastHolder, applied };
}

/** The same holder has already sent a later request to this item. */
export interface Superseded extends RefusedByStamp {
  readonly reason: 'superseded';
}

/** The grant is over, and nobody newer is known: it was released, or its row is gone. */
export interface Lost {
  readonly ok: false;
  readonly reason: 'lost';
  readonly resource: string;
  readonly token: FencingToken;
  readonly holder: string;
}

/** There is no item where one must be. */
export interface NotFound {
  readonly ok: false;
  readonly reason: 'not-found';
}

/** A condition of the caller's own was not met by the item as it is. */
export interface NotMet<T, Reason extends 'exists' | 'version' | 'condition'> {
  readonly ok: false;
  readonly reason: Reason;
  readonly item: T;
  readonly version: string;
}

/** Every copy of the request was turned away by throttling or by a transaction in progress: nothing was applied. */
export interface Contention {
  readonly ok: false;
  readonly reason: 'contention';
  /** When it makes sense to try again, in ms from now. */
  readonly retryAfterMs: number;
}

/** The refusals that any write under a fence can meet. */
export type FenceRefusal = Fenced | TokenReused | Superseded | Contention;

/** Why a call may be refused: each is a heading of `docs/results.md`. */
export type RefusalReason =
  | (FenceRefusal | NotFound | Lost)['reason']
  | NotMet<unknown, 'exists' | 'version' | 'condition'>['reason']
  | 'held';

/** What every refusal has. */
export interface Refusal {
  readonly ok: false;
  readonly reason: RefusalReason;
}

/** The write was applied: once, however many copies of it were sent. */
export interface Written<T> {
  readonly ok: true;
  /** As it is stored now. */
  readonly item: T;
  /** Opaque, and never used again: for `ifVersion`, or as an ETag. */
  readonly version: string;
  readonly token: FencingToken;
  /** True where the answer to an earlier copy was lost and this one found its effect. */
  readonly replayed: boolean;
}

/** What `create`, `put` and `update` answer. */
export type WriteResult<T> =
  | Written<T>
  | FenceRefusal
  | NotFound
  | NotMet<T, 'exists' | 'version' | 'condition'>;

/** What `claim` answers: `item` and `version` are undefined where there is no item (its absence is fenced too). */
export type ClaimResult<T> =
  | {
      readonly ok: true;
      readonly item: T | undefined;
      readonly version: string | undefined;
      readonly token: FencingToken;
      readonly replayed: boolean;
    }
  | FenceRefusal;

/** What `delete` answers: `item` is what was removed; undefined if there was none, or on a replay. */
export type DeleteResult<T> =
  | {
      readonly ok: true;
      readonly item: T | undefined;
      readonly token: FencingToken;
      readonly replayed: boolean;
    }
  | FenceRefusal
  | NotFound
  | NotMet<T, 'version' | 'condition'>;
