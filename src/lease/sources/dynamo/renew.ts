import type { Wire } from '../../../dynamo/client.ts';
import type { Deadline } from '../../../fence/deadline.ts';
import { wallTimeMs } from '../../../fence/wall-time.ts';
import type { Gone, Newer, Renewed, RenewRequest, Undecided } from '../../token-source.ts';
import { renewInput } from './lease-requests.ts';
import type { LeaseTable } from './lease-table.ts';
import { rounds } from './rounds.ts';

/** Prolongs a grant: one request. All its copies name the same end, so it does not matter which one arrives. */
export async function renew(
  wire: Wire,
  table: LeaseTable,
  request: RenewRequest,
  deadline: Deadline,
): Promise<Renewed | Gone | Newer | Undecided> {
  const { resource, token, holder, ttlMs } = request;
  const expiresAtMs = Math.ceil(wallTimeMs(wire.clock) + ttlMs);
  const input = renewInput(table, request, expiresAtMs);
  return rounds<Renewed | Gone | Newer>(wire, table, deadline, {
    resource,
    ask: () => input,
    accepted: () => ({ is: 'renewed', expiresAtMs }),
    refused(row, applied) {
      if (row === undefined) return { is: 'lost' };
      if (row.token > token) {
        return { is: 'fenced', lastToken: row.token, lastHolder: row.grant?.holder, applied };
      }
      if (row.token < token || row.grant?.holder !== holder) return { is: 'lost' };
      // Ours, and good for longer than what was asked: the clock was set back, or a later renewal overtook this one.
      if (row.grant.expiresAtMs > expiresAtMs) {
        return { is: 'renewed', expiresAtMs: row.grant.expiresAtMs };
      }
      return undefined;
    },
  });
}
