import { types } from 'node:util';
import { InvalidInputError } from '../fence/errors.ts';
import type { Item } from './attributes.ts';
import { encodeKey } from './key.ts';
import { checkName } from './text.ts';

/**
 * The key that a function of the user's made, in attribute value form.
 *
 * @throws InvalidInputError where it is no key, or names an attribute that is kept for something else.
 */
export function encodeMadeKey(key: unknown): Item {
  if (typeof key !== 'object' || key === null || Array.isArray(key) || types.isPromise(key)) {
    throw new InvalidInputError('key', `the key function gave ${kindOf(key)}`, advice);
  }
  const names = Object.keys(key);
  if (names.length < 1 || names.length > 2) {
    throw new InvalidInputError('key', `the key function gave ${names.length} attributes`, advice);
  }
  for (const name of names) checkName(name, 'key');
  return encodeKey(key as Readonly<Record<string, unknown>>, names);
}

const advice = 'Return the partition key, and the sort key if the table has one: { pk, sk }.';

function kindOf(key: unknown): string {
  if (Array.isArray(key)) return 'an array';
  if (types.isPromise(key)) return 'a Promise, and a key is made at once';
  return key === null || key === undefined ? String(key) : `a ${typeof key}`;
}
