import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoTokenSource, FencedRepository, type Lease, LeaseManager, unwrap } from '../../../src/index.ts';
import { type ManualClock, manualClock } from '../../../src/testing/index.ts';
import type { RunningEngine } from '../../engines/engines.ts';
import { type Meter, meter } from './meter.ts';
import { writeUnits } from './units.ts';

/** An account of a bank. Its `body` makes it as large as it shall be. */
export interface Account {
  bank: string;
  id: string;
  balance: number;
  body: string;
}

/** What was transferred. Small, whatever the size of the accounts. */
export interface Entry {
  bank: string;
  id: string;
  amount: number;
  to: string;
}

export type Item = Record<string, AttributeValue>;

type Leases = LeaseManager<ReturnType<typeof dynamoTokenSource>>;

/** Banks on an engine: every one has a lease of its own. */
export interface Banks {
  readonly clock: ManualClock;
  readonly meter: Meter;
  readonly leases: Leases;
  /** Of another process. */
  readonly others: Leases;
  readonly accounts: FencedRepository<Account, 'bank' | 'id'>;
  readonly journal: FencedRepository<Entry, 'bank' | 'id'>;
  /** Reads an item, at nobody's cost. */
  stored(TableName: string, Key: Item): Promise<Item | undefined>;
  /** Stores an account as a writer does that knows of no fences, at nobody's cost. */
  plant(item: Item): Promise<unknown>;
  /** A name that nobody else uses. */
  newBank(): string;
}

// A moment as they usually are: without zeros at the end, which DynamoDB does not store.
const startMs = Date.UTC(2026, 0, 1, 9, 30, 12, 345);

export async function openBanks(engine: RunningEngine): Promise<Banks> {
  for (const tableName of ['accounts', 'journal']) {
    await engine.createTable({ tableName, partitionKey: 'bank', sortKey: 'id' });
  }
  await engine.createTable({ tableName: 'leases', partitionKey: 'resource' });
  const clock = manualClock(startMs);
  const other = engine.client();
  const stored: Banks['stored'] = async (TableName, Key) =>
    (await other.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item;
  const metered = meter(engine.client(), async ({ TableName, Key }) =>
    writeUnits(await stored(TableName, Key)),
  );
  const source = dynamoTokenSource({ client: metered.client, tableName: 'leases', clock });
  // Named as they are by default: by host and process.
  const leasesOf = (holder: string) => new LeaseManager({ source, ttlMs: 10_000, holder, clock });
  let banks = 0;
  return {
    clock,
    meter: metered,
    leases: leasesOf('worker-1:4711'),
    others: leasesOf('worker-2:4711'),
    accounts: repository<Account>(metered.client, 'accounts'),
    journal: repository<Entry>(metered.client, 'journal'),
    stored,
    plant: (item) => other.send(new PutItemCommand({ TableName: 'accounts', Item: item })),
    newBank: () => {
      banks += 1;
      return `bank-${String(banks).padStart(3, '0')}`;
    },
  };
}

function repository<T extends { bank: string; id: string }>(client: DynamoDBClient, tableName: string) {
  return new FencedRepository<T, 'bank' | 'id'>({
    client,
    tableName,
    key: ['bank', 'id'],
    resource: ({ bank }) => `bank/${bank}`,
  });
}

export async function leaseOf(leases: Leases, bank: string): Promise<Lease> {
  return unwrap(await leases.acquire(`bank/${bank}`)).lease;
}
