import { BatchGetItemCommand, BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../src/dynamo/attributes.ts';
import type { EngineUnderTest } from '../engines/describe-each-engine.ts';
import { watchEverything } from '../support/watch-clients.mjs';

/** Items by their id, without the key; undefined where nothing is stored. */
export type Items = Readonly<Record<string, Item | undefined>>;

/** A table with the partition key `id`. */
export interface RawTable {
  readonly tableName: string;
  /** For guarded inputs alone: everything that is sent through it is audited as the library's own. */
  readonly client: DynamoDBClient;
  /** Stores items as they are, past the fence. */
  seed(items: Items): Promise<void>;
  /** What is stored under these ids. */
  stored(ids: readonly string[]): Promise<Items>;
}

export async function rawTable(engine: EngineUnderTest): Promise<RawTable> {
  const tableName = await engine.table({ partitionKey: 'id' });
  const sound = engine.client();
  return {
    tableName,
    client: watchEverything(engine.client()),
    async seed(items) {
      const puts = Object.entries(items)
        .filter(([, item]) => item !== undefined)
        .map(([id, item]) => ({ PutRequest: { Item: { id: { S: id }, ...item } } }));
      for (const some of chunks(puts, 25)) {
        await sound.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: some } }));
      }
    },
    async stored(ids) {
      const found: Record<string, Item | undefined> = Object.fromEntries(ids.map((id) => [id, undefined]));
      for (const some of chunks(ids, 100)) {
        const Keys = some.map((id) => ({ id: { S: id } }));
        const RequestItems = { [tableName]: { Keys, ConsistentRead: true } };
        const { Responses } = await sound.send(new BatchGetItemCommand({ RequestItems }));
        for (const { id, ...rest } of Responses?.[tableName] ?? []) found[id?.S ?? ''] = rest;
      }
      return found;
    },
  };
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  const starts = Array.from({ length: Math.ceil(all.length / size) }, (_, n) => n * size);
  return starts.map((start) => all.slice(start, start + size));
}
