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

/** The primary key of one table, from what users pass. */
export interface KeySchema<T, K extends keyof T> {
  /** The key in attribute value form. @throws InvalidInputError naming the attribute that is missing or no scalar. */
  keyOf(identity: Pick<T, K>): Item;
  /** Key attributes that are no part of `T`: made by a function, and hidden from users. */
  isDerived: boolean;
}

export function keySchema<T extends object, K extends keyof T>(definition: KeyDefinition<T, K>): KeySchema<T, K> {
  if (typeof definition === 'function') {
    return {
      isDerived: true,
      keyOf(identity) {
        checkIdentity(identity);
        const key = definition(identity);
        const names = Object.keys(key ?? {});
        if (names.length < 1 || names.length > 2) {
          throw new InvalidInputError(
            'key',
            `the key function gave ${names.length} attributes`,
            'Return the partition key, and the sort key if the table has one: { pk, sk }.',
          );
        }
        return encodeKey(key, names);
      },
    };
  }
  const names: readonly string[] = definition;
  if (!Array.isArray(definition) || names.length < 1 || names.length > 2 || new Set(names).size !== names.length) {
    throw new InvalidInputError(
      'key',
      'a table has one partition key and at most one sort key',
      "Pass their names, as ['id'] or ['pk', 'sk'], or a function that makes them.",
    );
  }
  return {
    isDerived: false,
    keyOf(identity) {
      checkIdentity(identity);
      return encodeKey(identity as Record<string, unknown>, names);
    },
  };
}

function encodeKey(values: Readonly<Record<string, unknown>>, names: readonly string[]): Item {
  return Object.fromEntries(names.map((name) => [name, encodeKeyScalar(values[name], `key.${name}`)]));
}

function checkIdentity(identity: unknown): void {
  if (typeof identity === 'object' && identity !== null) return;
  throw new InvalidInputError('key', 'it is no object', "Pass the attributes that identify the item, as { id: 'a1' }.");
}
