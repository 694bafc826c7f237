import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../../src/fence/clock.ts';
import { dynamoTokenSource } from '../../../src/lease/sources/dynamo.ts';
import { memoryTokenSource } from '../../../src/lease/sources/memory.ts';
import type { TokenSource } from '../../../src/lease/token-source.ts';
import { startLocalDynamoDB } from '../../../src/testing/index.ts';
import { startServer } from '../../sources/server-process.ts';
import { type SourceUnderTest, sourcesUnderTest } from '../../sources/sources.ts';

/** A source as one process has it. */
export interface Connection extends AsyncDisposable {
  readonly source: TokenSource;
  /** How many requests it has sent so far. */
  requests(): number;
}

/** Of a process that uses a source. */
export interface ProcessOptions {
  readonly aheadMs?: number;
  /** Keeps apart what uses the same server. */
  readonly prefix?: string;
  /** Time, where the source goes by that of its callers. */
  readonly clock?: Clock;
}

/** Where a source keeps its leases, running. */
export interface RunningSource extends AsyncDisposable {
  /** @param aheadMs how far the clock of the process is ahead of all others. */
  connect(options?: ProcessOptions): Promise<Connection>;
  /** Undefined where there is nothing to restart. */
  readonly restart: ((options: { readonly withoutData: boolean }) => Promise<void>) | undefined;
}

/** What the table has a column for. */
export interface TabledSource {
  readonly title: string;
  readonly ending: Pick<SourceUnderTest, 'ttlMs' | 'endsLateMs' | 'renewsLate' | 'offers'>;
  /** Whether grants end by the clocks of callers, which can be moved. */
  readonly byCallersClock: boolean;
  start(): Promise<RunningSource>;
}

const inMemory = {
  ttlMs: 1_500,
  endsLateMs: 0,
  renewsLate: true,
  offers: ['takeOver', 'inspect', 'raise'],
} as const;
const titles = { redis: 'Redis', etcd: 'etcd', zookeeper: 'ZooKeeper' } as const;

export const tabledSources: readonly TabledSource[] = [
  { title: 'DynamoDB', ending: inMemory, byCallersClock: true, start: startDynamo },
  { title: 'memory', ending: inMemory, byCallersClock: true, start: startMemory },
  ...sourcesUnderTest.map((kind) => ({
    title: titles[kind.name],
    ending: kind,
    byCallersClock: false,
    start: () => startLockServer(kind),
  })),
];

function ahead(ms: number): Clock {
  return { ...systemClock, now: () => systemClock.now() + ms };
}

async function startDynamo(): Promise<RunningSource> {
  const root = await mkdtemp(join(tmpdir(), 'dynamodb-'));
  let generation = 0;
  let tables = 0;
  const open = () => startLocalDynamoDB({ path: join(root, String(generation)) });
  let db = await open();
  const makeTable = (tableName: string) => db.createTable({ tableName, partitionKey: 'resource' });
  await makeTable('leases');
  return {
    async connect({ aheadMs = 0, prefix, clock = ahead(aheadMs) } = {}) {
      const tableName = prefix === undefined ? 'leases' : `leases-${tables++}`;
      if (prefix !== undefined) await makeTable(tableName);
      const client = db.client();
      let requests = 0;
      const count = (next: (args: never) => unknown) => (args: never) => {
        requests++;
        return next(args);
      };
      client.middlewareStack.add(count as never, { step: 'finalizeRequest' });
      const source = dynamoTokenSource({ client, tableName, clock });
      return { source, requests: () => requests, [Symbol.asyncDispose]: async () => client.destroy() };
    },
    async restart({ withoutData }) {
      await db.close();
      if (withoutData) generation++;
      db = await open();
      if (withoutData) await makeTable('leases');
    },
    async [Symbol.asyncDispose]() {
      await db.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function startMemory(): Promise<RunningSource> {
  let offsetMs = 0;
  const common = { ...systemClock, now: () => systemClock.now() + offsetMs };
  const shared = memoryTokenSource({ clock: common });
  return {
    async connect({ aheadMs = 0, prefix, clock = common } = {}) {
      // There is one process, and so one clock.
      offsetMs = aheadMs;
      const source = prefix === undefined ? shared : memoryTokenSource({ clock });
      return { source, requests: () => 0, [Symbol.asyncDispose]: async () => {} };
    },
    restart: undefined,
    [Symbol.asyncDispose]: async () => {},
  };
}

async function startLockServer(kind: SourceUnderTest): Promise<RunningSource> {
  const server = await startServer(kind.server);
  return {
    async connect({ aheadMs = 0, prefix = '' } = {}) {
      const clock = ahead(aheadMs);
      const {
        source,
        requests,
        [Symbol.asyncDispose]: dispose,
      } = await kind.connect(server.port, {
        prefix,
        sessionMs: 30_000,
        clock,
      });
      return { source, requests, [Symbol.asyncDispose]: dispose };
    },
    restart: (options) => server.restart(options),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
