import { type Clock, type DynamoDBClientLike, FencedRepository } from 'dynamodb-fenced';
import type { Booking, Marker } from './booking.ts';
import type { definitions } from './definitions.ts';
import type { Slot } from './slot.ts';

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
