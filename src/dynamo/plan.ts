import type { ConditionCheck } from '@aws-sdk/client-dynamodb';
import type { Stamp } from '../fence/session.ts';
import type { UnfencedPolicy } from './admission.ts';
import type { HiddenAttributes, Item } from './attributes.ts';
import { parseDecimal } from './decimal.ts';
import type { Request } from './send.ts';
import type { ContentReason, Expectation } from './verdict.ts';

/** How often a write is asked again when the item that is there does not explain its refusal. */
export const ROUNDS = 5;

/** How one table keeps its fences. */
export interface FencedTable {
  readonly tableName: string;
  readonly attributes: HiddenAttributes;
  readonly unfenced: UnfencedPolicy;
}

/** What is asked of one item, and what it means where that does not hold. */
export interface ItemPlan<Refused> {
  readonly table: FencedTable;
  readonly key: Item;
  readonly expects: Expectation;
  /** The refusal, with the item that did not meet the condition; for `not-found` there is none. */
  refused(reason: ContentReason, item: Item | undefined): Refused;
}

/**
 * One verb on one item, as a value: what to send for a stamp, and what its outcomes mean. It can be sent
 * alone, or with others in a transaction. `Done` is the success, `Refused` what it may answer when its
 * content condition fails.
 */
export interface WritePlan<Done, Refused> extends ItemPlan<Refused> {
  readonly verb: 'create' | 'put' | 'update' | 'delete' | 'claim';
  /**
   * Pure: the same stamp gives the same bytes. Only a claim looks at `met`, the item that refused its
   * previous request, because it has two.
   */
  build(stamp: Stamp, met?: Item): Extract<Request, { readonly op: 'PutItem' | 'UpdateItem' }>;
  /** The success, from the attributes that the request returned, if it returned any. */
  done(attributes: Item | undefined, stamp: Stamp): Done;
  /** The success of an earlier copy, from the item as it is now. */
  replayed(item: Item | undefined, stamp: Stamp): Done;
}

/** A condition on one item that is written by nobody, as a step of a transaction. */
export interface CheckPlan<Refused> extends ItemPlan<Refused> {
  readonly verb: 'check';
  /** Pure: the same stamp gives the same bytes. */
  build(stamp: Stamp): ConditionCheck;
}

/**
 * Names the queue that a write must stand in: two writes of one holder to one item must arrive in the order
 * of their numbers. Tables of one name at two endpoints share a queue, which costs a little concurrency
 * and no correctness.
 */
export function queueKey({ table, key }: Pick<ItemPlan<unknown>, 'table' | 'key'>): string {
  return placeText(table.tableName, key);
}

/** An item's place as text: equal for equal places, whether the table goes by its name or by its ARN. */
export function placeText(tableName: string, key: Item): string {
  return `${tableName.replace(/^arn:.*:table\//, '')} ${keyText(key)}`;
}

/** A key as text: equal for equal keys. A number has many spellings, and DynamoDB answers with one of its own. */
export function keyText(key: Item): string {
  const parts = Object.keys(key)
    .sort()
    .map((name) => {
      const { S, N, B } = key[name] ?? {};
      if (S !== undefined) return [name, 'S', S];
      if (N !== undefined) return [name, 'N', parseDecimal(N) ?? N];
      return [name, 'B', [...(B ?? [])]];
    });
  return JSON.stringify(parts);
}

/** An item in words, for errors: `accounts {"id":"a1"}`. */
export function describeItem({ table, key }: Pick<ItemPlan<unknown>, 'table' | 'key'>): string {
  return `${table.tableName} ${JSON.stringify(plainKey(key))}`;
}

/** A key as JSON can carry it, for people and logs. Numbers are given as their text, binary as base64. */
export function plainKey(key: Item): Readonly<Record<string, string>> {
  const entries = Object.entries(key);
  return Object.fromEntries(
    entries.map(([name, { S, N, B }]) => [name, S ?? N ?? Buffer.from(B ?? []).toString('base64')]),
  );
}
