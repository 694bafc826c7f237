import { type Clock, type DynamoDBClientLike, FencedRepository } from 'dynamodb-fenced';
import type { TableDefinition } from 'dynamodb-fenced/testing';
import type { Booking, Marker } from './booking.ts';
import type { Slot } from './slot.ts';

/**
 * The tables, without their names. A slot is in `free` and in `holds` only while it has their keys, and a
 * tombstone has none. Every index projects `_fence` and `_fenceVersion`, which tell deleted items apart.
 */
export const definitions = {
  leases: { partitionKey: 'resource' },
  slots: {
    partitionKey: 'id',
    indexes: [
      {
        indexName: 'free',
        partitionKey: 'freeOn',
        sortKey: { name: 'startsAtMs', type: 'N' },
        projection: ['room', 'endsAtMs', 'status', '_fence', '_fenceVersion'],
      },
      {
        indexName: 'holds',
        partitionKey: 'heldIn',
        sortKey: { name: 'heldUntilMs', type: 'N' },
        projection: ['_fence', '_fenceVersion'],
      },
    ],
  },
  bookings: { partitionKey: 'slot', sortKey: { name: 'token', type: 'N' } },
  markers: { partitionKey: 'customer', sortKey: { name: 'atMs', type: 'N' } },
} as const satisfies Record<string, Omit<TableDefinition, 'tableName'>>;

/** What each table is called. */
export type TableNames = { readonly [Name in keyof typeof definitions]: string };

/** What guards a slot and its bookings. */
export const slotResource = (slot: string) => `slot/${slot}`;

/** What guards the time of a customer. */
export const customerResource = (customer: string) => `customer/${customer}`;

/** What the repositories are made of. */
export interface TablesOptions {
  readonly client: DynamoDBClientLike;
  readonly tableNames: TableNames;
  readonly clock?: Clock;
}

/** The repositories. All are made with one client, because their writes meet in one transaction. */
export function openTables({ client, tableNames, clock }: TablesOptions) {
  const shared = { client, ...(clock === undefined ? {} : { clock }) };
  return {
    slots: new FencedRepository<Slot, 'id'>({
      ...shared,
      tableName: tableNames.slots,
      key: ['id'],
      resource: ({ id }) => slotResource(id),
    }),
    bookings: new FencedRepository<Booking, 'slot' | 'token'>({
      ...shared,
      tableName: tableNames.bookings,
      key: ['slot', 'token'],
      resource: ({ slot }) => slotResource(slot),
    }),
    markers: new FencedRepository<Marker, 'customer' | 'atMs'>({
      ...shared,
      tableName: tableNames.markers,
      key: ['customer', 'atMs'],
      resource: ({ customer }) => customerResource(customer),
    }),
  };
}

export type Tables = ReturnType<typeof openTables>;
