import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../dynamo/attributes.ts';
import { parseDecimal } from '../dynamo/decimal.ts';
import { InvalidInputError } from '../fence/errors.ts';

/**
 * Where a page ended, as text that can be handed to a client and back. It holds the key of the last item
 * that was looked at, readable by whoever has it.
 */
export function encodeCursor(lastKey: Item): string {
  const scalars = Object.entries(lastKey).map(([name, { S, N, B }]) => {
    if (S !== undefined) return [name, 'S', S];
    if (N !== undefined) return [name, 'N', N];
    return [name, 'B', Buffer.from(B ?? []).toString('base64')];
  });
  return Buffer.from(JSON.stringify(scalars)).toString('base64url');
}

/** @throws InvalidInputError for anything that {@link encodeCursor} did not write. */
export function decodeCursor(cursor: string): Item {
  try {
    const scalars: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (!Array.isArray(scalars) || scalars.length === 0) throw new Error('no key');
    return Object.fromEntries(scalars.map(decodeScalar));
  } catch (cause) {
    throw new InvalidInputError(
      'cursor',
      'it is damaged, or no cursor of this library',
      'Pass the cursor of the page before as it was, or leave it out to begin.',
      { cause },
    );
  }
}

function decodeScalar(scalar: unknown): [string, AttributeValue] {
  const [name, type, text] = scalar as unknown[];
  if (typeof name !== 'string' || typeof text !== 'string') throw new Error('no scalar');
  if (text === '') throw new Error('no value of a key');
  if (type === 'S') return [name, { S: text }];
  if (type === 'N' && parseDecimal(text) !== undefined) return [name, { N: text }];
  if (type === 'B') return [name, { B: new Uint8Array(Buffer.from(text, 'base64')) }];
  throw new Error('no type of a key');
}
