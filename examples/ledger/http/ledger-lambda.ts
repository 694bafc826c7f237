import { apiGatewayV2 } from 'dynamodb-fenced/http';
import type { Surroundings } from '../../edge/in-lambda.ts';
import { ledgerApi } from './ledger-api.ts';
import { openLedger } from './open-ledger.ts';

/** The ledger for an API Gateway HTTP API. Where it finds what it needs, its surroundings say. */
export function ledgerLambda(surroundings: Surroundings) {
  const opened = openLedger(surroundings);
  return apiGatewayV2(async (request) => {
    const seals = await surroundings.seals();
    return ledgerApi({ ...opened, seals })(request);
  });
}
