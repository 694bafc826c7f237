import type { Item } from '../dynamo/attributes.ts';
import { encodeKeyScalar } from '../dynamo/encode.ts';
import { InvalidInputError } from '../fence/errors.ts';

/** What a primary key may be made of. */
export type KeyValue = string | number | bigint | Uint8Array;

/** The attributes of a primary key: the partition key first. */
export type KeyAttributes = Readonly<Record<string, KeyValue>>;

/**
 * How the primary key of an item is found: the names of its key attributes, partition key first, or a
 * function that makes the key of a single-table design out of the attributes that identify an item.
 */
export type KeyDefinition<T, K extends keyof T> =
  | readonly [K & string]
  | readonly [K & string, K & string]
  | ((identity: Pick<T, K>) => KeyAttributes);

/** How one table's primary keys are made of what users pass. */
export interface KeySchema<T, K extends keyof T> {
  /** True where a function makes the key, out of attributes that are themselves no part of it. */
  readonly derived: boolean;
  /** The names that the key was defined by; none where a function makes it. */
  readonly names: readonly string[];
  /** The key in attribute value form. @throws InvalidInputError naming the attribute that is missing or no scalar. */
  keyOf(identity: Pick<T, K>): Item;
  /** The names of key attributes that are no part of `T`, found with the help of a whole item if need be. */
  derivedNames(item: unknown): readonly string[];
  /**
   * What a function makes the key of, by name; nothing where the key is its own attributes. A whole item may
   * stand for its identity, and most of it does not identify.
   */
  identifying(identity: Pick<T, K>): Readonly<Record<string, unknown>>;
}

export function keySchema<T extends object, K extends keyof T>(
  definition: KeyDefinition<T, K>,
): KeySchema<T, K> {
  return typeof definition === 'function' ? derivedKeys(definition) : namedKeys(definition);
}

function namedKeys<T extends object, K extends keyof T>(names: readonly string[]): KeySchema<T, K> {
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
      `${JSON.stringify(name)} names no attribute`,
      'Pass the names that the table was created with.',
    );
  }
  return {
    derived: false,
    names,
    derivedNames: () => [],
    keyOf: (identity) => encodeKey(checkIdentity(identity), names),
    identifying: () => ({}),
  };
}

function derivedKeys<T extends object, K extends keyof T>(
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

function encodeKey(values: Readonly<Record<string, unknown>>, names: readonly string[]): Item {
  return Object.fromEntries(names.map((name) => [name, encodeKeyScalar(values[name], `key.${name}`)]));
}

function checkIdentity(identity: unknown): Readonly<Record<string, unknown>> {
  if (typeof identity === 'object' && identity !== null) return identity as Record<string, unknown>;
  throw new InvalidInputError(
    'key',
    'it is no object',
    "Pass the attributes that identify the item, as { id: 'a1' }.",
  );
}
