import type { TableDefinition } from 'dynamodb-fenced/testing';

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
