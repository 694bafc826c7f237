import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe } from 'vitest';
import {
  fromIoredis,
  fromNodeRedis,
  type RedisConnection,
  redisTokenSource,
} from '../../src/lease/sources/redis.ts';
import { tokenSourceConformance } from '../../src/testing/conformance/token-source.ts';
import { itAllAtOnce } from './all-at-once.ts';
import { installed } from './installed.ts';
import { durableRedis } from './redis-server.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const offers = ['takeOver', 'inspect', 'raise'] as const;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe.skipIf(!installed.has('redis'))('the Redis source', () => {
  let server: ServerProcess;
  let clients: { ioredis: Redis; node: Awaited<ReturnType<typeof connectNodeRedis>> };
  const connectNodeRedis = () => createClient({ socket: { host: '127.0.0.1', port: server.port } }).connect();

  beforeAll(async () => {
    server = await startServer(durableRedis);
    clients = { ioredis: new Redis(server.port, '127.0.0.1'), node: await connectNodeRedis() };
  });
  afterAll(async () => {
    clients.ioredis.disconnect();
    clients.node.destroy();
    await server[Symbol.asyncDispose]();
  });

  const over: Record<string, () => RedisConnection> = {
    ioredis: () => fromIoredis(clients.ioredis),
    'node-redis': () => fromNodeRedis(clients.node),
  };
  describe.each(Object.entries(over))('over %s', (name, connection) => {
    let opened = 0;
    const open = async () => ({
      source: redisTokenSource({ connection: connection(), prefix: `${name}/${opened++}/` }),
      now: () => Date.now(),
      advance: sleep,
    });
    itAllAtOnce(tokenSourceConformance({ open, offers, ttlMs: 1_500 }));
  });
});
