import { readItem } from '../dynamo/read.ts';
import { type CallOptions, Deadline } from '../fence/deadline.ts';
import type { Table, Versioned } from './table.ts';

/** Reads one item, consistently. */
export async function getItem<T extends object, K extends keyof T>(
  table: Table<T, K>,
  identity: Pick<T, K>,
  options?: CallOptions,
): Promise<Versioned<T> | undefined> {
  const key = table.keyOf(identity);
  const deadline = new Deadline(table.wire.clock, options);
  try {
    return table.view(await readItem(table.wire, { TableName: table.tableName, Key: key }, deadline));
  } finally {
    deadline[Symbol.dispose]();
  }
}
