import { AttributeType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { defaultLeaseAttributes } from '../../src/lease/sources/dynamo/lease-attributes.ts';
import { type DurabilityProps, durability } from './durability.ts';
import { refuseExpiry, refuseKeyWithoutRegion } from './refuse-unsafe.ts';

/** What a lease table may be given. */
export interface LeaseTableProps extends DurabilityProps {
  /**
   * The name of the partition key, where the token source is given another.
   * @default - that of the library
   */
  readonly partitionKeyName?: string;
}

/**
 * The table whose rows issue fencing tokens, as durable as a fenced one and in one Region: a row that is lost may issue a token again.
 *
 * @throws UnsafeTableError for a time to live, and for a key of its own in a stack without a Region.
 */
export class LeaseTable extends Construct {
  readonly tableName: string;
  readonly tableArn: string;

  constructor(scope: Construct, id: string, props: LeaseTableProps = {}) {
    super(scope, id);
    refuseExpiry(this, props);
    refuseKeyWithoutRegion(this, props);
    const table = new TableV2(this, 'Default', {
      ...durability(this, props),
      partitionKey: {
        name: props.partitionKeyName ?? defaultLeaseAttributes.resource,
        type: AttributeType.STRING,
      },
      ...(props.encryptionKey && { encryption: TableEncryptionV2.customerManagedKey(props.encryptionKey) }),
    });
    this.tableName = table.tableName;
    this.tableArn = table.tableArn;
  }
}
