import {
  type FencingToken,
  fence,
  type LeaseCheck,
  LeaseManager,
  type TakeOverResult,
} from 'dynamodb-fenced';
import { type EtcdTls, type EtcdTokenSource, etcdTokenSource } from 'dynamodb-fenced/sources/etcd';
import {
  fromIoredis,
  fromNodeRedis,
  type IoredisClient,
  type NodeRedisClient,
  type RedisConnection,
  type RedisTokenSource,
  redisTokenSource,
} from 'dynamodb-fenced/sources/redis';
import {
  type ZooKeeperClient,
  type ZooKeeperTokenSource,
  zooKeeperTokenSource,
} from 'dynamodb-fenced/sources/zookeeper';
import type { Redis } from 'ioredis';
import type { Client } from 'node-zookeeper-client';
import type { RedisClientType } from 'redis';
import { describe, expect, test } from 'tstyche';

declare const connection: RedisConnection;
declare const client: Client;
declare const etcd: LeaseManager<EtcdTokenSource>;
declare const redis: LeaseManager<RedisTokenSource>;
declare const zookeeper: LeaseManager<ZooKeeperTokenSource>;

describe('the clients of the field fit', () => {
  test('ioredis, node-redis and node-zookeeper-client', () => {
    expect<IoredisClient>().type.toBeAssignableFrom<Redis>();
    expect<NodeRedisClient>().type.toBeAssignableFrom<RedisClientType>();
    expect<ZooKeeperClient>().type.toBeAssignableFrom<Client>();
  });

  test('each by its own port', () => {
    expect(fromIoredis).type.toBeCallableWith({} as Redis);
    expect(fromIoredis).type.not.toBeCallableWith({} as RedisClientType);
    expect(fromNodeRedis).type.toBeCallableWith({} as RedisClientType);
    expect(fromNodeRedis).type.not.toBeCallableWith({} as Redis);
  });
});

describe('a manager', () => {
  test('can hand over, look and raise with each of them', () => {
    for (const leases of [etcd, redis, zookeeper] as const) {
      expect(leases).type.toBeAssignableTo<LeaseManager>();
    }
    expect(new LeaseManager({ source: redisTokenSource({ connection }), ttlMs: 1 })).type.toBe<
      typeof redis
    >();
    expect(etcd.takeOver(fence('r', 7))).type.toBe<Promise<TakeOverResult>>();
    expect(redis.raise('r', { above: 7 })).type.toBe<Promise<FencingToken>>();
    expect(zookeeper.inspect('r')).type.not.toRaiseError();
  });

  test('has no check for transactions of DynamoDB with any', () => {
    type Check = (lease: never) => LeaseCheck;
    expect<EtcdTokenSource>().type.not.toBeAssignableTo<{ check: Check }>();
    // @ts-expect-error The 'this' context of type 'LeaseManager<EtcdTokenSource>' is not assignable
    etcd.check({} as never);
    // @ts-expect-error The 'this' context of type 'LeaseManager<RedisTokenSource>' is not assignable
    redis.check({} as never);
    // @ts-expect-error The 'this' context of type 'LeaseManager<ZooKeeperTokenSource>' is not assignable
    zookeeper.check({} as never);
  });
});

describe('what cannot work does not compile', () => {
  test('of etcd', () => {
    const endpoints = 'http://127.0.0.1:2379';
    expect(etcdTokenSource).type.toBeCallableWith({ endpoints });
    expect(etcdTokenSource).type.toBeCallableWith({ endpoints: [endpoints], tls: {} as EtcdTls });
    expect(etcdTokenSource).type.toBeCallableWith({ endpoints, authorization: () => 'token' });
    expect(etcdTokenSource).type.toBeCallableWith({
      endpoints,
      authorization: async (refused?: string) => refused ?? 'token',
    });
    expect(etcdTokenSource).type.not.toBeCallableWith({});
    expect(etcdTokenSource).type.not.toBeCallableWith({ endpoints, authorization: 'token' });
    expect(etcdTokenSource).type.not.toBeCallableWith({
      endpoints,
      authorization: (refused: string) => refused,
    });
  });

  test('of Redis', () => {
    expect(redisTokenSource).type.toBeCallableWith({ connection, prefix: 'locks:' });
    expect(redisTokenSource).type.not.toBeCallableWith({ connection: {} as Redis });
    expect(redisTokenSource).type.not.toBeCallableWith({});
  });

  test('of ZooKeeper', () => {
    expect(zooKeeperTokenSource).type.toBeCallableWith({ createClient: () => client, root: '/locks' });
    expect(zooKeeperTokenSource).type.not.toBeCallableWith({ createClient: client });
    expect(zooKeeperTokenSource).type.not.toBeCallableWith({});
    expect(zooKeeperTokenSource({ createClient: () => client })).type.toBeAssignableTo<Disposable>();
    expect<EtcdTokenSource>().type.not.toBeAssignableTo<Disposable>();
  });
});
