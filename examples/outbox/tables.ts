import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';

const text = (name: string) => ({ name, type: AttributeType.STRING });

export class OutboxStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    new TableV2(this, 'Outbox', {
      partitionKey: text('resource'),
      sortKey: text('position'),
      globalSecondaryIndexes: [
        {
          indexName: 'unsent',
          partitionKey: text('queue'),
          sortKey: text('resource'),
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: ['_fence', '_fenceVersion'],
        },
      ],
      localSecondaryIndexes: [{ indexName: 'pending', sortKey: text('pending') }],
      // The one fenced table that may have it: see below.
      timeToLiveAttribute: 'deleteAfterS',
      billing: Billing.onDemand(),
      deletionProtection: true,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }
}
