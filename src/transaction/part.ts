import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Item } from '../dynamo/attributes.ts';
import type { Subject } from '../dynamo/item-report.ts';
import type { LeaseCheck } from '../dynamo/lease-check.ts';
import { describeItem, plainKey, type WritePlan } from '../dynamo/plan.ts';
import { stampRefusal } from '../dynamo/refusal-evidence.ts';
import type { Plan, Step } from '../dynamo/step.ts';
import { judge, type Verdict } from '../dynamo/verdict.ts';
import { sessionOf } from '../fence/fence.ts';
import type { Applied, Refusal } from '../fence/result.ts';
import type { Session, Stamp } from '../fence/session.ts';
import { checkStep, type Named } from './named-steps.ts';
import type { StepPlace } from './transact-result.ts';

/** Why a step was refused, or that it was not. */
export type PartVerdict = Verdict | { readonly is: 'lost' };

/** The refusal of one step, whatever its type. */
export type PartRefusal = Refusal & StepPlace;

/** One step of a transaction, as the transaction works with it. */
export interface Part {
  readonly name: string | number;
  readonly path: string;
  readonly session: Session;
  readonly tableName: string;
  readonly key: Item;
  /** The item in words, for errors. */
  readonly item: string;
  /** What it writes; undefined for checks. */
  readonly write: WritePlan<unknown, unknown> | undefined;
  /** Whether it stands in the queue of its item. */
  readonly queued: boolean;
  /** Pure: the same stamp gives the same bytes. */
  build(stamp: Stamp): TransactWriteItem;
  /** Why it was refused, from the item that it met. */
  judge(stamp: Stamp, item: Item | undefined): PartVerdict;
  /** The refusal that a verdict about its content amounts to. */
  refused(reason: string, item: Item | undefined): Refusal;
}

export function partOf(named: Named<Step>): Part {
  checkStep(named);
  const { name, path, step } = named;
  const common = { name, path, session: sessionOf(step.fence) };
  return { ...common, ...('action' in step ? ofPlan(step) : ofLeaseCheck(step)) };
}

type Kind = Omit<Part, 'name' | 'path' | 'session'>;

function ofPlan({ action }: Plan): Kind {
  const { table, key, expects } = action;
  return {
    tableName: table.tableName,
    key,
    item: describeItem(action),
    write: action.verb === 'check' ? undefined : action,
    queued: true,
    build(stamp) {
      if (action.verb === 'check') return { ConditionCheck: action.build(stamp) };
      const { op, input } = action.build(stamp);
      // A transaction answers no items.
      const { ReturnValues, ...rest } = input;
      return op === 'PutItem'
        ? { Put: rest as TransactWriteItem['Put'] }
        : { Update: rest as TransactWriteItem['Update'] };
    },
    judge: (stamp, item) => judge(stamp, item, expects, table.attributes, table.unfenced),
    refused: (reason, item) =>
      action.refused(reason as Parameters<typeof action.refused>[0], item) as Refusal,
  };
}

function ofLeaseCheck(check: LeaseCheck): Kind {
  const { TableName = '', Key = {} } = check.conditionCheck;
  const { resource, token, holder } = check.fence;
  return {
    tableName: TableName,
    key: Key,
    item: `the lease on ${resource}`,
    write: undefined,
    queued: false,
    build: () => ({ ConditionCheck: check.conditionCheck }),
    judge: (_, item) => check.explain(item),
    refused: () => ({ ok: false, reason: 'lost', resource, token, holder }) as Refusal,
  };
}

/** What the caller is told of a step that was refused. */
export function partRefusal(
  part: Part,
  verdict: PartVerdict,
  item: Item | undefined,
  stamp: Stamp,
  applied: Applied,
): PartRefusal {
  const refusal =
    'seen' in verdict
      ? { ...stampRefusal(stamp, verdict.seen, applied), reason: verdict.is }
      : part.refused(verdict.is, item);
  return placed(part, refusal);
}

/** A refusal with its place. */
export function placed({ name, tableName, key }: Part, refusal: Refusal): PartRefusal {
  return { ...refusal, step: name, tableName, key: plainKey(key) };
}

/** What a step is about, for those who listen. */
export function subjectOfPart({ name, session, write, tableName, key }: Part): Subject {
  return { session, verb: write?.verb ?? 'check', tableName, key, step: name };
}
