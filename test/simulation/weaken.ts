import type { Input, Op } from './ask.ts';
import type { Operation } from './operations.ts';
import type { Row } from './storage.ts';

export interface WeakRequest {
  readonly op: Op;
  readonly input: Input;
}

/** Turns a request of the library into what a weaker protocol would have sent. `row` is what it meets. */
export type Weakness = (op: Op, input: Input, row: Row | undefined) => WeakRequest;

export interface ItemWeakness {
  readonly name: string;
  readonly weakness: Weakness;
  /** Where it shows, and as what. */
  readonly start: 'absent' | 'unfenced' | 'tombstone' | 'live';
  readonly programs: readonly (readonly Operation[])[];
  readonly promise: RegExp;
}

/** Protocols that leave one rule out. A search that cannot tell them from the real one proves nothing. */
export const itemWeaknesses: readonly ItemWeakness[] = [
  {
    name: 'no fence',
    weakness: rewriteAdmission(() => 'attribute_exists(FENCE) OR attribute_not_exists(FENCE)'),
    start: 'live',
    programs: [['add'], ['put']],
    promise: /older token|applied twice/,
  },
  {
    name: '`<` only',
    weakness: rewriteAdmission((old) => old.replace(/ OR \(\S+ = \S+ AND .*\)$/, '')),
    start: 'live',
    programs: [['upsert', 'upsert']],
    promise: /every answer arrived/,
  },
  {
    name: 'no seq',
    weakness: rewriteAdmission((old) => old.replace(/ OR \((\S+) = (\S+) AND .*\)$/, ' OR $1 = $2')),
    start: 'live',
    programs: [['add']],
    promise: /applied twice/,
  },
  {
    name: 'hard delete',
    weakness: (op, input) => (isTombstone(op, input) ? hardDelete(input) : { op, input }),
    start: 'live',
    programs: [['create'], ['delete']],
    promise: /older token|applied twice/,
  },
  {
    name: 'no claim on absent keys',
    weakness: (op, input, row) =>
      isClaim(op, input) && row === undefined
        ? { op: 'GetItem', input: { TableName: input.TableName, Key: input.Key } }
        : { op, input },
    start: 'absent',
    programs: [['create'], ['claim', 'overwrite']],
    promise: /an update was lost/,
  },
];

// The admission is the first group of a guarded condition, and names the fence first.
function rewriteAdmission(rewrite: (admission: string) => string): Weakness {
  return (op, input) => {
    const condition: string | undefined = input.ConditionExpression;
    if (condition === undefined) return { op, input };
    const end = endOfGroup(condition);
    const admission = condition.slice(1, end);
    const fence = /#\w+/.exec(admission)?.[0] ?? '';
    if (!admission.includes(' < ')) return { op, input };
    const weaker = `(${rewrite(admission).replaceAll('FENCE', fence)})${condition.slice(end + 1)}`;
    return { op, input: withoutUnused({ ...input, ConditionExpression: weaker }) };
  };
}

function endOfGroup(condition: string): number {
  let depth = 0;
  for (const [index, character] of [...condition].entries()) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth === 0) return index;
  }
  throw new Error(`unbalanced: ${condition}`);
}

// A placeholder that nothing uses is an error.
function withoutUnused(input: Input): Input {
  const text = `${input.ConditionExpression} ${input.UpdateExpression ?? ''}`;
  const used = (map: object) =>
    Object.fromEntries(Object.entries(map).filter(([name]) => new RegExp(`${name}\\b`).test(text)));
  const ExpressionAttributeNames = used(input.ExpressionAttributeNames);
  const values = used(input.ExpressionAttributeValues);
  const { ExpressionAttributeValues: _, ...rest } = input;
  return {
    ...rest,
    ExpressionAttributeNames,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

/** The same for each write of a transaction, and for what is sent alone. */
export function inTransactions(weakness: Weakness) {
  return (op: Op, input: Input): WeakRequest => {
    if (op !== 'TransactWriteItems') return weakness(op, input, undefined);
    const TransactItems = input.TransactItems.map(({ Update }: { Update: Input }) => ({
      Update: weakness('UpdateItem', Update, undefined).input,
    }));
    return { op, input: { ...input, TransactItems } };
  };
}

function isTombstone(op: Op, { Item }: Input): boolean {
  return op === 'PutItem' && Item._fenceVersion === undefined;
}

function hardDelete({ Item: { id }, ...input }: Input): WeakRequest {
  return { op: 'DeleteItem', input: { ...input, Key: { id } } };
}

function isClaim(op: Op, { ExpressionAttributeNames, UpdateExpression }: Input): boolean {
  if (op !== 'UpdateItem') return false;
  const assigned = [...UpdateExpression.matchAll(/(#\w+) = /g)].map(
    ([, name]) => ExpressionAttributeNames[name],
  );
  return assigned.join() === '_fence,_fenceHolder,_fenceSeq';
}

/** A renewal that does not ask whether the grant is still its own. */
export const renewWithoutGrantCheck: Weakness = (op, input) => {
  const isRenewal = input.UpdateExpression === 'SET #expiresAtMs = :expiresAtMs';
  if (!isRenewal) return { op, input };
  const { ':expiresAtMs': end } = input.ExpressionAttributeValues;
  return {
    op,
    input: {
      ...input,
      ConditionExpression: 'attribute_exists(#expiresAtMs)',
      ExpressionAttributeNames: { '#expiresAtMs': 'expiresAtMs' },
      ExpressionAttributeValues: { ':expiresAtMs': end },
    },
  };
};
