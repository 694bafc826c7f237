import type { Item } from '../dynamo/attributes.ts';
import { claimExpects, claimRequest } from '../dynamo/claim-request.ts';
import type { WritePlan } from '../dynamo/plan.ts';
import type { ClaimResult } from '../fence/result.ts';
import type { Stamp } from '../fence/session.ts';
import type { Table } from './table.ts';

type Claimed<T> = Extract<ClaimResult<T>, { readonly ok: true }>;

/** Raises the fence of an item, or of its absence, and reads it in the same request. */
export function claimPlan<T extends object, K extends keyof T>(
  table: Table<T, K>,
  identity: Pick<T, K>,
): WritePlan<Claimed<T>, never> {
  const key = table.keyOf(identity);
  const claimed = (item: Item | undefined, stamp: Stamp, replayed: boolean): Claimed<T> => {
    const seen = table.view(item);
    return { ok: true, item: seen?.item, version: seen?.version, token: stamp.token, replayed };
  };
  return {
    verb: 'claim',
    table,
    key,
    expects: claimExpects,
    build: (stamp, met) => claimRequest(table, key, stamp, met),
    done: (attributes, stamp) => claimed(attributes, stamp, false),
    replayed: (item, stamp) => claimed(item, stamp, true),
    refused: (reason) => {
      throw new Error(`a claim has no content condition that could fail, yet it was refused as ${reason}`);
    },
  };
}
