import type { Wire } from '../../../dynamo/client.ts';
import { Copies } from '../../../dynamo/deliver.ts';
import type { Deadline } from '../../../fence/deadline.ts';
import type { Released, ReleaseRequest, Undecided } from '../../token-source.ts';
import { attempt } from './attempt.ts';
import { giveUpInput, releaseInput } from './lease-requests.ts';
import type { LeaseTable } from './lease-table.ts';

/** Ends a grant: one request. A refusal says that it was over already, whoever ended it, so it is none. */
export async function release(
  wire: Wire,
  table: LeaseTable,
  { resource, holder, token }: ReleaseRequest,
  deadline: Deadline,
): Promise<Released | Undecided> {
  const input =
    token === undefined
      ? giveUpInput(table, resource, holder)
      : releaseInput(table, { resource, holder, token });
  const copies = new Copies(wire.random.nonce());
  const sent = await attempt(wire, { op: 'UpdateItem', input }, deadline, copies);
  return sent.is === 'undecided' ? sent : { is: 'released' };
}
