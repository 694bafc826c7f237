import type { Item } from '../dynamo/attributes.ts';

/** What a primary key may be made of. */
export type KeyValue = string | number | bigint | Uint8Array;

/** The attributes of a primary key: the partition key first. */
export type KeyAttributes = Readonly<Record<string, KeyValue>>;

/**
 * How the primary key of an item is found: the names of its key attributes, partition key first, or a
 * function that makes the key of a single-table design out of the attributes that identify an item. What it
 * takes over under the same name stays a part of the item, as `customer` in
 * `({ customer, id }) => ({ customer, sk: `ORDER#${id}` })`; users do not see the rest.
 */
export type KeyDefinition<T, K extends keyof T> =
  | readonly [K & string]
  | readonly [K & string, K & string]
  | ((identity: Pick<T, K>) => KeyAttributes);

/** How one table's primary keys are made of what users pass. */
export interface KeySchema<T, K extends keyof T> {
  /** The names that the key was defined by; none where a function makes it. */
  readonly names: readonly string[];
  /** The key in attribute value form. @throws InvalidInputError naming the attribute that is missing or no scalar. */
  keyOf(identity: Pick<T, K>): Item;
  /** The names of key attributes that are no part of `T`, found with the help of a whole item if need be. */
  unseenNames(item: unknown): readonly string[];
  /**
   * What a function makes the key of, beside what is in the key by the same name. A whole item may stand for its
   * identity, and most of it does not identify.
   */
  identifying(identity: Pick<T, K>): Readonly<Record<string, unknown>>;
}
