import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { definitions as booking } from '../../examples/booking/definitions.ts';
import { definitions as ledger } from '../../examples/ledger/definitions.ts';
import { ExampleTables } from './example-tables.ts';

/** The tables of the ledger and of the bookings: what is retained, whatever becomes of the code. */
export class DataStack extends Stack {
  readonly ledger: ExampleTables<Exclude<keyof typeof ledger, 'leases'>>;
  readonly booking: ExampleTables<Exclude<keyof typeof booking, 'leases'>>;

  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    this.ledger = new ExampleTables(this, 'Ledger', ledger);
    this.booking = new ExampleTables(this, 'Booking', booking);
  }
}
