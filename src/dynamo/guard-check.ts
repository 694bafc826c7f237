import { InvalidInputError } from '../fence/errors.ts';
import type { Stamp } from '../fence/session.ts';
import { defaultAttributes } from './attributes.ts';
import type { UpdateLike } from './guard.ts';
import { refuseHiddenAttributes } from './guard-checks.ts';
import { type FencingOptions, type Guarded, guarded } from './guarded.ts';
import { formOf } from './input-form.ts';
import { placeholdersBeside } from './placeholders.ts';
import { writeConditions } from './write-condition.ts';

/** What {@link guardCheck} needs: the ConditionCheck of a transaction, whose condition may be left out. */
export type CheckLike = Omit<UpdateLike, 'UpdateExpression'>;

/** What {@link guardCheck} is told beside the check. */
export interface GuardCheckOptions extends FencingOptions {
  /** What must be there: a live item, the default, or none that users see. */
  readonly as?: 'check' | 'check-absent';
}

/**
 * Turns a ConditionCheck of your own into a fenced one: the transaction goes through only if no newer holder
 * has written this item, it is there (or is not, with `check-absent`), and your own condition holds. Pure,
 * like `guard`. A check leaves no trace: it raises no fence, and keeps nobody out afterwards. Costs 2 WCU per KB of
 * the item, in a transaction.
 *
 * @param input the ConditionCheck of a transaction, in the form of either client.
 * @param stamp from `nextStamp(fence)`: the same one for all actions of a transaction under one fence.
 * @param options how the table keeps its fences, `ifVersion`, and what must be there.
 * @returns the ConditionCheck to send.
 * @throws InvalidInputError as `guard` does.
 * @example
 * const stamp = nextStamp(lease);
 * const TransactItems = [{ Update: guard(update, stamp) }, { ConditionCheck: guardCheck({ TableName, Key }, stamp) }];
 */
export function guardCheck<I extends CheckLike>(
  input: I,
  stamp: Stamp,
  options: GuardCheckOptions = {},
): I & Guarded {
  const { attributes = defaultAttributes, as = 'check' } = options;
  refuseChanges(input);
  refuseHiddenAttributes(input, attributes);
  const { Key = {} } = input;
  const placeholders = placeholdersBeside(input, formOf(Key, 'Key'));
  const needs = as === 'check' ? 'live' : 'absent';
  const keyAttribute = Object.keys(Key)[0];
  const conditions = writeConditions({ stamp, needs, keyAttribute, options, caller: input }, placeholders);
  return guarded(input, conditions, placeholders);
}

// As an Update with only a condition it would be taken for a check, and its change be lost.
function refuseChanges(input: object): void {
  const found = ['UpdateExpression', 'Item'].find((name) => name in input);
  if (found === undefined) return;
  throw new InvalidInputError(found, 'a check changes nothing', 'Use guard() for a Put or an Update.');
}
