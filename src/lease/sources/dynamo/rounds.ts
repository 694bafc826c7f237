import type { Item } from '../../../dynamo/attributes.ts';
import type { Wire } from '../../../dynamo/client.ts';
import { Copies } from '../../../dynamo/deliver.ts';
import { ROUNDS } from '../../../dynamo/plan.ts';
import type { Request } from '../../../dynamo/send.ts';
import type { Deadline } from '../../../fence/deadline.ts';
import type { Applied } from '../../../fence/result.ts';
import type { Undecided } from '../../token-source.ts';
import { attempt, refusingRow } from './attempt.ts';
import { type LeaseRow, leaseRow } from './lease-row.ts';
import type { LeaseTable } from './lease-table.ts';

/** One question to a lease row, and what its answers mean. */
export interface Question<Answer> {
  readonly resource: string;
  /** The request of this round. It may differ from round to round, by what the last refusal has shown. */
  ask(): Extract<Request, { readonly op: 'UpdateItem' }>['input'];
  accepted(): Answer;
  /**
   * Why the row refused, or undefined where it would not refuse now, or not the next request: then that is sent.
   *
   * @param applied whether an earlier copy of this call's requests may have been, or may still be, applied.
   */
  refused(row: LeaseRow | undefined, applied: Applied): Answer | undefined;
}

/** Asks until the answer is explained, a bounded number of times. */
export async function rounds<Answer>(
  wire: Wire,
  table: LeaseTable,
  deadline: Deadline,
  { resource, ask, accepted, refused }: Question<Answer>,
): Promise<Answer | Undecided> {
  const copies = new Copies(wire.random.nonce());
  for (let round = 1; round <= ROUNDS; round++) {
    const sent = await attempt(wire, { op: 'UpdateItem', input: ask() }, deadline, copies);
    if (sent.is === 'undecided') return sent;
    if (sent.is === 'done') return accepted();
    const found = await refusingRow(wire, table, resource, sent, deadline, copies);
    if (found.is === 'undecided') return found;
    const answer = refused(rowOf(found.item, resource, table), copies.applied);
    if (answer !== undefined) return answer;
  }
  const error = new Error(`the lease row of ${resource} changed ${ROUNDS} times under the request`);
  return { is: 'undecided', applied: copies.applied, error };
}

function rowOf(item: Item | undefined, resource: string, table: LeaseTable): LeaseRow | undefined {
  return item === undefined ? undefined : leaseRow(item, resource, table);
}
