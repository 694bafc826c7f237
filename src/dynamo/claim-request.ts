import type { Stamp } from '../fence/session.ts';
import { type Item, isLive } from './attributes.ts';
import { claimInput } from './claim-input.ts';
import { own } from './own.ts';
import type { FencedTable } from './plan.ts';
import type { Request } from './send.ts';
import type { Expectation } from './verdict.ts';

/** A claim takes whatever is there. */
export const claimExpects: Expectation = { live: 'any', ifVersion: undefined, conditional: false };

/**
 * What claims an item: the plain claim, or, where an earlier one met an item that was never fenced, the
 * claim that adopts it.
 *
 * @param met the item that refused the claim before this one; undefined for the first.
 */
export function claimRequest(
  { tableName, attributes, unfenced }: FencedTable,
  key: Item,
  stamp: Stamp,
  met: Item | undefined,
): Extract<Request, { readonly op: 'UpdateItem' }> {
  const adopt = met !== undefined && isLive(met, attributes) && own(met, attributes.fence) === undefined;
  const input = claimInput({ TableName: tableName, Key: key }, stamp, { attributes, unfenced, adopt });
  return { op: 'UpdateItem', input };
}
