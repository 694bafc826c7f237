import { apiGatewayV2 } from 'dynamodb-fenced/http';
import type { Surroundings } from '../../edge/in-lambda.ts';
import { bookingApi } from './booking-api.ts';
import { openBookings } from './open-bookings.ts';

/** The bookings for an API Gateway HTTP API. Where they find what they need, their surroundings say. */
export function bookingLambda(surroundings: Surroundings) {
  const { service } = openBookings(surroundings);
  return apiGatewayV2(async (request) => bookingApi({ service, seals: await surroundings.seals() })(request));
}
