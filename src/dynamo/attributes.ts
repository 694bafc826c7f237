import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Stamp } from '../fence/session.ts';
import { own } from './own.ts';

/** An item, a key, or any part of one, as DynamoDB sends it. */
export type Item = Record<string, AttributeValue>;

/** The names of the four attributes that fencing keeps in every item. Users can neither read nor set them. */
export interface HiddenAttributes {
  /** N: the last token that was accepted. */
  readonly fence: string;
  /** S: who wrote with it. */
  readonly holder: string;
  /** N: the number of that request among those of its holder. */
  readonly seq: string;
  /** S: the stamp of the last write of *content*. An item with a fence and without a version is a tombstone. */
  readonly version: string;
}

/** The names that are used where no others are given. */
export const defaultAttributes: HiddenAttributes = {
  fence: '_fence',
  holder: '_fenceHolder',
  seq: '_fenceSeq',
  version: '_fenceVersion',
};

/** The version that users see on an item which was written before fencing was adopted. */
export const UNFENCED_VERSION = 'unfenced';

/** The version that users see on an item whose own is damaged: no write is admitted there that asks for one. */
export const CORRUPT_VERSION = 'corrupt';

/**
 * The version that a write leaves: unique for ever, because no two logical writes share a stamp. So it
 * proves who wrote the content, even after a newer holder has put its own stamp on the item.
 */
export function versionOf(stamp: Pick<Stamp, 'token' | 'seq' | 'holder'>): string {
  return `${stamp.token}.${stamp.seq}.${stamp.holder}`;
}

/**
 * Whether users see this item: it has content, rather than the mere memory of a fence.
 *
 * @param item in the form of either client; undefined where there is none.
 */
export function isLive<I extends Readonly<Record<string, unknown>>>(
  item: I | undefined,
  attributes: HiddenAttributes = defaultAttributes,
): item is I {
  if (item === undefined) return false;
  return own(item, attributes.version) !== undefined || own(item, attributes.fence) === undefined;
}

/** The version of a live item, as users see it. */
export function storedVersion(item: Item, attributes: HiddenAttributes): string {
  const version = own(item, attributes.version)?.S;
  if (version !== undefined && version !== '') return version;
  return own(item, attributes.fence) === undefined ? UNFENCED_VERSION : CORRUPT_VERSION;
}

/** What the storage saw last. */
export interface StoredStamp {
  readonly token: number;
  /** Undefined where there is none, or none that is text. */
  readonly holder: string | undefined;
  /** Undefined where there is none, or none that is a number. */
  readonly seq: number | undefined;
}

/**
 * Reads the stamp of an item.
 *
 * @returns undefined where there is none; `'corrupt'` where the fence is no number that could ever have
 * been issued (text, a fraction, more than 2^53 − 1): nothing can be compared with it.
 */
export function storedStamp(
  item: Item | undefined,
  attributes: HiddenAttributes,
): StoredStamp | 'corrupt' | undefined {
  const fence = own(item, attributes.fence);
  if (item === undefined || fence === undefined) return undefined;
  const token = fence.N === undefined ? Number.NaN : Number(fence.N);
  if (!Number.isSafeInteger(token) || token < 0) return 'corrupt';
  const seq = own(item, attributes.seq)?.N;
  return { token, holder: own(item, attributes.holder)?.S, seq: seq === undefined ? undefined : Number(seq) };
}
