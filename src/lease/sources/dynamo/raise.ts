import type { Wire } from '../../../dynamo/client.ts';
import type { Deadline } from '../../../fence/deadline.ts';
import { wallTimeMs } from '../../../fence/wall-time.ts';
import { nextToken } from '../../next-token.ts';
import type { Raised, RaiseRequest, Undecided } from '../../token-source.ts';
import { raiseInput } from './lease-requests.ts';
import type { LeaseTable } from './lease-table.ts';
import { rounds } from './rounds.ts';

/** Raises the counter: one request, and one more for each time that the row turns out to be further. */
export async function raise(
  wire: Wire,
  table: LeaseTable,
  { resource, above }: RaiseRequest,
  deadline: Deadline,
): Promise<Raised | Undecided> {
  let floor = above;
  let token: Raised['token'];
  return rounds<Raised>(wire, table, deadline, {
    resource,
    ask() {
      token = nextToken(resource, wallTimeMs(wire.clock), floor);
      return raiseInput(table, resource, token);
    },
    accepted: () => ({ is: 'raised', token }),
    refused(row) {
      // What the request would have left: an earlier copy of it did, or somebody else's.
      if (row?.token === token && row.grant === undefined) return { is: 'raised', token };
      floor = Math.max(floor, row?.token ?? 0);
      return undefined;
    },
  });
}
