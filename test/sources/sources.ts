import { Redis } from 'ioredis';
import zookeeperClient from 'node-zookeeper-client';
import { describe } from 'vitest';
import { etcdTokenSource } from '../../src/lease/sources/etcd.ts';
import { fromIoredis, redisTokenSource } from '../../src/lease/sources/redis.ts';
import { zooKeeperTokenSource } from '../../src/lease/sources/zookeeper.ts';
import type {
  CanInspect,
  CanRaise,
  CanTakeOver,
  CanTellLoss,
  CanWait,
  TokenSource,
} from '../../src/lease/token-source.ts';
import type { TokenSourceConformanceOptions } from '../../src/testing/conformance/token-source.ts';
import { keysOfEtcd } from './ask-etcd.ts';
import { etcd } from './etcd-server.ts';
import { installed, type ServerName } from './installed.ts';
import { durableRedis } from './redis-server.ts';
import type { ServerKind } from './server-process.ts';
import { zooKeeper } from './zookeeper-server.ts';

/** A source as one process has it, with its own connection to the server. */
export interface ConnectedSource extends AsyncDisposable {
  readonly source: TokenSource & CanTakeOver & CanInspect & CanRaise & CanWait & Partial<CanTellLoss>;
}

/** Of a connection. */
export interface ConnectOptions {
  /** Keeps apart what uses the same server. */
  readonly prefix?: string;
  /** How long a session lasts without contact, in ms, where there are sessions. Default a minute. */
  readonly sessionMs?: number;
}

/** A token source on a server of its own, as the tests that all of them share see it. */
export interface SourceUnderTest extends Required<Omit<TokenSourceConformanceOptions, 'open'>> {
  readonly name: ServerName;
  /** Loses nothing that it has acknowledged. */
  readonly server: ServerKind;
  /** How many wait, where who came first has it first; undefined where there is no order. */
  readonly queued: ((port: number, resource: string) => Promise<number>) | undefined;
  /** How programs are told where it is. */
  readonly address: { readonly env: string; of(port: number): string };
  connect(port: number, options?: ConnectOptions): Promise<ConnectedSource>;
}

const redisSource: SourceUnderTest = {
  name: 'redis',
  server: durableRedis,
  offers: ['takeOver', 'inspect', 'raise'],
  ttlMs: 1_500,
  endsLateMs: 0,
  renewsLate: true,
  queued: undefined,
  address: { env: 'REDIS_URL', of: (port) => `redis://127.0.0.1:${port}` },
  async connect(port, { prefix = '' } = {}) {
    const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20 });
    client.on('error', () => {});
    return {
      source: redisTokenSource({ connection: fromIoredis(client), prefix }),
      [Symbol.asyncDispose]: async () => client.disconnect(),
    };
  },
};

const etcdSource: SourceUnderTest = {
  name: 'etcd',
  server: etcd,
  offers: ['takeOver', 'inspect', 'raise', 'whenGone'],
  ttlMs: 2_000,
  endsLateMs: 1_500,
  renewsLate: false,
  queued: async (port, resource) => Object.keys(await keysOfEtcd(port, `queue/${resource}`)).length,
  address: { env: 'ETCD_ENDPOINTS', of: (port) => `http://127.0.0.1:${port}` },
  async connect(port, { prefix = '' } = {}) {
    const source = etcdTokenSource({ endpoints: `http://127.0.0.1:${port}`, prefix });
    return { source, [Symbol.asyncDispose]: async () => {} };
  },
};

const zooKeeperSource: SourceUnderTest = {
  name: 'zookeeper',
  server: zooKeeper,
  offers: ['takeOver', 'inspect', 'raise', 'whenGone'],
  ttlMs: 1_500,
  endsLateMs: 0,
  renewsLate: true,
  address: { env: 'ZOOKEEPER_CONNECT', of: (port) => `127.0.0.1:${port}` },
  async connect(port, { prefix = '', sessionMs = 60_000 } = {}) {
    const options = { sessionTimeout: sessionMs, spinDelay: 50 };
    const createClient = () => zookeeperClient.createClient(`127.0.0.1:${port}`, options);
    const source = zooKeeperTokenSource({ createClient, root: `/${prefix.replace('/', '')}fence` });
    return { source, [Symbol.asyncDispose]: async () => source.close() };
  },
  async queued(port, resource) {
    const client = zookeeperClient.createClient(`127.0.0.1:${port}`);
    client.connect();
    try {
      return await new Promise<number>((resolve, reject) => {
        const path = `/fence/r-${resource}`;
        client.getChildren(path, (error, nodes) => (error ? reject(error) : resolve(nodes.length - 1)));
      });
    } finally {
      client.close();
    }
  },
};

export const sourcesUnderTest: readonly SourceUnderTest[] = [redisSource, etcdSource, zooKeeperSource];

/** One suite for each source; skipped where its server is not installed. */
export function describeEachSource(title: string, suite: (kind: SourceUnderTest) => void): void {
  for (const kind of sourcesUnderTest) {
    describe.skipIf(!installed.has(kind.name))(`${title} [${kind.name}]`, () => suite(kind));
  }
}
