import { Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { FencedTable, LeaseTable } from 'dynamodb-fenced/cdk';

export class BankStack extends Stack {
  readonly leases: LeaseTable;
  readonly accounts: FencedTable;

  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    // On demand, encrypted, restorable, protected and retained; and without a TTL, which would delete fences.
    this.leases = new LeaseTable(this, 'Leases');
    this.accounts = new FencedTable(this, 'Accounts', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });
  }
}
