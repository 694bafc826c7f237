import { Stack, Token } from 'aws-cdk-lib';
import { type Attribute, MultiRegionConsistency } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct, IConstruct } from 'constructs';
import type { HiddenAttributes } from '../../src/dynamo/attributes.ts';
import { type UnsafeTableCode, UnsafeTableError } from '../policy/unsafe-table-error.ts';
import type { DurabilityProps } from './durability.ts';
import type { FencedTableProps } from './fenced-table.ts';

/** Refuses what no table of ours may have. An expired item takes its fence along, an expired lease its last token. */
export function refuseExpiry(scope: IConstruct, props: object): void {
  if (!('timeToLiveAttribute' in props) || props.timeToLiveAttribute === undefined) return;
  throw new UnsafeTableError(
    'FencedTableTtl',
    scope.node.path,
    'has a time to live, which deletes items together with their fences, so that a stale writer gets through',
    'Leave timeToLiveAttribute out, and delete through the repository: it keeps the fence.',
  );
}

/** Refuses a key of one's own where the Region is unknown: the CDK would refuse it later, and obscurely. */
export function refuseKeyWithoutRegion(scope: Construct, props: DurabilityProps): void {
  if (props.encryptionKey === undefined || !Token.isUnresolved(Stack.of(scope).region)) return;
  throw new UnsafeTableError(
    'FencedTableKeyWithoutRegion',
    scope.node.path,
    'has a key of its own in a stack without a Region, where it cannot be rendered',
    'Give the stack an env with a region, or leave encryptionKey out.',
  );
}

/** Refuses a fenced table under which conditions do not hold, or fences have no place. */
export function refuseUnsafe(scope: Construct, props: FencedTableProps, hidden: HiddenAttributes): void {
  const refuse = (code: UnsafeTableCode, what: string, fix: string): never => {
    throw new UnsafeTableError(code, scope.node.path, what, fix);
  };
  refuseKeyWithoutRegion(scope, props);

  const strong = props.multiRegionConsistency === MultiRegionConsistency.STRONG;
  const inOtherRegions = (props.replicas ?? []).length > 0 || props.witnessRegion !== undefined;
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html
  if (inOtherRegions && !strong) {
    refuse(
      'FencedTableEventualReplica',
      'has replicas that agree eventually: each Region evaluates conditions on its own copy, and the last writer wins',
      'Pass multiRegionConsistency: MultiRegionConsistency.STRONG, or keep the table in one Region.',
    );
  }
  if (strong && !inOtherRegions) {
    refuse(
      'FencedTableStrongWithoutReplicas',
      'asks for strong consistency between Regions, and is in one',
      'Pass replicas, or leave multiRegionConsistency out: within a Region conditions always hold.',
    );
  }
  if (strong && (props.localSecondaryIndexes ?? []).length > 0) {
    refuse(
      'FencedTableStrongWithLocalIndex',
      'has a local secondary index, which strong consistency between Regions does not support',
      'Make it a global secondary index.',
    );
  }
  const keys = [
    props,
    ...(props.globalSecondaryIndexes ?? []),
    ...(props.localSecondaryIndexes ?? []),
  ].flatMap(keyNames);
  for (const name of keys.filter((it) => Object.values(hidden).includes(it))) {
    refuse(
      'FencedTableReservedKey',
      `uses ${name} as a key, the attribute that fencing keeps for itself`,
      'Name the key differently, or the hidden attribute, by attributes here and in the repository.',
    );
  }
}

/** The names in the key of a table or an index, which may have several of each kind. */
function keyNames({ partitionKey, sortKey, partitionKeys = [], sortKeys = [] }: Keyed): string[] {
  return [partitionKey, sortKey, ...partitionKeys, ...sortKeys].flatMap((key) => key?.name ?? []);
}

type Keyed = Partial<
  Record<'partitionKey' | 'sortKey', Attribute> & Record<'partitionKeys' | 'sortKeys', readonly Attribute[]>
>;
