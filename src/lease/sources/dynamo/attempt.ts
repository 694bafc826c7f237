import type { Item } from '../../../dynamo/attributes.ts';
import type { Wire } from '../../../dynamo/client.ts';
import { Copies, type Delivery, deliver } from '../../../dynamo/deliver.ts';
import type { Request } from '../../../dynamo/send.ts';
import { unavailable } from '../../../dynamo/unavailable.ts';
import type { Deadline } from '../../../fence/deadline.ts';
import { isFencingError } from '../../../fence/errors.ts';
import type { Undecided } from '../../token-source.ts';
import type { LeaseTable } from './lease-table.ts';

export type Decided = Extract<Delivery, { readonly is: 'done' | 'refused' }>;

/**
 * Delivers a request of a lease row. Whatever leaves it undecided becomes an answer, because the manager
 * decides how long to go on.
 *
 * @throws what will never succeed: missing permissions, no such table; the reason of the caller's signal.
 */
export async function attempt(
  wire: Wire,
  request: Request,
  deadline: Deadline,
  copies: Copies,
): Promise<Decided | Undecided> {
  try {
    const delivery = await deliver(wire, request, deadline, copies);
    if (delivery.is === 'done' || delivery.is === 'refused') return delivery;
    const { error } = delivery;
    const obstacle = delivery.is === 'contention' ? delivery.obstacle : undefined;
    return {
      is: 'undecided',
      applied: copies.applied,
      error: obstacle === undefined ? error : unavailable(request, obstacle, error),
    };
  } catch (error) {
    if (!isFencingError(error) || error.code !== 'unavailable') throw error;
    return { is: 'undecided', applied: copies.applied, error };
  }
}

export interface Found {
  readonly is: 'found';
  readonly item: Item | undefined;
}

/** The row that refused a request: from the refusal itself, or, where the engine shows none, from a consistent read. */
export async function refusingRow(
  wire: Wire,
  table: LeaseTable,
  resource: string,
  refusal: Extract<Delivery, { readonly is: 'refused' }>,
  deadline: Deadline,
  copies: Copies,
): Promise<Found | Undecided> {
  if (refusal.item !== undefined) return { is: 'found', item: refusal.item };
  const row = await readRow(wire, table, resource, deadline);
  return row.is === 'undecided' ? { ...row, applied: copies.applied } : row;
}

export async function readRow(
  wire: Wire,
  table: LeaseTable,
  resource: string,
  deadline: Deadline,
): Promise<Found | Undecided> {
  const input = { TableName: table.tableName, Key: table.keyOf(resource), ConsistentRead: true };
  const read = await attempt(wire, { op: 'GetItem', input }, deadline, new Copies(wire.random.nonce()));
  if (read.is === 'done') return { is: 'found', item: read.output.Item };
  if (read.is === 'undecided') return read;
  return { is: 'undecided', applied: 'no', error: read.error };
}
