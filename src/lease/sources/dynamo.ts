import { type WireOptions, wireOf, wireOptions } from '../../dynamo/client.ts';
import { anything, checkOptions, type OptionChecks } from '../../fence/options.ts';
import type { CanCheck, CanInspect, CanRaise, CanTakeOver, TokenSource } from '../token-source.ts';
import { check } from './dynamo/check.ts';
import { acquire, takeOver } from './dynamo/grant.ts';
import { inspect } from './dynamo/inspect.ts';
import { type LeaseTableOptions, leaseTable } from './dynamo/lease-table.ts';
import { raise } from './dynamo/raise.ts';
import { release } from './dynamo/release.ts';
import { renew } from './dynamo/renew.ts';

/** What {@link dynamoTokenSource} takes. */
export interface DynamoTokenSourceOptions extends WireOptions, LeaseTableOptions {}

const sourceOptions: OptionChecks<DynamoTokenSourceOptions> = {
  ...wireOptions,
  tableName: anything,
  names: anything,
  key: anything,
};

/** Leases in a DynamoDB table. */
export interface DynamoTokenSource extends TokenSource, CanTakeOver, CanInspect, CanRaise, CanCheck {}

/**
 * Keeps leases in a DynamoDB table, one row per resource: `resource` S, the partition key; `token` N, the
 * counter; and while somebody holds it `holder` S, `expiresAtMs` N and `data`.
 *
 * The row is the counter and must live for ever: no TTL on this table, no DeleteItem, no eventually
 * consistent replica that is written to. It costs one request (1 WCU) per acquire, renewal and release, a
 * refused acquire included; `inspect` costs one consistent read.
 *
 * @param options `client`: a DynamoDBClient or DynamoDBDocumentClient; `tableName`; `names` and `key` for tables that look
 * otherwise; `clock` and `random` for tests, default the system's.
 * @returns a source for `LeaseManager`.
 * @throws InvalidInputError where an option cannot work.
 * @example
 * const leases = new LeaseManager({ source: dynamoTokenSource({ client, tableName: 'leases' }), ttlMs: 10_000 });
 */
export function dynamoTokenSource(options: DynamoTokenSourceOptions): DynamoTokenSource {
  const checked = checkOptions(options, sourceOptions);
  const wire = wireOf(checked);
  const table = leaseTable(checked);
  return {
    acquire: (request, deadline) => acquire(wire, table, request, deadline),
    renew: (request, deadline) => renew(wire, table, request, deadline),
    release: (request, deadline) => release(wire, table, request, deadline),
    takeOver: (request, deadline) => takeOver(wire, table, request, deadline),
    inspect: (resource, deadline) => inspect(wire, table, resource, deadline),
    raise: (request, deadline) => raise(wire, table, request, deadline),
    check: (fence) => check(wire, table, fence),
  };
}
