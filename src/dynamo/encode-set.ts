import { types } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { InvalidInputError } from '../fence/errors.ts';
import { copyOfBytes } from './copy-of-bytes.ts';
import { compareDecimals, parseDecimal } from './decimal.ts';
import { encodeNumber } from './number.ts';
import { numberValueText } from './number-value.ts';
import { checkText } from './text.ts';

/** A set of strings, of numbers (number and bigint may mix), or of Uint8Arrays: DynamoDB has no other sets. */
export function encodeSet(set: ReadonlySet<unknown>, path: string): AttributeValue {
  const elements = [...set];
  if (elements.length === 0) {
    throw new InvalidInputError(
      path,
      'the set is empty, and DynamoDB has no empty sets',
      'Leave the attribute out.',
    );
  }
  if (elements.every((element) => typeof element === 'string')) {
    return { SS: elements.map((element) => checkText(element, path)) };
  }
  if (elements.every(types.isUint8Array)) return { BS: distinctBytes(elements, path) };
  return {
    NS: distinctNumbers(
      elements.map((element) => numberText(element, path)),
      path,
    ),
  };
}

function numberText(element: unknown, path: string): string {
  if (typeof element === 'number' || typeof element === 'bigint') return encodeNumber(element, path);
  const text = typeof element === 'object' && element !== null ? numberValueText(element, path) : undefined;
  if (text !== undefined) return text;
  throw new InvalidInputError(
    path,
    'a set holds strings, or numbers, or Uint8Arrays, and no mixture of them',
    'Store an array, which may hold anything.',
  );
}

// Different to JavaScript, the same to DynamoDB: 1 and 1n, or two arrays of the same bytes.
function distinctNumbers(texts: readonly string[], path: string): string[] {
  const sorted = texts.map((text) => parseDecimal(text)).filter((decimal) => decimal !== undefined);
  sorted.sort(compareDecimals);
  const twice = sorted.some((decimal, index) => {
    const next = sorted[index + 1];
    return next !== undefined && compareDecimals(decimal, next) === 0;
  });
  if (twice) throw duplicates(path);
  return [...texts];
}

function distinctBytes(elements: readonly Uint8Array[], path: string): Uint8Array[] {
  const copies = elements.map((bytes) => copyOfBytes(bytes, path));
  const seen = new Set(copies.map((bytes) => Buffer.from(bytes).toString('base64')));
  if (seen.size !== copies.length) throw duplicates(path);
  return copies;
}

function duplicates(path: string): InvalidInputError {
  return new InvalidInputError(
    path,
    'the set holds one value twice, as 1 and 1n, or as two arrays of the same bytes',
    'Drop one of them.',
  );
}
