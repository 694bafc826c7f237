import type { Item } from '../dynamo/attributes.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { checkIdentity, encodeKey } from './encode-key.ts';
import type { KeyAttributes, KeySchema } from './key-schema.ts';

/** Keys that a function makes of what identifies an item, as in a single-table design. Users do not see them. */
export function derivedKeys<T extends object, K extends keyof T>(
  make: (identity: Pick<T, K>) => KeyAttributes,
): KeySchema<T, K> {
  let known: readonly string[] | undefined;
  const keyOf = (identity: Pick<T, K>): Item => {
    checkIdentity(identity);
    const key = make(identity);
    const names = Object.keys(key ?? {});
    if (names.length < 1 || names.length > 2) {
      throw new InvalidInputError(
        'key',
        `the key function gave ${names.length} attributes`,
        'Return the partition key, and the sort key if the table has one: { pk, sk }.',
      );
    }
    known = names;
    return encodeKey(key, names);
  };
  const learn = (item: unknown): readonly string[] => {
    try {
      keyOf(item as Pick<T, K>);
    } catch {
      // An item that somebody else wrote may lack what the function needs: then nothing can be told of it.
    }
    return known ?? [];
  };
  return {
    derived: true,
    names: [],
    keyOf,
    derivedNames: (item) => known ?? learn(item),
    identifying(identity) {
      const read = new Set<string>();
      make(watched(identity, read));
      return pick(identity, [...read]);
    },
  };
}

/** An object that notes which of its properties are read. */
function watched<O extends object>(object: O, read: Set<string>): O {
  return new Proxy(object, {
    get(target, name) {
      if (typeof name === 'string') read.add(name);
      return Reflect.get(target, name);
    },
  });
}

function pick(object: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).filter(([name, value]) => names.includes(name) && value !== undefined),
  );
}
