import { InvalidInputError } from '../fence/errors.ts';
import { checkIdentity, encodeKey } from './encode-key.ts';
import type { KeyAttributes, KeySchema } from './key-schema.ts';

/**
 * Keys that a function makes of what identifies an item, as in a single-table design. Users do not see their
 * attributes, except those that the function took from the item under the same name.
 */
export function derivedKeys<T extends object, K extends keyof T>(
  make: (identity: Pick<T, K>) => KeyAttributes,
): KeySchema<T, K> {
  let unseen: readonly string[] | undefined;
  const derive = (identity: Pick<T, K>) => {
    checkIdentity(identity);
    const read = new Set<string>();
    const key = make(watched(identity, read));
    const names = Object.keys(key ?? {});
    if (names.length < 1 || names.length > 2) {
      throw new InvalidInputError(
        'key',
        `the key function gave ${names.length} attributes`,
        'Return the partition key, and the sort key if the table has one: { pk, sk }.',
      );
    }
    unseen = names.filter((name) => !read.has(name));
    return { key: encodeKey(key, names), read };
  };
  const learn = (item: unknown): readonly string[] => {
    try {
      derive(item as Pick<T, K>);
    } catch {
      // An item that somebody else wrote may lack what the function needs: then nothing can be told of it.
    }
    return unseen ?? [];
  };
  return {
    names: [],
    keyOf: (identity) => derive(identity).key,
    unseenNames: (item) => unseen ?? learn(item),
    identifying(identity) {
      const { key, read } = derive(identity);
      const entries = Object.entries(identity).filter(([name]) => read.has(name) && key[name] === undefined);
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
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
