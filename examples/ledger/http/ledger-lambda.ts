import { dynamoTokenSource, LeaseManager } from 'dynamodb-fenced';
import { apiGatewayV2 } from 'dynamodb-fenced/http';
import { tableNamesFrom } from 'dynamodb-fenced/lambda';
import type { Surroundings } from '../../edge/in-lambda.ts';
import { Ledger } from '../ledger.ts';
import { ledgerApi } from './ledger-api.ts';

/** How long the ledger has an account at a time, in ms; clients borrow them for longer. */
const TTL_MS = 10_000;

/** The ledger for an API Gateway HTTP API. Where it finds what it needs, its surroundings say. */
export function ledgerLambda({ env, client, seals }: Surroundings) {
  const tableNames = tableNamesFrom(['leases', 'accounts', 'entries', 'lines'], env);
  const source = dynamoTokenSource({ client, tableName: tableNames.leases });
  const leases = new LeaseManager({ source, ttlMs: TTL_MS });
  const ledger = new Ledger({ client, tableNames, leases });
  return apiGatewayV2(async (request) => ledgerApi({ ledger, leases, seals: await seals() })(request));
}
