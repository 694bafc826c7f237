import type { Output } from './dynalite.ts';

/** What one action cost outside a transaction. */
export interface Consumed {
  readonly tableName: string;
  readonly units: number;
}

// Everything in a transaction is done twice: once to prepare it, once to commit it.
const transactionFactor = 2;

/** The units that an action reports when it is asked for the total. */
export function unitsOf(output: Output): number {
  return (output.ConsumedCapacity as { CapacityUnits: number }).CapacityUnits;
}

/** The `ConsumedCapacity` of a transaction, per table; nothing where it was not asked for. */
export function addUp(detail: unknown, kind: 'Read' | 'Write', consumed: readonly Consumed[]): Output {
  if (detail !== 'TOTAL' && detail !== 'INDEXES') return {};
  const totals = new Map<string, number>();
  for (const { tableName, units } of consumed) {
    totals.set(tableName, (totals.get(tableName) ?? 0) + units * transactionFactor);
  }
  const ConsumedCapacity = [...totals].map(([TableName, units]) => {
    const capacity = { CapacityUnits: units, [`${kind}CapacityUnits`]: units };
    return { TableName, ...capacity, ...(detail === 'INDEXES' ? { Table: capacity } : {}) };
  });
  return { ConsumedCapacity };
}
