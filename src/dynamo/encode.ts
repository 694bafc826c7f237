import { types } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { InvalidInputError } from '../fence/errors.ts';
import type { Item } from './attributes.ts';
import { copyOfBytes } from './copy-of-bytes.ts';
import { dataEntries } from './data-entries.ts';
import { encodeSet } from './encode-set.ts';
import { encodeNumber } from './number.ts';
import { numberValueText } from './number-value.ts';
import { isOperator } from './operators.ts';
import { isPlainObject } from './plain-object.ts';
import { below, checkText } from './text.ts';
import { unsupported } from './unsupported.ts';

/** DynamoDB's limit, counted so that every engine accepts it: an attribute's own value is on level 1. */
const MAX_LEVEL = 32;

/**
 * Turns a JavaScript value into DynamoDB's form, or refuses it: what is accepted comes back equal. Numbers do by their value, as
 * DynamoDB has one type of them: a bigint that a number holds exactly comes back as a number, and -0 as 0.
 *
 * Accepted are null, booleans, strings, finite numbers (integers up to 2^53 − 1), bigints of up to 38
 * significant digits, `Uint8Array`, non-empty sets of one type, arrays without holes, plain objects, and the
 * SDK's `NumberValue`. The result shares nothing with the value, so that it stays the same on later retries.
 *
 * @param path where the value lies, for errors: `item.lines[2].price`.
 * @throws InvalidInputError for anything else; for undefined, wherever it lies.
 */
export function encode(value: unknown, path: string): AttributeValue {
  return encodeAt(value, path, 1);
}

/** Encodes the attributes of an item, or those of a part of one. */
export function encodeItem(record: unknown, path = 'item'): Item {
  if (typeof record !== 'object' || record === null || !isPlainObject(record) || isOperator(record)) {
    throw new InvalidInputError(
      path,
      'an item is a plain object',
      "Pass its attributes: { id: 'a1', balance: 100 }.",
    );
  }
  return encodeEntries(record, path, 1);
}

function encodeAt(value: unknown, path: string, level: number): AttributeValue {
  if (level > MAX_LEVEL) {
    throw new InvalidInputError(
      path,
      `it lies deeper than ${MAX_LEVEL} levels, more than DynamoDB stores`,
      'Is it an object that contains itself? If not, store the inner part as JSON text.',
    );
  }
  switch (typeof value) {
    case 'string':
      return { S: checkText(value, path) };
    case 'number':
    case 'bigint':
      return { N: encodeNumber(value, path) };
    case 'boolean':
      return { BOOL: value };
    case 'object':
      return value === null ? { NULL: true } : encodeObject(value, path, level);
    default:
      throw unsupported(value, path);
  }
}

function encodeObject(value: object, path: string, level: number): AttributeValue {
  if (Array.isArray(value)) return { L: encodeElements(value, path, level + 1) };
  if (types.isUint8Array(value)) return { B: copyOfBytes(value, path) };
  if (types.isSet(value)) return encodeSet(value, path);
  if (isPlainObject(value) && !isOperator(value)) return { M: encodeEntries(value, path, level + 1) };
  const text = numberValueText(value, path);
  if (text === undefined) throw unsupported(value, path);
  return { N: text };
}

function encodeElements(array: readonly unknown[], path: string, level: number): AttributeValue[] {
  // By index alone: a subclass may have methods of its own, and make arrays of another kind.
  const indexes = Array.from({ length: array.length }, (_, index) => index);
  const hole = indexes.findIndex((index) => !Object.hasOwn(array, index));
  if (hole !== -1) {
    throw new InvalidInputError(
      `${path}[${hole}]`,
      'the array has a hole',
      'Fill it, with null for instance.',
    );
  }
  // As the match of a regular expression has them.
  const extra = Object.keys(array)[array.length];
  if (extra !== undefined) {
    const problem = 'a property of an array has no place in a list';
    throw new InvalidInputError(below(path, extra), problem, 'Store the elements alone: [...array].');
  }
  return indexes.map((index) => encodeAt(array[index], `${path}[${index}]`, level));
}

function encodeEntries(record: object, path: string, level: number): Item {
  const entries = dataEntries(record, path);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, encodeAt(value, below(path, name), level)] as const),
  );
}
