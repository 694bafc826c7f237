import { environmentVariables, tableVariable } from '../../src/lambda/environment.ts';
import { defaultNamespace } from '../../src/observe/metric-names.ts';
import type { FencedTable } from './fenced-table.ts';
import type { LeaseTable } from './lease-table.ts';

/** What a function is told of tables and metrics. */
export interface FunctionTables {
  readonly leases?: LeaseTable;
  readonly writes?: Readonly<Record<string, FencedTable>>;
  readonly reads?: Readonly<Record<string, FencedTable>>;
  readonly metricsNamespace?: string;
}

/**
 * The environment variables that handlers read by `tableNamesFrom` and `environmentVariables`.
 *
 * @throws Error where a variable would have two values, where a name cannot be part of one, and for what is no table of ours.
 */
export function functionEnvironment(
  path: string,
  { leases, writes = {}, reads = {}, metricsNamespace = defaultNamespace }: FunctionTables,
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const named = [
    ...(leases ? [['leases', leases] as const] : []),
    ...Object.entries({ ...reads, ...writes }),
  ];
  for (const [name, table] of named) {
    if (!isTable(table))
      throw new Error(`${path}: ${name} is no table. Pass a FencedTable, and leases a LeaseTable.`);
    const other = name === 'leases' ? leases : reads[name];
    if (other === undefined || other === table) continue;
    throw new Error(
      `${path}: two tables are called ${name}. Give each a name of its own; leases has one already.`,
    );
  }
  const made: Record<string, string> = {
    ...Object.fromEntries(named.map(([name, { tableName }]) => [variableOf(path, name), tableName])),
    [environmentVariables.metricsNamespace]: metricsNamespace,
  };
  for (const variable of Object.keys(made)) {
    if (!(variable in given)) continue;
    throw new Error(
      `${path}: ${variable} is made of the props leases, writes, reads and metricsNamespace. Leave it out of environment.`,
    );
  }
  return { ...given, ...made };
}

/** Told by what it can do, so that a table of another copy of this package is one. */
function isTable(table: unknown): boolean {
  return (
    typeof table === 'object' && table !== null && ('grantFencedWrite' in table || 'grantLease' in table)
  );
}

function variableOf(path: string, name: string): string {
  try {
    return tableVariable(name);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}
