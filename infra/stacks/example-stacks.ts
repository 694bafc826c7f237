import { Annotations, type App } from 'aws-cdk-lib';
import { BookingApiStack } from './booking-api-stack.ts';
import { DataStack } from './data-stack.ts';
import type { JwtProps } from './example-api.ts';
import { LedgerApiStack } from './ledger-api-stack.ts';
import { MonitoringStack } from './monitoring-stack.ts';

/** The stacks of the examples. */
export interface ExampleStacks {
  readonly data: DataStack;
  readonly ledger: LedgerApiStack;
  readonly booking: BookingApiStack;
  readonly monitoring: MonitoringStack;
}

/**
 * All stacks of the examples, in an app. Whose tokens the APIs take is context: `jwtIssuer`, and `jwtAudience` (several, separated by
 * commas).
 *
 * @throws Error where one of the two is missing, or is none.
 */
export function exampleStacks(app: App): ExampleStacks {
  const data = new DataStack(app, 'DynamodbFencedData', {
    description: 'The tables of the ledger and of the bookings, with their leases.',
    terminationProtection: true,
  });
  const jwt = jwtOf(app);
  return {
    data,
    ledger: new LedgerApiStack(app, 'DynamodbFencedLedgerApi', {
      description: 'The ledger behind HTTP.',
      tables: data.ledger,
      ...jwt,
    }),
    booking: new BookingApiStack(app, 'DynamodbFencedBookingApi', {
      description: 'The bookings behind HTTP.',
      tables: data.booking,
      ...jwt,
    }),
    monitoring: new MonitoringStack(app, 'DynamodbFencedMonitoring', {
      description: 'Alarms and a dashboard on what both APIs count.',
      watched: [data.ledger, data.booking],
    }),
  };
}

/** Of a domain that nobody can have (RFC 2606): what is deployed without an issuer lets nobody in. */
const nobody = { jwtIssuer: 'https://issuer.invalid', jwtAudience: ['nobody'] } as const;

function jwtOf(app: App): JwtProps {
  const context = (name: string): unknown => app.node.tryGetContext(name);
  const [issuer, audience] = [context('jwtIssuer'), context('jwtAudience')];
  if (issuer !== undefined || audience !== undefined) return checkedJwt(issuer, audience);
  Annotations.of(app).addWarningV2(
    'dynamodb-fenced:NoJwtIssuer',
    'The APIs let nobody in: pass -c jwtIssuer=… and -c jwtAudience=… of who signs your users in.',
  );
  return nobody;
}

function checkedJwt(issuer: unknown, audience: unknown): JwtProps {
  if (typeof issuer !== 'string' || !/^https:\/\/[^/]/.test(issuer))
    throw new Error(
      'The context jwtIssuer is no URL. Pass -c jwtIssuer=https://… of who signs your users in.',
    );
  const jwtAudience = (typeof audience === 'string' ? audience.split(',') : [])
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (jwtAudience.length > 0) return { jwtIssuer: issuer, jwtAudience };
  throw new Error('The context jwtAudience names nobody. Pass -c jwtAudience=… of whom the tokens are for.');
}
