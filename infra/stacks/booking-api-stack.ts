import { Stack, type StackProps } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import type { DataStack } from './data-stack.ts';
import { ExampleApi, type JwtProps, type Route } from './example-api.ts';

/** What the API of the bookings is given. */
export interface BookingApiStackProps extends StackProps, JwtProps {
  readonly tables: DataStack['booking'];
}

// As examples/booking/http/openapi.yaml describes them.
const slot = '/slots/{slot}';
const routes: readonly Route[] = [
  { method: HttpMethod.GET, path: '/days/{day}', scope: 'booking/read' },
  { method: HttpMethod.GET, path: slot, scope: 'booking/read' },
  { method: HttpMethod.POST, path: `${slot}/hold`, scope: 'booking/write' },
  { method: HttpMethod.POST, path: `${slot}/confirm`, scope: 'booking/write' },
  { method: HttpMethod.POST, path: `${slot}/cancel`, scope: 'booking/write' },
];

/** The bookings behind HTTP. */
export class BookingApiStack extends Stack {
  readonly api: ExampleApi;

  constructor(
    scope: Construct,
    id: string,
    { tables, jwtIssuer, jwtAudience, ...props }: BookingApiStackProps,
  ) {
    super(scope, id, props);
    this.api = new ExampleApi(this, 'Booking', {
      entry: 'examples/booking/http/lambda.ts',
      // The free slots of a day are a query of an index.
      queries: { slots: tables.items.slots },
      ...{ tables, routes, jwtIssuer, jwtAudience },
    });
  }
}
