import { dynamoTokenSource, LeaseManager } from 'dynamodb-fenced';
import { apiGatewayV2 } from 'dynamodb-fenced/http';
import { tableNamesFrom } from 'dynamodb-fenced/lambda';
import type { Surroundings } from '../../edge/in-lambda.ts';
import { BookingService } from '../booking-service.ts';
import { bookingApi } from './booking-api.ts';

/** How long a call has a slot and a customer, in ms; customers hold slots for longer. */
const TTL_MS = 10_000;

/** The bookings for an API Gateway HTTP API. Where they find what they need, their surroundings say. */
export function bookingLambda({ env, client, seals }: Surroundings) {
  const tableNames = tableNamesFrom(['leases', 'slots', 'bookings', 'markers'], env);
  const source = dynamoTokenSource({ client, tableName: tableNames.leases });
  const leases = new LeaseManager({ source, ttlMs: TTL_MS });
  const service = new BookingService({ client, tableNames, leases });
  return apiGatewayV2(async (request) => bookingApi({ service, seals: await seals() })(request));
}
