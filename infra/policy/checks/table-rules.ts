import { branchesOf, elementsOf } from '../iam/branches.ts';
import type { GuardedTable } from './guarded-tables.ts';
import type { Json, SynthesisedResource } from './synthesised-app.ts';

export type TableRule = 'TimeToLive' | 'EventualReplica' | 'StrongWithLocalIndex' | 'IndexWithoutFence';

/** What is wrong with a table as the template has it, however it came in there. */
export interface Flaw {
  readonly rule: TableRule;
  readonly table: GuardedTable;
  /** What has it: the table, or what makes a replica of it. */
  readonly source: SynthesisedResource;
  readonly location: string;
}

/** The flaws of a table: what its construct refuses, and may have been put in behind its back. */
export function flawsOf(table: GuardedTable): Flaw[] {
  const { TimeToLiveSpecification, Replicas, MultiRegionConsistency, LocalSecondaryIndexes } =
    table.resource.properties;
  const strong = MultiRegionConsistency === 'STRONG';
  const flaws: Flaw[] = [];
  const found = (rule: TableRule, property: string) =>
    flaws.push({ rule, table, source: table.resource, location: `Properties.${property}` });

  // What a condition of the template decides may be decided either way.
  const expires = branchesOf(TimeToLiveSpecification).some(({ value }) => (value as Json).Enabled !== false);
  if (expires) found('TimeToLive', 'TimeToLiveSpecification');
  if (elementsOf(Replicas).length > 1 && !strong) found('EventualReplica', 'Replicas');
  for (const source of table.replicators)
    flaws.push({ rule: 'EventualReplica', table, source, location: 'Properties' });
  if (strong && elementsOf(LocalSecondaryIndexes).length > 0)
    found('StrongWithLocalIndex', 'LocalSecondaryIndexes');
  if (table.role === 'items') {
    for (const property of ['GlobalSecondaryIndexes', 'LocalSecondaryIndexes']) {
      const indexes = elementsOf(table.resource.properties[property]);
      if (indexes.some(({ value }) => !projectsFence(value as Json, table)))
        found('IndexWithoutFence', property);
    }
  }
  return flaws;
}

/** What a query of the index tells deleted items by. */
function projectsFence(index: Json, { attributes }: GuardedTable): boolean {
  const { ProjectionType, NonKeyAttributes } = (index.Projection ?? {}) as Json;
  if (ProjectionType === 'ALL') return true;
  // What is projected under a condition may be left out.
  const projected = elementsOf(NonKeyAttributes).filter(({ certain }) => certain);
  return [attributes.fence, attributes.version].every((name) =>
    projected.some(({ value }) => value === name),
  );
}
