import type { TableDefinition } from 'dynamodb-fenced/testing';

/**
 * The tables, without their names. The journal is kept twice: `entries` finds a transfer by its idempotency key,
 * `lines` has each account's side of it in order. An index on the entries would not do for statements: an entry
 * has two accounts, and an index lags behind, so a reader who goes on from a cursor would miss what comes late.
 */
export const definitions = {
  leases: { partitionKey: 'resource' },
  accounts: { partitionKey: 'id' },
  entries: { partitionKey: 'id' },
  lines: { partitionKey: 'account', sortKey: { name: 'token', type: 'N' } },
} as const satisfies Record<string, Omit<TableDefinition, 'tableName'>>;
