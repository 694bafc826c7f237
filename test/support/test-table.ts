import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { type FaultyHandler, faults, type RecordingHandler, record } from '../../src/testing/index.ts';
import type { TableDefinition } from '../../src/testing/table-definition.ts';
import type { EngineUnderTest } from '../engines/describe-each-engine.ts';

type Item = Record<string, AttributeValue>;

/** A table as its tests need it: one client for the library, and another, which knows of no fences. */
export interface TestTable {
  readonly tableName: string;
  /** For the library. */
  readonly client: DynamoDBClient;
  /** What went through that client. */
  readonly wire: RecordingHandler;
  /** What goes wrong for that client; nothing at first. */
  readonly faults: FaultyHandler;
  /** What is stored under a key, read by the other client. */
  stored(key: Item): Promise<Item | undefined>;
  /** Everything that is stored in the table, or in an index of it, read by the other client. */
  storedItems(index?: string): Promise<Item[]>;
  /** Stores items as a writer does that knows of no fences. */
  plant(...items: readonly Item[]): Promise<void>;
  /**
   * What a write sends that is refused because of this item: where the error shows none a read follows, so also
   * where nothing is there.
   */
  refused(op: 'PutItem' | 'UpdateItem', because: Item | undefined): readonly string[];
}

/** Creates a table on an engine. */
export async function testTable(
  engine: EngineUnderTest,
  definition: Omit<TableDefinition, 'tableName'> = { partitionKey: 'id' },
): Promise<TestTable> {
  const TableName = await engine.table(definition);
  const faulty = faults(engine.running.handler, []);
  const wire = record(faulty);
  const other = engine.client();
  return {
    tableName: TableName,
    client: engine.client({ requestHandler: wire }),
    wire,
    faults: faulty,
    async stored(Key) {
      return (await other.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item;
    },
    async storedItems(IndexName) {
      const from = IndexName === undefined ? { ConsistentRead: true } : { IndexName };
      return (await other.send(new ScanCommand({ TableName, ...from }))).Items ?? [];
    },
    async plant(...items) {
      await Promise.all(items.map((Item) => other.send(new PutItemCommand({ TableName, Item }))));
    },
    refused: (op, because) => (engine.returnsItems && because !== undefined ? [op] : [op, 'GetItem']),
  };
}
