import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type DynamoTokenSource, dynamoTokenSource, LeaseManager } from '../../src/index.ts';
import {
  type FaultyHandler,
  faults,
  type ManualClock,
  manualClock,
  type RecordingHandler,
  record,
  seededRandom,
  type TableDefinition,
} from '../../src/testing/index.ts';
import type { EngineUnderTest } from '../engines/describe-each-engine.ts';
import { stillTime } from './still-time.ts';
import { type TestTable, testTable } from './test-table.ts';

type Item = Record<string, AttributeValue>;

/** The tables of an example on an engine, and the time that all processes around them live in. */
export interface ExampleWorld<Name extends string> {
  readonly client: DynamoDBClient;
  readonly clock: ManualClock;
  readonly wire: RecordingHandler;
  readonly faults: FaultyHandler;
  readonly names: Readonly<Record<Name, string>>;
  /** The leases of one process. */
  leases(holder: string, ttlMs: number): LeaseManager<DynamoTokenSource>;
  /** Lets time pass whenever the engine has nothing to do, until all is done. What faults hold back is not at the engine. */
  until<T>(work: Promise<T>): Promise<T>;
  /** All that is stored in a table, or in an index of it, read without the library. */
  stored(table: Name, index?: string): Promise<Item[]>;
  /** Stores an item as a writer does that knows of no fences. */
  plant(table: Name, item: Item): Promise<void>;
}

/** @param definitions of the tables, one of which is `leases`. */
export async function exampleWorld<Name extends string>(
  engine: EngineUnderTest,
  definitions: Readonly<Record<Name | 'leases', Omit<TableDefinition, 'tableName'>>>,
): Promise<ExampleWorld<Name | 'leases'>> {
  type Any = Name | 'leases';
  const tables = {} as Record<Any, TestTable>;
  const names = {} as Record<Any, string>;
  for (const name of Object.keys(definitions) as Any[]) {
    tables[name] = await testTable(engine, definitions[name]);
    names[name] = tables[name].tableName;
  }
  const clock = manualClock();
  const { handler, passing } = stillTime(engine.running.handler);
  const faulty = faults(handler, [], { clock });
  const wire = record(faulty);
  const client = engine.client({ requestHandler: wire });
  let seed = 0;
  return {
    client,
    clock,
    wire,
    faults: faulty,
    names,
    leases(holder, ttlMs) {
      seed++;
      const source = dynamoTokenSource({ client, tableName: names.leases, clock });
      return new LeaseManager({ source, ttlMs, holder, clock, random: seededRandom(seed) });
    },
    until: (work) => passing(clock, work, 5),
    stored: (name, index) => tables[name].storedItems(index),
    plant: (name, item) => tables[name].plant(item),
  };
}
