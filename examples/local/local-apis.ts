import type { DynamoDBClientLike } from 'dynamodb-fenced';
import type { Sequencer } from 'dynamodb-fenced/sequencer';
import { bookingLambda } from '../booking/http/booking-lambda.ts';
import { openBookings } from '../booking/http/open-bookings.ts';
import { ledgerLambda } from '../ledger/http/ledger-lambda.ts';
import { openLedger } from '../ledger/http/open-ledger.ts';
import { functionOf } from './function-of.ts';
import type { LocalApi } from './gateway.ts';
import { routesOf } from './routes-of.ts';
import type { Templates } from './synthesise.ts';

/** The APIs of the templates: the routes and the environment of each, before the handler that Lambda would run. */
export function localApis(
  { data, ledger, booking }: Templates,
  client: DynamoDBClientLike,
  seals: Sequencer,
) {
  const surroundings = (template: Templates['ledger']) => {
    const { env } = functionOf(template, data);
    return { env, client, seals: async () => seals };
  };
  const [ofLedger, ofBooking] = [surroundings(ledger), surroundings(booking)];
  const apis: readonly LocalApi[] = [
    { routes: routesOf(ledger), handler: ledgerLambda(ofLedger) },
    { routes: routesOf(booking), handler: bookingLambda(ofBooking) },
  ];
  return { apis, ledger: openLedger(ofLedger).ledger, bookings: openBookings(ofBooking).service };
}
