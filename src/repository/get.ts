import { readItem } from '../dynamo/read.ts';
import type { CallOptions } from '../fence/call-options.ts';
import { within } from '../fence/within.ts';
import type { Table, Versioned } from './table.ts';

/** Reads one item, consistently. */
export async function getItem<T extends object, K extends keyof T>(
  table: Table<T, K>,
  identity: Pick<T, K>,
  options?: CallOptions,
): Promise<Versioned<T> | undefined> {
  const key = table.keyOf(identity);
  return within(table.wire.clock, options, async (deadline) =>
    table.view(await readItem(table.wire, { TableName: table.tableName, Key: key }, deadline)),
  );
}
