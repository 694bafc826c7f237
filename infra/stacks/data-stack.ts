import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { FencedTable } from '../constructs/fenced-table.ts';
import { LeaseTable } from '../constructs/lease-table.ts';

/** The lease table, and one fenced table: what the quick start runs on. */
export class DataStack extends Stack {
  readonly leases: LeaseTable;
  readonly accounts: FencedTable;

  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);

    this.leases = new LeaseTable(this, 'Leases');
    this.accounts = new FencedTable(this, 'Accounts', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });

    // The tables have no fixed names, so that a replacement never collides with what was retained.
    new CfnOutput(this, 'LeasesTableName', { value: this.leases.tableName });
    new CfnOutput(this, 'AccountsTableName', { value: this.accounts.tableName });
  }
}
