import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';

// No TTL on either: it would delete fences. And nothing that forgets one by accident.
const durable = {
  billing: Billing.onDemand(),
  deletionProtection: true,
  pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
  removalPolicy: RemovalPolicy.RETAIN,
} as const;

export class BankStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    new TableV2(this, 'Leases', {
      ...durable,
      partitionKey: { name: 'resource', type: AttributeType.STRING },
    });
    new TableV2(this, 'Accounts', {
      ...durable,
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });
  }
}
