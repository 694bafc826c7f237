import { dynamoTokenSource, LeaseManager } from 'dynamodb-fenced';
import { tableNamesFrom } from 'dynamodb-fenced/lambda';
import type { Surroundings } from '../../edge/in-lambda.ts';
import { Ledger } from '../ledger.ts';

/** How long the ledger has an account at a time, in ms; clients borrow them for longer. */
const TTL_MS = 10_000;

/** The ledger, on the tables that its environment names. */
export function openLedger({ env, client }: Pick<Surroundings, 'env' | 'client'>) {
  const tableNames = tableNamesFrom(['leases', 'accounts', 'entries', 'lines'], env);
  const source = dynamoTokenSource({ client, tableName: tableNames.leases });
  const leases = new LeaseManager({ source, ttlMs: TTL_MS });
  return { leases, ledger: new Ledger({ client, tableNames, leases }) };
}
