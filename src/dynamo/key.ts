import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { InvalidInputError } from '../fence/errors.ts';
import type { Item } from './attributes.ts';
import { encode } from './encode.ts';

// DynamoDB's limits.
const MOST_BYTES_OF_PARTITION_KEY = 2048;
const MOST_BYTES_OF_SORT_KEY = 1024;

/**
 * A key in attribute value form.
 *
 * @param names of its attributes, the partition key first.
 * @throws InvalidInputError naming the attribute that is missing or cannot be a key.
 */
export function encodeKey(values: Readonly<Record<string, unknown>>, names: readonly string[]): Item {
  const limits = [MOST_BYTES_OF_PARTITION_KEY, MOST_BYTES_OF_SORT_KEY];
  return Object.fromEntries(
    names.map((name, index) => [name, encodeKeyScalar(values[name], `key.${name}`, limits[index])]),
  );
}

/**
 * Encodes the value of a key attribute: a string, number, bigint or Uint8Array. Empty text and empty
 * binary, which other attributes may hold, are no keys.
 *
 * @param mostBytes of text or binary; default the most that any key may have.
 */
export function encodeKeyScalar(
  value: unknown,
  path: string,
  mostBytes = MOST_BYTES_OF_PARTITION_KEY,
): AttributeValue {
  const encoded = encode(value, path);
  const { S, N, B } = encoded;
  if ((S ?? N ?? B) === undefined) {
    throw new InvalidInputError(
      path,
      'it cannot be a key',
      'A key is a string, a number, a bigint or a Uint8Array.',
    );
  }
  const bytes = S === undefined ? B?.length : Buffer.byteLength(S);
  if (bytes === 0) {
    throw new InvalidInputError(
      path,
      'it is empty, and a key must not be',
      'Pass a value that identifies the item.',
    );
  }
  if (bytes !== undefined && bytes > mostBytes) {
    throw new InvalidInputError(
      path,
      `it has ${bytes} bytes, and DynamoDB takes ${mostBytes} there`,
      'Use a shorter key, a hash of the long one for instance.',
    );
  }
  return encoded;
}
