import type { Wire } from '../../../dynamo/client.ts';
import type { LeaseCheck } from '../../../dynamo/lease-check.ts';
import type { Fence } from '../../../fence/fence.ts';
import { conditionCheck } from './lease-requests.ts';
import { leaseRow } from './lease-row.ts';
import type { LeaseTable } from './lease-table.ts';

/** The lease as a step of a transaction. Pure: it costs nothing until a transaction sends it. */
export function check(wire: Wire, table: LeaseTable, fence: Fence): LeaseCheck {
  const { resource, token, holder } = fence;
  return {
    fence,
    wire,
    conditionCheck: conditionCheck(table, fence),
    explain(item) {
      if (item === undefined) return { is: 'lost' };
      const row = leaseRow(item, resource, table);
      if (row.token > token) {
        return { is: 'fenced', seen: { lastToken: row.token, lastHolder: row.grant?.holder } };
      }
      const stands = row.token === token && row.grant?.holder === holder;
      return { is: stands ? 'unexplained' : 'lost' };
    },
  };
}
