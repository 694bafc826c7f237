import { encodeKey } from '../dynamo/key.ts';
import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { checkIdentity } from './check-identity.ts';
import type { KeySchema } from './key-schema.ts';

/** Keys that are attributes of the item, by their names: the partition key first. */
export function namedKeys<T extends object, K extends keyof T>(names: readonly string[]): KeySchema<T, K> {
  if (!Array.isArray(names) || names.length < 1 || names.length > 2 || new Set(names).size !== names.length) {
    throw new InvalidInputError(
      'key',
      'a table has one partition key and at most one sort key',
      "Pass their names, as ['id'] or ['pk', 'sk'], or a function that makes them.",
    );
  }
  for (const name of names) {
    if (typeof name === 'string' && name !== '') continue;
    throw new InvalidInputError(
      'key',
      `${describe(name)} names no attribute`,
      'Pass the names that the table was created with.',
    );
  }
  return {
    names,
    unseenNames: () => [],
    keyOf: (identity) => encodeKey(checkIdentity(identity), names),
    identifying: () => ({}),
  };
}
