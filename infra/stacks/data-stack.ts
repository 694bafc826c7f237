import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { defaultLeaseAttributes } from '../../src/lease/sources/dynamo/lease-attributes.ts';

/**
 * What a fence needs of the table that stores it. The fence of an item lives in the item, and the last
 * token of a resource in its lease row: whoever loses either lets stale writers in again. So nothing here
 * may expire (a TTL takes the fence along with the item), be deleted by accident, or be unrecoverable.
 */
const durable = {
  billing: Billing.onDemand(),
  pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
  deletionProtection: true,
  removalPolicy: RemovalPolicy.RETAIN,
} as const;

/** The lease table, and one fenced table: what the quick start runs on. */
export class DataStack extends Stack {
  readonly leases: TableV2;
  readonly accounts: TableV2;

  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);

    this.leases = new TableV2(this, 'Leases', {
      ...durable,
      partitionKey: { name: defaultLeaseAttributes.resource, type: AttributeType.STRING },
    });
    this.accounts = new TableV2(this, 'Accounts', {
      ...durable,
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });

    // The tables have no fixed names, so that a replacement never collides with what was retained.
    new CfnOutput(this, 'LeasesTableName', { value: this.leases.tableName });
    new CfnOutput(this, 'AccountsTableName', { value: this.accounts.tableName });
  }
}
