import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import {
  type FaultyHandler,
  faults,
  type RecordingHandler,
  record,
  type SdkRequestHandler,
  type TableDefinition,
} from '../../src/testing/index.ts';
import { wrapHandler } from '../../src/testing/wrap-handler.ts';
import type { EngineUnderTest } from '../engines/describe-each-engine.ts';
import type { RunningEngine } from '../engines/engines.ts';
import { type StillTime, stillTime } from './still-time.ts';

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
  /** Lets time pass, but not while the engine is busy. */
  readonly passing: StillTime['passing'];
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

/** What the tables of one engine share: a client costs more than a request. */
interface Clients {
  readonly library: DynamoDBClient;
  readonly other: DynamoDBClient;
  /** What the library's client sends goes here. */
  wire: SdkRequestHandler;
}

const clientsOf = new WeakMap<RunningEngine, Clients>();

function clients(engine: EngineUnderTest): Clients {
  const known = clientsOf.get(engine.running);
  if (known !== undefined) return known;
  const { handler } = engine.running;
  const requestHandler = wrapHandler(handler, (http, options) => made.wire.handle(http, options));
  const made = { library: engine.client({ requestHandler }), other: engine.client(), wire: handler };
  clientsOf.set(engine.running, made);
  return made;
}

/** Creates a table on an engine. Of several, the requests for all are seen at the last one. */
export async function testTable(
  engine: EngineUnderTest,
  definition: Omit<TableDefinition, 'tableName'> = { partitionKey: 'id' },
): Promise<TestTable> {
  const TableName = await engine.table(definition);
  const made = clients(engine);
  const { library, other } = made;
  const { handler, passing } = stillTime(engine.running.handler);
  const faulty = faults(handler, []);
  const wire = record(faulty);
  made.wire = wire;
  return {
    tableName: TableName,
    client: library,
    wire,
    faults: faulty,
    passing,
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
