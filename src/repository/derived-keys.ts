import type { Item } from '../dynamo/attributes.ts';
import { encodeKeyScalar } from '../dynamo/key.ts';
import { encodeMadeKey } from '../dynamo/made-key.ts';
import { keyText } from '../dynamo/plan.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { checkIdentity } from './check-identity.ts';
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
    const key = encodeMadeKey(make(watched(identity, read)));
    const names = Object.keys(key);
    unseen = names.filter((name) => !read.has(name));
    for (const name of names) if (read.has(name)) refuseChanged(name, key, identity);
    return { key, read };
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
      const entries = Object.entries(identity).filter(
        ([name]) => read.has(name) && !Object.hasOwn(key, name),
      );
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    },
  };
}

/**
 * What stands in the key under its own name is part of the item, which is written as its key has it: changed there, the item
 * that is read would lie under another key when it is written back.
 */
function refuseChanged(name: string, key: Item, identity: object): void {
  const given = (identity as Readonly<Record<string, unknown>>)[name];
  // A default of the function's is no change: what is stored has it.
  if (given === undefined) return;
  const taken = { [name]: encodeKeyScalar(given, `key.${name}`) };
  if (keyText(taken) === keyText({ [name]: key[name] as Item[string] })) return;
  throw new InvalidInputError(
    `key.${name}`,
    'the key function changes it, and keeps its name',
    `Return it as it is, or give the key attribute a name that no item has, as pk: { pk: \`ACCOUNT#\${${name}}\` }.`,
  );
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
