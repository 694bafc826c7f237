import { Stack } from 'aws-cdk-lib';
import {
  type Attribute,
  type GlobalSecondaryIndexPropsV2,
  type LocalSecondaryIndexProps,
  MultiRegionConsistency,
  type ReplicaTableProps,
  type StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { HiddenAttributes } from '../../src/dynamo/attributes.ts';
import { fenceGrant, namesNo } from '../policy/fence-grant.ts';
import {
  expiryChanges,
  fencedWrites,
  guardChanges,
  itemReads,
  unfenceableWrites,
} from '../policy/fenced-actions.ts';
import { setGuard } from '../policy/guard.ts';
import { checkTableProps } from './check-table-props.ts';
import { type DurabilityProps, durability } from './durability.ts';
import { hiddenAttributes } from './hidden-attributes.ts';
import { projectingFences } from './index-projection.ts';
import { KeyGrants } from './key-grants.ts';
import { refuseUnsafe } from './refuse-unsafe.ts';

/** What a fenced table may be given. */
export interface FencedTableProps extends DurabilityProps {
  /** The partition key of the items. */
  readonly partitionKey: Attribute;
  /**
   * The sort key of the items.
   * @default - none
   */
  readonly sortKey?: Attribute;
  /**
   * Each projects the hidden attributes, whatever else it projects.
   * @default - none
   */
  readonly globalSecondaryIndexes?: readonly GlobalSecondaryIndexPropsV2[];
  /**
   * Each projects the hidden attributes, whatever else it projects.
   * @default - none
   */
  readonly localSecondaryIndexes?: readonly LocalSecondaryIndexProps[];
  /**
   * The names of the hidden attributes, where the repository is given others.
   * @default - those of the library
   */
  readonly attributes?: Partial<HiddenAttributes>;
  /**
   * What its stream tells.
   * @default - no stream
   */
  readonly stream?: StreamViewType;
  /**
   * Other Regions. Only together with `multiRegionConsistency: STRONG`, under which DynamoDB has no transactions.
   * @default - none
   */
  readonly replicas?: readonly ReplicaTableProps[];
  /**
   * A Region that takes part in decisions and holds no copy.
   * @default - none
   */
  readonly witnessRegion?: string;
  /**
   * How Regions agree.
   * @default - there is one Region
   */
  readonly multiRegionConsistency?: MultiRegionConsistency;
  /**
   * The keys of the replicas, by Region, where `encryptionKey` is given.
   * @default - none
   */
  readonly replicaKeyArns?: Readonly<Record<string, string>>;
}

/** How a grant of writes is to be enforced. */
export interface FencedWriteOptions {
  /**
   * Whether Put and Update are denied where they name the fence nowhere. Switch it off only for code that must write items which
   * nobody fences.
   * @default true
   */
  readonly requireFenceAttribute?: boolean;
}

/**
 * A table of fenced items, on demand, retained, protected, encrypted and recoverable. Its logical id is that of a `TableV2` under
 * the same id, so that one can be exchanged for the other without making the table anew.
 *
 * @throws UnsafeTableError where a stale writer would get through: a time to live, replicas that agree eventually, a hidden
 *   attribute that is a key; Error for props that are not known, or are not what they must be.
 */
export class FencedTable extends Construct {
  readonly tableName: string;
  readonly tableArn: string;
  /** The names that the repository of this table must use. */
  readonly attributes: HiddenAttributes;
  /** Whether transactions are possible: not where Regions agree strongly, and there `transactions: false` belongs into the repository. */
  readonly supportsTransactions: boolean;
  readonly #resourceArns: string[];
  readonly #indexNames: readonly string[];
  readonly #keys: KeyGrants;

  constructor(scope: Construct, id: string, props: FencedTableProps) {
    super(scope, id);
    checkTableProps(this, props);
    this.attributes = hiddenAttributes(this, props.attributes);
    refuseUnsafe(this, props, this.attributes);
    const { globalSecondaryIndexes, localSecondaryIndexes, stream, witnessRegion, replicas } = props;
    // The child is called Default, which counts for nothing in a logical id.
    const table = new TableV2(this, 'Default', {
      ...durability(this, props),
      partitionKey: props.partitionKey,
      ...(props.sortKey && { sortKey: props.sortKey }),
      ...(globalSecondaryIndexes && {
        globalSecondaryIndexes: globalSecondaryIndexes.map((it) => projectingFences(it, this.attributes)),
      }),
      ...(localSecondaryIndexes && {
        localSecondaryIndexes: localSecondaryIndexes.map((it) => projectingFences(it, this.attributes)),
      }),
      ...(props.encryptionKey && {
        encryption: TableEncryptionV2.customerManagedKey(props.encryptionKey, { ...props.replicaKeyArns }),
      }),
      ...(stream && { dynamoStream: stream }),
      ...(replicas && { replicas: [...replicas] }),
      ...(witnessRegion && { witnessRegion }),
      ...(props.multiRegionConsistency && { multiRegionConsistency: props.multiRegionConsistency }),
    });
    setGuard(table, { role: 'items', attributes: this.attributes });
    this.tableName = table.tableName;
    this.tableArn = table.tableArn;
    this.supportsTransactions = props.multiRegionConsistency !== MultiRegionConsistency.STRONG;
    const others = (replicas ?? []).map(({ region }) =>
      Stack.of(this).formatArn({
        service: 'dynamodb',
        region,
        resource: 'table',
        resourceName: table.tableName,
      }),
    );
    this.#resourceArns = [table.tableArn, ...others];
    this.#indexNames = [...(globalSecondaryIndexes ?? []), ...(localSecondaryIndexes ?? [])].map(
      (it) => it.indexName,
    );
    this.#keys = new KeyGrants(props);
  }

  /** Allows all reads of a repository, of the table and of each of its indexes. */
  grantRead(grantee: IGrantable): Grant {
    this.#keys.grantDecrypt(grantee);
    return Grant.addToPrincipal({
      grantee,
      actions: [...itemReads],
      resourceArns: this.#resourceArns.flatMap((arn) => [
        arn,
        ...this.#indexNames.map((name) => `${arn}/index/${name}`),
      ]),
    });
  }

  /**
   * Allows what fenced writes are sent as, and denies what cannot be fenced or would forget a fence: BatchWriteItem, PartiQL,
   * DeleteItem, changes of the table (its time to live, its replicas, its tags, its policy, its end), and a Put or an Update that names the fence nowhere. The denials hold whatever else
   * the role is granted. IAM cannot see whether a condition is right, so this is the second line of defence; the library is the first.
   * Evaluated from the synthesised policies by tests, after the documentation of IAM; unverified on AWS.
   *
   * @throws UnsafeTableError with the code `FencedTableDenyNotAttached` where the role takes no denials, and
   *   `FencedTableOtherAccount` where it is of another account.
   */
  grantFencedWrite(grantee: IGrantable, options: FencedWriteOptions = {}): Grant {
    const fenced = options.requireFenceAttribute ?? true;
    const grant = fenceGrant(this, grantee, {
      resourceArns: this.#resourceArns,
      allow: [...fencedWrites, 'dynamodb:ConditionCheckItem', 'dynamodb:GetItem'],
      deny: [
        { actions: [...unfenceableWrites, ...expiryChanges, ...guardChanges] },
        ...(fenced ? [{ actions: [...fencedWrites], conditions: namesNo(this.attributes.fence) }] : []),
      ],
    });
    this.#keys.grantEncryptDecrypt(grantee);
    return grant;
  }
}
