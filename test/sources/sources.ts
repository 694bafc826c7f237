import { Redis } from 'ioredis';
import zookeeperClient, { type Client } from 'node-zookeeper-client';
import { type Clock, systemClock } from '../../src/fence/clock.ts';
import { etcdTokenSource } from '../../src/lease/sources/etcd.ts';
import { fromIoredis, type RedisConnection, redisTokenSource } from '../../src/lease/sources/redis.ts';
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
import type { ServerName } from './installed.ts';
import { durableRedis } from './redis-server.ts';
import type { ServerKind } from './server-process.ts';
import { zooKeeper } from './zookeeper-server.ts';

/** A source as one process has it, with its own connection to the server. */
export interface ConnectedSource extends AsyncDisposable {
  readonly source: TokenSource & CanTakeOver & CanInspect & CanRaise & CanWait & Partial<CanTellLoss>;
  /** How many requests it has sent so far. */
  requests(): number;
}

/** Of a connection. */
export interface ConnectOptions {
  /** Where the server is. Default 127.0.0.1. */
  readonly host?: string;
  /** Keeps apart what uses the same server. */
  readonly prefix?: string;
  /** How long a session lasts without contact, in ms, where there are sessions. Default a minute. */
  readonly sessionMs?: number;
  /** Of the process, where it matters. */
  readonly clock?: Clock;
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
  ttlMs: 3_000,
  endsLateMs: 0,
  renewsLate: true,
  queued: undefined,
  address: { env: 'REDIS_URL', of: (port) => `redis://127.0.0.1:${port}` },
  async connect(port, { host = '127.0.0.1', prefix = '' } = {}) {
    const client = new Redis(port, host, { retryStrategy: () => 20 });
    client.on('error', () => {});
    let sent = 0;
    const connection = fromIoredis(client);
    const counted: RedisConnection = {
      ...connection,
      run: (...step) => {
        sent++;
        return connection.run(...step);
      },
    };
    return {
      source: redisTokenSource({ connection: counted, prefix }),
      requests: () => sent,
      [Symbol.asyncDispose]: async () => client.disconnect(),
    };
  },
};

const etcdSource: SourceUnderTest = {
  name: 'etcd',
  server: etcd,
  offers: ['takeOver', 'inspect', 'raise', 'whenGone'],
  ttlMs: 4_000,
  endsLateMs: 1_500,
  renewsLate: false,
  queued: async (port, resource) => Object.keys(await keysOfEtcd(port, `queue/${resource}`)).length,
  address: { env: 'ETCD_ENDPOINTS', of: (port) => `http://127.0.0.1:${port}` },
  async connect(port, { host = '127.0.0.1', prefix = '', clock = systemClock } = {}) {
    let sent = 0;
    // Asked for each request.
    const authorization = () => {
      sent++;
      return '';
    };
    const endpoints = `http://${host}:${port}`;
    const source = etcdTokenSource({ endpoints, prefix, clock, authorization });
    return { source, requests: () => sent, [Symbol.asyncDispose]: async () => {} };
  },
};

const zooKeeperSource: SourceUnderTest = {
  name: 'zookeeper',
  server: zooKeeper,
  offers: ['takeOver', 'inspect', 'raise', 'whenGone'],
  ttlMs: 3_000,
  endsLateMs: 0,
  renewsLate: true,
  address: { env: 'ZOOKEEPER_CONNECT', of: (port) => `127.0.0.1:${port}` },
  async connect(port, { host = '127.0.0.1', prefix = '', sessionMs = 60_000, clock = systemClock } = {}) {
    const options = { sessionTimeout: sessionMs, spinDelay: 50 };
    const sent = { requests: 0 };
    const createClient = () => countRequests(zookeeperClient.createClient(`${host}:${port}`, options), sent);
    const source = zooKeeperTokenSource({ createClient, root: `/${prefix.replace('/', '')}fence`, clock });
    return { source, requests: () => sent.requests, [Symbol.asyncDispose]: async () => source.close() };
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

/** Each method of a client that asks is one request; a transaction is one as a whole. */
function countRequests(client: Client, sent: { requests: number }): Client {
  for (const method of [
    'create',
    'remove',
    'exists',
    'getData',
    'getChildren',
    'setData',
    'transaction',
  ] as const) {
    const ask = client[method] as (...args: unknown[]) => unknown;
    Object.defineProperty(client, method, {
      value: (...args: unknown[]) => {
        sent.requests++;
        return ask.apply(client, args);
      },
    });
  }
  return client;
}
