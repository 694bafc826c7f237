import { InvalidInputError } from '../fence/errors.ts';
import type { Stamp } from '../fence/session.ts';
import { defaultAttributes } from './attributes.ts';
import { refuseHiddenAttributes } from './guard-checks.ts';
import { type AnyValues, type FencingOptions, type Guarded, guarded } from './guarded.ts';
import { formOf } from './input-form.ts';
import { unfenced } from './liveness.ts';
import { placeholdersBeside } from './placeholders.ts';
import { stampAssignments } from './stamping.ts';
import { spliceSet } from './update-expression.ts';
import { admits } from './write-condition.ts';

/** What {@link claimInput} needs. */
export interface ClaimLike {
  readonly TableName: string;
  readonly Key: AnyValues;
}

/** How {@link claimInput} claims. */
export interface ClaimOptions extends Omit<FencingOptions, 'ifVersion'> {
  /** Makes the claim of an item that exists without a fence, and of no other. Default false. */
  readonly adopt?: boolean;
}

/**
 * The request that raises the fence of an item without touching its content, and reads it in the same step.
 * Once it was accepted, no older holder can write, also where the item does not exist. Pure. It costs the
 * write units of the item, and the read is free.
 *
 * An item that exists without a fence is refused (`explain` says `unfenced`), because a stamp alone would turn
 * it into a tombstone: send the input made with `adopt: true` then, which gives it a version too.
 *
 * @param input the table and the key, in the form of either client.
 * @param stamp from `nextStamp(fence)`; the same one with `adopt` as without.
 * @returns an UpdateItem input with `ReturnValues: 'ALL_NEW'`. Without `isLive(Attributes)` there is no item.
 * @throws InvalidInputError where the input has expressions of its own, or the key is a hidden attribute.
 * @example
 * const { Attributes } = await client.send(new UpdateItemCommand(claimInput({ TableName, Key }, nextStamp(lease))));
 */
export function claimInput<I extends ClaimLike>(
  input: I,
  stamp: Stamp,
  options: ClaimOptions = {},
): I & Guarded & { readonly UpdateExpression: string; readonly ReturnValues: 'ALL_NEW' } {
  const { attributes = defaultAttributes, adopt = false } = options;
  refuseExpressions(input);
  refuseHiddenAttributes({ Key: input.Key }, attributes);
  const placeholders = placeholdersBeside({}, formOf(input.Key, 'Key'));
  const keyAttribute = Object.keys(input.Key)[0] as string;
  const conditions = adopt
    ? [unfenced(keyAttribute, attributes, placeholders)]
    : [
        admits({ stamp, keyAttribute, options }, placeholders),
        `(attribute_exists(${placeholders.name(attributes.fence)}) OR attribute_not_exists(${placeholders.name(keyAttribute)}))`,
      ];
  const leaves = adopt ? 'stamp and version' : 'stamp';
  const UpdateExpression = spliceSet(undefined, stampAssignments(stamp, attributes, leaves, placeholders));
  return guarded({ ...input, UpdateExpression, ReturnValues: 'ALL_NEW' as const }, conditions, placeholders);
}

// They would be overwritten, and the caller would believe that they were obeyed.
function refuseExpressions(input: object): void {
  const found = ['ConditionExpression', 'UpdateExpression'].find((name) => name in input);
  if (found === undefined) return;
  throw new InvalidInputError(
    found,
    'a claim takes whatever is there and changes no content',
    'Leave it out, and put it into the write that follows.',
  );
}
