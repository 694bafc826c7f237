import type { Stamp } from '../fence/session.ts';
import { defaultAttributes } from './attributes.ts';
import type { UpdateLike } from './guard.ts';
import { refuseHiddenAttributes, refuseLegacyParameters } from './guard-checks.ts';
import { type FencingOptions, type Guarded, guarded } from './guarded.ts';
import { formOf } from './input-form.ts';
import { placeholdersBeside } from './placeholders.ts';
import { stampedAttributes } from './stamping.ts';
import { writeConditions } from './write-condition.ts';

/** What {@link entomb} needs of a DeleteItem input, or of the Delete of a transaction. */
export type DeleteLike = UpdateLike;

/**
 * Turns a delete of your own into a write of the tombstone: the item goes, the memory of its fence stays,
 * so that an older holder cannot bring it back. Pure, like `guard`. It costs a write of the larger of the
 * removed item and its tombstone.
 *
 * @param input your DeleteItem input. With a condition or `ifVersion` the item must be live; without, anything may be there.
 * @param stamp from `nextStamp(fence)`.
 * @param options how the table keeps its fences, and `ifVersion`.
 * @returns a PutItem input that leaves the key and the stamp.
 * @throws InvalidInputError as `guard` does.
 * @example
 * await client.send(new PutItemCommand(entomb({ TableName, Key: { id: { S: 'a1' } } }, nextStamp(lease))));
 */
export function entomb<I extends DeleteLike>(
  input: I,
  stamp: Stamp,
  options: FencingOptions = {},
): Omit<I, 'Key'> & { readonly Item: NonNullable<I['Key']> } & Guarded {
  const { attributes = defaultAttributes, ifVersion } = options;
  refuseLegacyParameters(input);
  refuseHiddenAttributes(input, attributes);
  const { Key = {}, ...rest } = input;
  const form = formOf(Key, 'Key');
  const placeholders = placeholdersBeside(input, form);

  const needs = input.ConditionExpression !== undefined || ifVersion !== undefined ? 'live' : 'any';
  const keyAttribute = Object.keys(Key)[0];
  const conditions = writeConditions({ stamp, needs, keyAttribute, options, caller: input }, placeholders);
  const Item = { ...Key, ...stampedAttributes(stamp, attributes, 'stamp', form) } as NonNullable<I['Key']>;
  return guarded({ ...rest, Item }, conditions, placeholders);
}
