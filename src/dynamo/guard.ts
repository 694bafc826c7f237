import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { Stamp } from '../fence/session.ts';
import { defaultAttributes } from './attributes.ts';
import { refuseHiddenAttributes, refuseLegacyParameters } from './guard-checks.ts';
import { type AnyValues, type FencingOptions, type Guarded, guarded } from './guarded.ts';
import { formOf } from './input-form.ts';
import { type ExpressionParts, placeholdersBeside } from './placeholders.ts';
import { stampAssignments, stampedAttributes } from './stamping.ts';
import { spliceSet } from './update-expression.ts';
import { writeConditions } from './write-condition.ts';

/** What {@link guard} needs of a PutItem input, or of the Put of a transaction. */
export interface PutLike extends ExpressionParts {
  readonly TableName: string | undefined;
  readonly Item: AnyValues | undefined;
}

/** What {@link guard} needs of an UpdateItem input, or of the Update of a transaction. */
export interface UpdateLike extends ExpressionParts {
  readonly TableName: string | undefined;
  readonly Key: AnyValues | undefined;
}

export interface GuardOptions extends FencingOptions {
  /**
   * What the request means: `update` needs a live item, `upsert` makes one where there is none, `create` needs
   * that there is none, `put` takes either. Default `put` for an input with an Item, `update` for one with a Key.
   */
  readonly as?: 'put' | 'create' | 'update' | 'upsert';
  /**
   * The name of the partition key. A Put needs it where it creates, refuses unfenced items or names the version
   * `'unfenced'`, because an Item does not tell which of its attributes are the key.
   */
  readonly key?: string;
}

/**
 * Turns a write of your own into a fenced one: adds the admission condition in front of your own condition
 * (which is put into parentheses), and the stamp to what is written. Pure: it sends nothing, and returns a
 * new input. It works on the inputs of either client, and on the Put and Update of a transaction. The
 * guarded write costs what your own would: one request, and `ReturnValuesOnConditionCheckFailure` is free.
 *
 * Do not ask for absence yourself (`attribute_not_exists(pk)`): a deleted item leaves a tombstone, on which
 * that fails for ever. Say `as: 'create'`.
 *
 * @param input your PutItem or UpdateItem input. It must not mention the hidden attributes, at any depth and
 * under any alias.
 * @param stamp from `nextStamp(fence)`: a new one for every logical write, the same one for all actions of a transaction.
 * @param options what the write means, and how the table keeps its fences.
 * @returns the input to send. A lease's may be sent as often as you like: it applies once. A bare fence's must be
 * sent once (`maxAttempts: 1`), because others may carry its token.
 * @throws InvalidInputError where the input mentions the hidden attributes, uses legacy parameters, or its
 * condition would escape from its parentheses.
 * @example
 * const stamp = nextStamp(lease);
 * const input = guard({ TableName, Key, UpdateExpression: 'ADD balance :n', ExpressionAttributeValues }, stamp);
 * await client.send(new UpdateItemCommand(input)).catch((error) => explain(error, stamp, { as: 'update' }));
 */
export function guard<I extends PutLike | UpdateLike>(
  input: I,
  stamp: Stamp,
  options: GuardOptions = {},
): I & Guarded {
  const { attributes = defaultAttributes } = options;
  const isPut = 'Item' in input;
  const as = meaning(isPut, options.as);
  refuseLegacyParameters(input);
  refuseHiddenAttributes(input, attributes);
  const subject = (isPut ? (input as PutLike).Item : (input as UpdateLike).Key) ?? {};
  const form = formOf(subject, isPut ? 'Item' : 'Key');
  const placeholders = placeholdersBeside(input, form);

  const needs = as === 'update' ? 'live' : as === 'create' ? 'absent' : 'any';
  const keyAttribute = isPut ? checkKey(options.key, subject) : Object.keys(subject)[0];
  const conditions = writeConditions({ stamp, needs, keyAttribute, options, caller: input }, placeholders);
  const content = isPut
    ? { Item: { ...subject, ...stampedAttributes(stamp, attributes, 'stamp and version', form) } }
    : {
        UpdateExpression: spliceSet(
          input.UpdateExpression,
          stampAssignments(stamp, attributes, 'stamp and version', placeholders),
        ),
      };
  return guarded({ ...input, ...content }, conditions, placeholders);
}

function meaning(isPut: boolean, as: GuardOptions['as']): NonNullable<GuardOptions['as']> {
  const allowed = isPut ? (['put', 'create'] as const) : (['update', 'upsert'] as const);
  const meant = as ?? allowed[0];
  if (allowed.some((word) => word === meant)) return meant;
  throw new InvalidInputError(
    'as',
    `${describe(as)} does not fit an input with ${isPut ? 'an Item' : 'a Key'}`,
    `Pass ${allowed.map((word) => `'${word}'`).join(' or ')}.`,
  );
}

// With a slip of the pen here, «nothing is there» would be true of every item, and a create would overwrite.
function checkKey(key: string | undefined, item: AnyValues): string | undefined {
  if (key === undefined || Object.hasOwn(item, key)) return key;
  throw new InvalidInputError(
    'key',
    `the Item has no attribute ${describe(key)}`,
    'Pass the name of the partition key, as the table has it.',
  );
}
