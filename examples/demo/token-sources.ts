import type { TokenSource } from 'dynamodb-fenced';

/** Where the demo can take its leases. */
export type SourceName = 'dynamodb' | 'redis' | 'etcd' | 'zookeeper';

/** One of the lock services, as a holder uses it. */
interface LockService {
  /** The shortest lease that it can be asked for here, in ms. */
  readonly leaseMs: number;
  /** In words. */
  readonly title: string;
  open(address: string, leaseMs: number): Promise<TokenSource>;
}

/** Each client is loaded only where it is used: they are optional. */
export const lockServices: Readonly<Record<Exclude<SourceName, 'dynamodb'>, LockService>> = {
  redis: {
    leaseMs: 500,
    title: 'Redis',
    async open(address) {
      const { Redis } = await import('ioredis');
      const { fromIoredis, redisTokenSource } = await import('dynamodb-fenced/sources/redis');
      return redisTokenSource({ connection: fromIoredis(new Redis(address)), prefix: 'demo:' });
    },
  },
  etcd: {
    // It counts in seconds.
    leaseMs: 1_000,
    title: 'etcd',
    async open(address) {
      const { etcdTokenSource } = await import('dynamodb-fenced/sources/etcd');
      return etcdTokenSource({ endpoints: address.split(','), prefix: 'demo/' });
    },
  },
  zookeeper: {
    leaseMs: 1_000,
    title: 'ZooKeeper',
    async open(address, leaseMs) {
      const { default: zookeeper } = await import('node-zookeeper-client');
      const { zooKeeperTokenSource } = await import('dynamodb-fenced/sources/zookeeper');
      // As short as a lease may be: a holder that is stopped for longer loses its session too.
      const createClient = () => zookeeper.createClient(address, { sessionTimeout: leaseMs });
      return zooKeeperTokenSource({ createClient, root: '/demo' });
    },
  },
};

export const sourceNames: readonly string[] = ['dynamodb', ...Object.keys(lockServices)];
