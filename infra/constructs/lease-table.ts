import { AttributeType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { defaultAttributes } from '../../src/dynamo/attributes.ts';
import { defaultLeaseAttributes } from '../../src/lease/sources/dynamo/lease-attributes.ts';
import { fenceGrant } from '../policy/fence-grant.ts';
import { expiryChanges, guardChanges, unfenceableWrites } from '../policy/fenced-actions.ts';
import { setGuard } from '../policy/guard.ts';
import { checkProps } from './check-props.ts';
import { type DurabilityProps, durability, durabilityProps } from './durability.ts';
import { checkName } from './hidden-attributes.ts';
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
 * @throws UnsafeTableError for a time to live, and for a key of its own in a stack without a Region; Error for props that are not known.
 */
export class LeaseTable extends Construct {
  readonly tableName: string;
  readonly tableArn: string;
  readonly #encryptionKey: IKey | undefined;

  constructor(scope: Construct, id: string, props: LeaseTableProps = {}) {
    super(scope, id);
    refuseExpiry(this, props);
    checkProps(this, props, { ...durabilityProps, partitionKeyName: true });
    const { partitionKeyName = defaultLeaseAttributes.resource } = props;
    checkName(this, 'partitionKeyName', partitionKeyName);
    refuseKeyWithoutRegion(this, props);
    const table = new TableV2(this, 'Default', {
      ...durability(this, props),
      partitionKey: {
        name: partitionKeyName,
        type: AttributeType.STRING,
      },
      ...(props.encryptionKey && { encryption: TableEncryptionV2.customerManagedKey(props.encryptionKey) }),
    });
    setGuard(table, { role: 'leases', attributes: defaultAttributes });
    this.tableName = table.tableName;
    this.tableArn = table.tableArn;
    this.#encryptionKey = props.encryptionKey;
  }

  /**
   * Allows a `LeaseManager` to do what it does: GetItem, UpdateItem, and the check of a lease in a transaction. Denies every other
   * write, since each resets the token that the row counts up from, and changes of the table. Evaluated by tests as that of items is; unverified on AWS.
   *
   * @throws UnsafeTableError with the code `FencedTableDenyNotAttached` where the role takes no denials, and
   *   `FencedTableOtherAccount` where it is of another account.
   */
  grantLease(grantee: IGrantable): Grant {
    const grant = fenceGrant(this, grantee, {
      resourceArns: [this.tableArn],
      allow: ['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:ConditionCheckItem'],
      deny: [{ actions: ['dynamodb:PutItem', ...unfenceableWrites, ...expiryChanges, ...guardChanges] }],
    });
    this.#encryptionKey?.grantEncryptDecrypt(grantee);
    return grant;
  }
}
