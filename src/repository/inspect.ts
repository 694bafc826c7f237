import { isLive, storedStamp } from '../dynamo/attributes.ts';
import { own } from '../dynamo/own.ts';
import { readItem } from '../dynamo/read.ts';
import type { CallOptions } from '../fence/call-options.ts';
import { within } from '../fence/within.ts';
import type { Table } from './table.ts';

/** What the storage keeps about an item, for operators. */
export interface Inspection<T> {
  /** `live`: users see it. `tombstone`: absent, but fenced. `unfenced`: live, and written before fencing. `absent`: nothing at all. */
  readonly state: 'live' | 'tombstone' | 'unfenced' | 'absent';
  /** What was written last; undefined where nothing was. `corrupt` where the fence is no token. */
  readonly stamp:
    | { readonly token: number; readonly holder: string | undefined; readonly seq: number | undefined }
    | 'corrupt'
    | undefined;
  readonly version: string | undefined;
  readonly item: T | undefined;
}

export async function inspectItem<T extends object, K extends keyof T>(
  table: Table<T, K>,
  identity: Pick<T, K>,
  options?: CallOptions,
): Promise<Inspection<T>> {
  const key = table.keyOf(identity);
  return within(table.wire.clock, options, async (deadline) => {
    const item = await readItem(table.wire, { TableName: table.tableName, Key: key }, deadline);
    const stamp = storedStamp(item, table.attributes);
    const seen = table.view(item);
    const { attributes } = table;
    const state =
      item === undefined
        ? 'absent'
        : own(item, attributes.fence) === undefined
          ? 'unfenced'
          : isLive(item, attributes)
            ? 'live'
            : 'tombstone';
    return { state, stamp, version: seen?.version, item: seen?.item };
  });
}
