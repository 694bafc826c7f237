import { type WireOptions, wireOf, wireOptions } from '../../dynamo/client.ts';
import { anything, checkOptions, flag, type OptionChecks } from '../../fence/options.ts';
import type { CanCheck, CanInspect, CanRaise, CanTakeOver, TokenSource } from '../token-source.ts';
import { check } from './dynamo/check.ts';
import { acquire, takeOver } from './dynamo/grant.ts';
import { inspect } from './dynamo/inspect.ts';
import { type LeaseTableOptions, leaseTable } from './dynamo/lease-table.ts';
import { raise } from './dynamo/raise.ts';
import { release } from './dynamo/release.ts';
import { renew } from './dynamo/renew.ts';

/** What {@link dynamoTokenSource} takes. */
export interface DynamoTokenSourceOptions extends WireOptions, LeaseTableOptions {
  /** Whether the table can take part in transactions, as is the default: {@link UncheckedDynamoTokenSourceOptions} say no. */
  readonly transactions?: true;
}

/** For tables with multi-Region strong consistency, which refuse TransactWriteItems. There is no `leases.check` then. */
export interface UncheckedDynamoTokenSourceOptions extends WireOptions, LeaseTableOptions {
  readonly transactions: false;
}

const sourceOptions: OptionChecks<DynamoTokenSourceOptions | UncheckedDynamoTokenSourceOptions> = {
  ...wireOptions,
  tableName: anything,
  names: anything,
  key: anything,
  transactions: flag,
};

/** Leases in a DynamoDB table that takes part in no transaction. */
export interface UncheckedDynamoTokenSource extends TokenSource, CanTakeOver, CanInspect, CanRaise {}

/** Leases in a DynamoDB table. */
export interface DynamoTokenSource extends UncheckedDynamoTokenSource, CanCheck {}

/**
 * Keeps leases in a DynamoDB table, one row per resource: `resource` S, the partition key; `token` N, the
 * counter; and while somebody holds it `holder` S, `expiresAtMs` N and `data`.
 *
 * The row is the counter and must live for ever: no TTL on this table, no DeleteItem, no eventually
 * consistent replica that is written to. It costs one request (1 WCU) per acquire, renewal and release, a
 * refused acquire included; `inspect` costs one consistent read.
 *
 * @param options `client`: a DynamoDBClient or DynamoDBDocumentClient; `tableName`; `names` and `key` for tables that look
 * otherwise; `transactions`: whether the table takes part in them, default true; `clock` and `random` for tests, default
 * the system's.
 * @returns a source for `LeaseManager`; one that cannot check, where `transactions` is false.
 * @throws InvalidInputError where an option cannot work.
 * @example
 * const leases = new LeaseManager({ source: dynamoTokenSource({ client, tableName: 'leases' }), ttlMs: 10_000 });
 */
export function dynamoTokenSource(options: UncheckedDynamoTokenSourceOptions): UncheckedDynamoTokenSource;
export function dynamoTokenSource(options: DynamoTokenSourceOptions): DynamoTokenSource;
export function dynamoTokenSource(
  options: DynamoTokenSourceOptions | UncheckedDynamoTokenSourceOptions,
): DynamoTokenSource | UncheckedDynamoTokenSource {
  const checked = checkOptions(options, sourceOptions);
  const wire = wireOf(checked);
  const table = leaseTable(checked);
  const source: UncheckedDynamoTokenSource = {
    acquire: (request, deadline) => acquire(wire, table, request, deadline),
    renew: (request, deadline) => renew(wire, table, request, deadline),
    release: (request, deadline) => release(wire, table, request, deadline),
    takeOver: (request, deadline) => takeOver(wire, table, request, deadline),
    inspect: (resource, deadline) => inspect(wire, table, resource, deadline),
    raise: (request, deadline) => raise(wire, table, request, deadline),
  };
  if (checked.transactions === false) return source;
  return { ...source, check: (fence) => check(wire, table, fence) };
}
