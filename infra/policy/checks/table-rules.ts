import type { GuardedTable } from './guarded-tables.ts';
import type { Json } from './synthesised-app.ts';

export type TableRule = 'TimeToLive' | 'EventualReplica' | 'StrongWithLocalIndex' | 'IndexWithoutFence';

/** What is wrong with a table as the template has it, however it came in there. */
export interface Flaw {
  readonly rule: TableRule;
  readonly table: GuardedTable;
  readonly location: string;
}

/** The flaws of a table: what its construct refuses, and may have been put in behind its back. */
export function flawsOf(table: GuardedTable): Flaw[] {
  const {
    TimeToLiveSpecification,
    Replicas = [],
    MultiRegionConsistency,
    LocalSecondaryIndexes = [],
  } = table.resource.properties as Readonly<Record<string, unknown>> & {
    Replicas?: unknown[];
    LocalSecondaryIndexes?: unknown[];
  };
  const strong = MultiRegionConsistency === 'STRONG';
  const flaws: Flaw[] = [];
  const found = (rule: TableRule, property: string) =>
    flaws.push({ rule, table, location: `Properties.${property}` });

  const expiry = TimeToLiveSpecification as { readonly Enabled?: unknown } | undefined;
  // What a condition of the template decides may be decided either way.
  if (expiry !== undefined && expiry.Enabled !== false) found('TimeToLive', 'TimeToLiveSpecification');
  if (Replicas.length > 1 && !strong) found('EventualReplica', 'Replicas');
  if (strong && LocalSecondaryIndexes.length > 0) found('StrongWithLocalIndex', 'LocalSecondaryIndexes');
  if (table.role === 'items') {
    for (const property of ['GlobalSecondaryIndexes', 'LocalSecondaryIndexes']) {
      const indexes = (table.resource.properties[property] ?? []) as readonly Json[];
      if (indexes.some((index) => !projectsFence(index, table))) found('IndexWithoutFence', property);
    }
  }
  return flaws;
}

/** What a query of the index tells deleted items by. */
function projectsFence(index: Json, { attributes }: GuardedTable): boolean {
  const { ProjectionType, NonKeyAttributes = [] } = (index.Projection ?? {}) as {
    readonly ProjectionType?: string;
    readonly NonKeyAttributes?: readonly string[];
  };
  if (ProjectionType === 'ALL') return true;
  return [attributes.fence, attributes.version].every((name) => NonKeyAttributes.includes(name));
}
