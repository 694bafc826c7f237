import type { IConstruct } from 'constructs';
import { checkProps, type PropNames, wrongProp } from './check-props.ts';
import { durabilityProps } from './durability.ts';
import type { FencedTableProps } from './fenced-table.ts';
import { refuseExpiry } from './refuse-unsafe.ts';

const names: PropNames<FencedTableProps> = {
  ...durabilityProps,
  ...{ partitionKey: true, sortKey: true, globalSecondaryIndexes: true, localSecondaryIndexes: true },
  ...{ attributes: true, stream: true, replicas: true, witnessRegion: true },
  ...{ multiRegionConsistency: true, replicaKeyArns: true },
};

/**
 * Refuses props that would be dropped, or come to nothing.
 *
 * @throws UnsafeTableError for a time to live; Error for all others.
 */
export function checkTableProps(scope: IConstruct, props: FencedTableProps): void {
  refuseExpiry(scope, props ?? {});
  checkProps(scope, props, names);
  for (const prop of ['partitionKey', 'sortKey'] as const) {
    const key = props[prop];
    if (key === undefined && prop === 'sortKey') continue;
    if (typeof key?.name === 'string' && key.name !== '' && key.type !== undefined) continue;
    throw wrongProp(
      scope,
      `${prop} is no attribute`,
      "Pass its name and its type, as { name: 'id', type: AttributeType.STRING }",
    );
  }
  for (const { region } of (props.encryptionKey && props.replicas) ?? []) {
    if (props.replicaKeyArns?.[region] !== undefined) continue;
    throw wrongProp(
      scope,
      `replicaKeyArns has no key for ${region}`,
      'Pass the ARN of a key there, beside the encryptionKey of this Region',
    );
  }
  if (props.replicaKeyArns !== undefined && props.encryptionKey === undefined) {
    throw wrongProp(
      scope,
      'replicaKeyArns belong to a table with an encryptionKey',
      'Pass that as well, or leave them out: without it DynamoDB has a key of its own in each Region',
    );
  }
}
