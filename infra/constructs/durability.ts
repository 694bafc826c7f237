import { Annotations, RemovalPolicy, Token } from 'aws-cdk-lib';
import { Billing, TableEncryptionV2, type TablePropsV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { type PropNames, wrongProp } from './check-props.ts';

/** What protects a table that holds fences or leases from being forgotten. */
export interface DurabilityProps {
  /**
   * The key that encrypts the table.
   * @default - the AWS managed key of DynamoDB
   */
  readonly encryptionKey?: IKey;
  /**
   * What becomes of the table when it leaves the stack. A table that is made anew accepts any token, also a stale one.
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
  /**
   * Whether DynamoDB refuses to delete the table.
   * @default - true, unless `removalPolicy` is DESTROY
   */
  readonly deletionProtection?: boolean;
  /**
   * For how many days the table can be restored to any second, 1 to 35.
   * @default 35
   */
  readonly recoveryPeriodInDays?: number;
}

/** What every table of ours takes. */
export const durabilityProps: PropNames<DurabilityProps> = {
  encryptionKey: true,
  removalPolicy: true,
  deletionProtection: true,
  recoveryPeriodInDays: true,
};

/**
 * The fence of an item lives in the item, and the last token of a resource in its lease row: whoever loses either lets stale
 * writers in again. So every table of ours is retained, protected, encrypted and recoverable, unless it is said otherwise.
 */
export function durability(scope: Construct, props: DurabilityProps) {
  const { recoveryPeriodInDays = 35 } = props;
  if (!Number.isInteger(recoveryPeriodInDays) && !Token.isUnresolved(recoveryPeriodInDays))
    throw wrongProp(scope, 'recoveryPeriodInDays is no whole number', 'Pass one from 1 to 35');
  const removalPolicy = props.removalPolicy ?? RemovalPolicy.RETAIN;
  const deletionProtection = props.deletionProtection ?? removalPolicy !== RemovalPolicy.DESTROY;
  if (removalPolicy === RemovalPolicy.DESTROY || !deletionProtection) {
    Annotations.of(scope).addWarningV2(
      'dynamodb-fenced:TableCanBeDeleted',
      'This table can be deleted together with its fences. A table that is made anew accepts any token, also that of a stale writer.',
    );
  }
  return {
    billing: Billing.onDemand(),
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: {
      pointInTimeRecoveryEnabled: true,
      recoveryPeriodInDays,
    },
    deletionProtection,
    removalPolicy,
  } satisfies Partial<TablePropsV2>;
}
