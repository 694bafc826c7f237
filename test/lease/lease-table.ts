import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../src/fence/clock.ts';
import { type DynamoTokenSource, LeaseManager, type LeaseManagerOptions } from '../../src/index.ts';
import { dynamoTokenSource } from '../../src/lease/sources/dynamo.ts';
import { type ManualClock, manualClock, seededRandom } from '../../src/testing/index.ts';
import type { EngineUnderTest } from '../engines/describe-each-engine.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

export const TTL_MS = 10_000;

type Item = Record<string, AttributeValue>;

/** A lease table on an engine, and the processes that use it. */
export interface TestLeases extends Omit<TestTable, 'stored'> {
  readonly clock: ManualClock;
  /** A process: its manager, whose holders are called `name/…`. */
  process(
    name: string,
    options?: Partial<LeaseManagerOptions<DynamoTokenSource>>,
  ): LeaseManager<DynamoTokenSource>;
  /** The row of a resource, as it is stored. */
  stored(resource?: string): Promise<Item | undefined>;
}

/** @param clock time for all processes; default one that only the test moves. */
export async function testLeases(engine: EngineUnderTest, clock?: Clock): Promise<TestLeases> {
  const table = await testTable(engine, { partitionKey: 'resource' });
  const manual = manualClock();
  const time = clock ?? manual;
  let seed = 0;
  return {
    ...table,
    clock: manual,
    process(name, options = {}) {
      seed++;
      // Nobody waits between two copies of a request.
      const random = { unit: () => 0, nonce: seededRandom(seed).nonce };
      const given = { clock: time, random, ...options };
      const source = dynamoTokenSource({
        client: table.client,
        tableName: table.tableName,
        clock: given.clock,
        random,
      });
      return new LeaseManager({ source, ttlMs: TTL_MS, holder: name, ...given });
    },
    stored: (resource = 'r') => table.stored({ resource: { S: resource } }),
  };
}

/** A row as it is stored while somebody holds the lease. */
export function rowOf({
  resource,
  token,
  holder,
  expiresAtMs,
}: {
  readonly resource: string;
  readonly token: number;
  readonly holder: string;
  readonly expiresAtMs: number;
}): Item {
  return {
    resource: { S: resource },
    token: { N: String(token) },
    holder: { S: holder },
    expiresAtMs: { N: String(expiresAtMs) },
  };
}

/** A row as it is stored while nobody does. */
export function freeRow(resource: string, token: number): Item {
  return { resource: { S: resource }, token: { N: String(token) } };
}
