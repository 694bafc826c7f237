import type { ConditionCheck, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Stamp } from '../fence/session.ts';
import type { Action } from './actions.ts';

/** The one action that does what all steps on its item ask for: the write, if there is one, under every condition. */
export function mergedAction({ parts, writer }: Action, stampOf: (part: Action['parts'][number]) => Stamp) {
  const base = writer ?? parts[0];
  if (base === undefined) throw new Error('an action has a step');
  const built = base.build(stampOf(base));
  return parts
    .filter((part) => part !== base)
    .reduce(
      (action, part, index) => underCondition(action, part.build(stampOf(part)).ConditionCheck, index),
      built,
    );
}

/** Adds the condition of a check to an action on the same item. */
function underCondition(
  action: TransactWriteItem,
  check: ConditionCheck | undefined,
  index: number,
): TransactWriteItem {
  const [[kind, input] = []] = Object.entries(action) as [string, ConditionCheck][];
  if (kind === undefined || input === undefined || check === undefined) return action;
  const { condition, names, values } = renamed(check, `check${index}_`);
  return {
    [kind]: {
      ...input,
      ConditionExpression: `${input.ConditionExpression} AND (${condition})`,
      ExpressionAttributeNames: { ...input.ExpressionAttributeNames, ...names },
      ExpressionAttributeValues: { ...input.ExpressionAttributeValues, ...values },
    },
  };
}

// Both sides number their placeholders from nothing. A condition holds no text but placeholders, names and words,
// so whatever begins with # or : is a placeholder.
function renamed(check: ConditionCheck, prefix: string) {
  const rename = (placeholder: string) => `${placeholder[0]}${prefix}${placeholder.slice(1)}`;
  const renameKeys = <Value>(map: Record<string, Value> = {}) =>
    Object.fromEntries(Object.entries(map).map(([placeholder, value]) => [rename(placeholder), value]));
  return {
    condition: (check.ConditionExpression ?? '').replace(/[#:]\w+/g, rename),
    names: renameKeys(check.ExpressionAttributeNames),
    values: renameKeys(check.ExpressionAttributeValues),
  };
}
