// What Lambda runs of the bookings.
import { inLambda } from '../../edge/in-lambda.ts';
import { bookingLambda } from './booking-lambda.ts';

export const handler = bookingLambda(inLambda());
