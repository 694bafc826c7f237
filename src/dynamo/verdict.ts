import type { Stamp } from '../fence/session.ts';
import type { FencingToken } from '../fence/token.ts';
import type { UnfencedPolicy } from './admission.ts';
import {
  CORRUPT_VERSION,
  type HiddenAttributes,
  type Item,
  isLive,
  storedStamp,
  storedVersion,
  versionOf,
} from './attributes.ts';
import { own } from './own.ts';

/** What a write expected of the item, beside being admitted. */
export interface Expectation {
  readonly live: 'must' | 'must-not' | 'any';
  readonly ifVersion: string | undefined;
  /** Whether the caller added a condition of its own. */
  readonly conditional: boolean;
}

/** Who wrote last. */
export interface Seen {
  readonly lastToken: FencingToken;
  readonly lastHolder: string | undefined;
}

/** A refusal that rests on the item's content, which may change again: as long as a copy is out it is not final. */
export type ContentReason = 'not-found' | 'exists' | 'version' | 'condition';

/**
 * Why a write was refused, or that it was not:
 * - `applied`: an earlier copy of it took effect. `newer` says who has fenced us since, if somebody has.
 * - `unexplained`: this item would not have been refused: it has changed in between.
 */
export type Verdict =
  | { readonly is: 'applied'; readonly newer: Seen | undefined }
  | { readonly is: 'fenced' | 'token-reused' | 'superseded'; readonly seen: Seen }
  | { readonly is: ContentReason }
  | { readonly is: 'corrupt' }
  | { readonly is: 'unfenced' }
  | { readonly is: 'unexplained' };

/**
 * Decides why a write was refused, from the item that it met. The order matters: own traces come first,
 * because a copy that was applied must never be reported as refused; the fence before the content, because
 * the content of somebody else's item is no longer our business.
 *
 * @param item what was in the storage: from the error, or from a consistent read; undefined if nothing was.
 */
export function judge(
  stamp: Stamp,
  item: Item | undefined,
  expects: Expectation,
  attributes: HiddenAttributes,
  policy: UnfencedPolicy = 'adopt',
): Verdict {
  const stored = storedStamp(item, attributes);
  const ownContent = own(item, attributes.version)?.S === versionOf(stamp);
  if (stored === 'corrupt') return ownContent ? { is: 'applied', newer: undefined } : { is: 'corrupt' };
  if (stored !== undefined) {
    const { token, holder, seq } = stored;
    const seen: Seen = { lastToken: token as FencingToken, lastHolder: holder };
    const ownStamp = token === stamp.token && holder === stamp.holder && seq === stamp.seq;
    if (ownStamp || ownContent) return { is: 'applied', newer: token > stamp.token ? seen : undefined };
    if (token > stamp.token) return { is: 'fenced', seen };
    if (token === stamp.token && holder !== stamp.holder) {
      if (stamp.kind !== 'bare') return { is: 'token-reused', seen };
      if (holder === undefined && own(item, attributes.holder) !== undefined) return { is: 'corrupt' };
    }
    if (token === stamp.token && holder === stamp.holder) {
      if (seq === undefined || Number.isNaN(seq)) return { is: 'corrupt' };
      if (seq > stamp.seq) {
        const why = judgeContent(item, expects, attributes);
        return isSealOf(stamp, stored) && why.is !== 'unexplained' ? why : { is: 'superseded', seen };
      }
    }
  } else if (policy === 'refuse' && item !== undefined) {
    return { is: 'unfenced' };
  }
  return judgeContent(item, expects, attributes);
}

/**
 * The number of the seal of a write: behind the write, before the holder's next one. Who meets it without
 * having left any content knows that the write was refused, for ever.
 */
export function sealSeq({ seq }: Pick<Stamp, 'seq'>): number {
  return seq + 0.5;
}

/** Whether this is the stamp that the seal of a write left. */
export function isSealOf(stamp: Stamp, stored: ReturnType<typeof storedStamp>): boolean {
  if (stored === undefined || stored === 'corrupt') return false;
  const { token, holder, seq } = stored;
  return token === stamp.token && holder === stamp.holder && seq === sealSeq(stamp);
}

/**
 * Whether an item that is gone may be the doing of a delete, although it was refused: an earlier call under the
 * same number has sealed it, so that call had copies out, and a delete leaves no version that would tell.
 */
export function mayHaveDeleted(stamp: Stamp, item: Item | undefined, attributes: HiddenAttributes): boolean {
  return !isLive(item, attributes) && isSealOf(stamp, storedStamp(item, attributes));
}

function judgeContent(item: Item | undefined, expects: Expectation, attributes: HiddenAttributes): Verdict {
  const { live, ifVersion, conditional } = expects;
  if (!isLive(item, attributes)) {
    const needsItem = live === 'must' || ifVersion !== undefined || conditional;
    return { is: needsItem && live !== 'must-not' ? 'not-found' : 'unexplained' };
  }
  if (live === 'must-not') return { is: 'exists' };
  if (ifVersion !== undefined) {
    const stored = storedVersion(item, attributes);
    if (stored === CORRUPT_VERSION) return { is: 'corrupt' };
    if (stored !== ifVersion) return { is: 'version' };
  }
  return { is: conditional ? 'condition' : 'unexplained' };
}
