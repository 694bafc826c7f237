import { dynamoTokenSource, LeaseManager } from 'dynamodb-fenced';
import { tableNamesFrom } from 'dynamodb-fenced/lambda';
import type { Surroundings } from '../../edge/in-lambda.ts';
import { BookingService } from '../booking-service.ts';

/** How long a call has a slot and a customer, in ms; customers hold slots for longer. */
const TTL_MS = 10_000;

/** The bookings, on the tables that their environment names. */
export function openBookings({ env, client }: Pick<Surroundings, 'env' | 'client'>) {
  const tableNames = tableNamesFrom(['leases', 'slots', 'bookings', 'markers'], env);
  const source = dynamoTokenSource({ client, tableName: tableNames.leases });
  const leases = new LeaseManager({ source, ttlMs: TTL_MS });
  return { leases, service: new BookingService({ client, tableNames, leases }) };
}
