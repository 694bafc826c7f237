import type { Item } from '../dynamo/attributes.ts';
import { encodeKeyScalar } from '../dynamo/encode.ts';
import { InvalidInputError } from '../fence/errors.ts';

/** A key in attribute value form. @throws InvalidInputError naming the attribute that is missing or no scalar. */
export function encodeKey(values: Readonly<Record<string, unknown>>, names: readonly string[]): Item {
  return Object.fromEntries(names.map((name) => [name, encodeKeyScalar(values[name], `key.${name}`)]));
}

/** What identifies an item, as an object at least. */
export function checkIdentity(identity: unknown): Readonly<Record<string, unknown>> {
  if (typeof identity === 'object' && identity !== null) return identity as Record<string, unknown>;
  throw new InvalidInputError(
    'key',
    'it is no object',
    "Pass the attributes that identify the item, as { id: 'a1' }.",
  );
}
