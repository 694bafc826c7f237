import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './attributes.ts';
import { decodeNumber, type InexactNumber } from './number.ts';
import { below } from './text.ts';
import { UnreadableValueError } from './unreadable-value.ts';

export interface DecodeOptions {
  /**
   * What becomes of a stored number that neither `number` nor `bigint` holds exactly, a long fraction: it is
   * given the decimal text. Default: an {@link UnreadableValueError}.
   */
  readonly numbers?: InexactNumber | undefined;
}

/**
 * Turns a stored value into a JavaScript value. Numbers become `number` where that is exact, integers
 * beyond 2^53 − 1 `bigint`; sets become `Set`, binary `Uint8Array`.
 *
 * @param path where the value lies, for errors.
 * @throws UnreadableValueError rather than lose anything.
 */
export function decode(value: AttributeValue, path: string, options: DecodeOptions = {}): unknown {
  const { S, N, BOOL, NULL, M, L, B, SS, NS, BS } = value;
  if (S !== undefined) return S;
  if (N !== undefined) return decodeNumber(N, path, options.numbers);
  if (BOOL !== undefined) return BOOL;
  // Whatever stands beside the tag: writers exist that put false there.
  if (NULL !== undefined) return null;
  if (M !== undefined) return decodeEntries(M, path, options);
  if (L !== undefined) return L.map((element, index) => decode(element, `${path}[${index}]`, options));
  if (B !== undefined) return B;
  if (SS !== undefined) return new Set(SS);
  if (NS !== undefined) return new Set(NS.map((text) => decodeNumber(text, path, options.numbers)));
  if (BS !== undefined) return new Set(BS);
  throw new UnreadableValueError(
    path,
    `${JSON.stringify(Object.keys(value))} is no type of DynamoDB that is known here.`,
  );
}

/** Decodes an item, with paths that begin with `item`. */
export function decodeItem(item: Item, options: DecodeOptions = {}): Record<string, unknown> {
  return decodeEntries(item, 'item', options);
}

function decodeEntries(entries: Item, path: string, options: DecodeOptions): Record<string, unknown> {
  // Unlike an assignment, fromEntries makes a stored `__proto__` a property like any other. At the top of an
  // item the SDK leaves undefined there (measured with 3.1169).
  return Object.fromEntries(
    Object.entries(entries)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, decode(value, below(path, name), options)]),
  );
}
