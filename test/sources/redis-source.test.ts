import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/fence/clock.ts';
import { within } from '../../src/fence/within.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import {
  fromIoredis,
  fromNodeRedis,
  type RedisConnection,
  redisTokenSource,
} from '../../src/lease/sources/redis.ts';
import { installed } from './installed.ts';
import { clusteredRedis, durableRedis, forgetfulRedis } from './redis-server.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const never = new AbortController().signal;

describe.skipIf(!installed.has('redis'))('the Redis source', () => {
  let server: ServerProcess;
  let redis: Redis;
  /** Knows the slots of keys. */
  let cluster: ServerProcess;
  let clustered: Redis;
  let leases: LeaseManager<ReturnType<typeof redisTokenSource>>;
  const source = () => redisTokenSource({ connection: fromIoredis(redis) });
  const subscribers = async () =>
    ((await redis.call('CLIENT', 'LIST', 'TYPE', 'pubsub')) as string).split('\n').filter(Boolean);

  beforeAll(async () => {
    server = await startServer(durableRedis);
    redis = new Redis(server.port, '127.0.0.1');
    redis.on('error', () => {});
    cluster = await startServer(clusteredRedis);
    clustered = new Redis(cluster.port, '127.0.0.1');
  });
  beforeEach(async () => {
    await redis.flushall();
    leases = new LeaseManager({ source: source(), ttlMs: 10_000 });
  });
  afterAll(async () => {
    redis.disconnect();
    clustered.disconnect();
    await cluster[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const acquire = async (resource = 'r') => {
    const result = await leases.acquire(resource);
    if (!result.ok) throw new Error(result.holder);
    return result.lease;
  };

  describe('keeps', () => {
    it('both keys for ever: neither has a time to live', async () => {
      await acquire('account/a1');
      expect((await redis.keys('*')).sort()).toEqual([
        'fence:{account/a1}:grant',
        'fence:{account/a1}:token',
      ]);
      for (const key of await redis.keys('*')) expect(await redis.pttl(key)).toBe(-1);
    });

    it.each(['account/a1', '}', '{', '{}', 'a}b{c', '100%', '%7D'])(
      'all of %j in one slot of a cluster, and apart from others',
      async (resource) => {
        const lease = await acquire(resource);
        const keys = await redis.keys('*');
        expect(new Set(await Promise.all(keys.map((key) => clustered.cluster('KEYSLOT', key)))).size).toBe(1);
        expect(keys).toHaveLength(2);
        await lease.release();
        expect(await redis.keys('*')).toHaveLength(1);
      },
    );

    it('the counter after a release', async () => {
      for (const token of [1, 2, 3]) {
        const lease = await acquire();
        expect(lease.token).toBe(token);
        await lease.release();
      }
      expect(await redis.get('fence:{r}:token')).toBe('3');
    });

    it('what JSON holds as data, and refuses the rest', async () => {
      const lost = { code: 'invalid-input', path: 'data' };
      for (const data of [new Date(), 1n, [undefined], Number.NaN, () => 1, { at: undefined }]) {
        await expect(leases.acquire('r', { data })).rejects.toMatchObject(lost);
      }
      expect(await redis.keys('*')).toEqual([]);
      await leases.acquire('r', { data: { job: [1, null, 'x'] } });
      expect((await leases.inspect('r'))?.data).toEqual({ job: [1, null, 'x'] });
    });

    it('nothing under a prefix that would be a hash tag', () => {
      const connection = fromIoredis(redis);
      const refused = expect.objectContaining({ code: 'invalid-input', path: 'prefix' });
      expect(() => redisTokenSource({ connection, prefix: '{x}' })).toThrow(refused);
    });
  });

  describe('a counter that', () => {
    const token = 'fence:{r}:token';
    it.each(['9007199254740991', '9007199254740993', '9223372036854775807'])(
      'stands at %s leaves no lease without a token',
      async (counter) => {
        await redis.set(token, counter);
        await expect(leases.acquire('r')).rejects.toMatchObject({ code: 'token-exhausted' });
        expect(await redis.keys('*')).toEqual([token]);
        expect(await redis.get(token)).toBe(counter);
      },
    );

    it('is beyond 2^53 is not rounded: it is refused, by its name and its digits', async () => {
      await redis.set(token, '9007199254740993');
      await expect(leases.inspect('r')).rejects.toMatchObject({
        code: 'token-exhausted',
        cause: { message: expect.stringMatching(/9007199254740993|2\^53/) },
      });
    });

    it('counts one by one up to the last token', async () => {
      await redis.set(token, '9007199254740989');
      expect((await acquire()).token).toBe(9007199254740990);
      expect(await redis.get(token)).toBe('9007199254740990');
    });

    it.each(['x', '-1', '1.5', '1e3'])('is %s is damaged', async (counter) => {
      await redis.set(token, counter);
      await expect(leases.acquire('r')).rejects.toMatchObject({ code: 'corrupt-fence' });
      expect(await redis.get(token)).toBe(counter);
    });

    it('somebody has deleted goes on from the grant', async () => {
      const lease = await acquire();
      await redis.del(token);
      expect((await leases.takeOver(lease)).ok).toBe(true);
      expect(await redis.get(token)).toBe('2');
    });

    it('is no text is refused by Redis, in its own words', async () => {
      await redis.rpush(token, 'x');
      await expect(leases.acquire('r')).rejects.toThrow('WRONGTYPE');
    });
  });

  describe('a waiter', () => {
    const wait = (signal = never) => source().waitForRelease({ resource: 'r', holder: 'b' }, signal);

    it.each(['ioredis', 'node-redis'])('over %s hears of the release', async (library) => {
      const node = await createClient({ socket: { host: '127.0.0.1', port: server.port } }).connect();
      const connection = library === 'ioredis' ? fromIoredis(redis) : fromNodeRedis(node);
      const lease = await acquire();
      const waiting = redisTokenSource({ connection }).waitForRelease({ resource: 'r', holder: 'b' }, never);
      await expect.poll(subscribers).toHaveLength(1);
      let heard = false;
      const over = waiting.then(() => {
        heard = true;
      });
      // It is silent while nothing happens, also to others' releases.
      await (await acquire('other')).release();
      expect(heard).toBe(false);
      await lease.release();
      await over;
      await expect.poll(subscribers).toHaveLength(0);
      node.destroy();
    });

    it('does not wait for what was released before it listened', async () => {
      await (await acquire()).release();
      await wait();
    });

    it('can give up, and leaves no connection behind', async () => {
      await acquire();
      const giveUp = new AbortController();
      const waiting = wait(giveUp.signal);
      await expect.poll(subscribers).toHaveLength(1);
      giveUp.abort(new Error('enough'));
      await expect(waiting).rejects.toThrow('enough');
      await expect.poll(subscribers).toHaveLength(0);
    });

    it('that has given up before does not even connect', async () => {
      let opened = 0;
      const { run, subscribe } = fromIoredis(redis);
      const connection: RedisConnection = {
        run,
        subscribe: (...listening) => {
          opened++;
          return subscribe(...listening);
        },
      };
      const waiting = redisTokenSource({ connection }).waitForRelease(
        { resource: 'r', holder: 'b' },
        AbortSignal.abort(new Error('before')),
      );
      await expect(waiting).rejects.toThrow('before');
      expect(opened).toBe(0);
    });

    it('shares one connection with all others of its client', async () => {
      const lease = await acquire();
      const connection = fromIoredis(redis);
      const waiters = Array.from({ length: 20 }, (_, n) =>
        redisTokenSource({ connection }).waitForRelease({ resource: 'r', holder: `b${n}` }, never),
      );
      await expect.poll(() => redis.pubsub('NUMSUB', 'fence:{r}:released')).toEqual([expect.anything(), 1]);
      expect(await subscribers()).toHaveLength(1);
      await lease.release();
      await Promise.all(waiters);
    });

    it('wakes up where the connection breaks, because it may have missed something', async () => {
      await acquire();
      const waiting = wait();
      await expect.poll(subscribers).toHaveLength(1);
      await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await waiting;
    });
  });

  describe('what Redis refuses', () => {
    it('for now is an outage: nothing was applied', async () => {
      await redis.config('SET', 'maxmemory', '1');
      try {
        const outage = {
          code: 'unavailable',
          applied: 'no',
          cause: { message: expect.stringMatching(/^OOM/) },
        };
        await expect(leases.acquire('r', { timeoutMs: 200 })).rejects.toMatchObject(outage);
      } finally {
        await redis.config('SET', 'maxmemory', '0');
      }
    });

    // As Redis 7 says it, and as 5 and 6 do, which name the script first.
    const script = 'ERR Error running script (call to f_7c1b0): @user_script:31: ';
    it.each([
      "READONLY You can't write against a read only replica. script: 7c1b0, on @user_script:31.",
      `${script}@user_script: 31: -READONLY You can't write against a read only replica.`,
      `${script}-OOM command not allowed when used memory > 'maxmemory'.`,
      `${script}@user_script: 31: MISCONF Redis is configured to save RDB snapshots, but it can't.`,
      'ERR max number of clients reached',
    ])('for now, as every version says it: %s', async (message) => {
      const answer = await asked({ run: () => Promise.reject(new Error(message)) });
      expect(answer).toMatchObject({ is: 'undecided', applied: 'no', error: { message } });
    });

    it.each([
      `${script}WRONGTYPE Operation against a key holding the wrong kind of value`,
      `${script}NOPERM this user has no permissions`,
      'ERR unknown command',
    ])('for good, as every version says it: %s', async (message) => {
      await expect(asked({ run: () => Promise.reject(new Error(message)) })).rejects.toThrow(message);
    });

    it('for good is thrown as it is', async () => {
      await redis.call('ACL', 'SETUSER', 'reader', 'on', 'nopass', '~*', '+get');
      const reader = new Redis({
        host: '127.0.0.1',
        port: server.port,
        username: 'reader',
        password: 'x',
        enableReadyCheck: false,
      });
      const denied = new LeaseManager({
        source: redisTokenSource({ connection: fromIoredis(reader) }),
        ttlMs: 1_000,
      });
      await expect(denied.acquire('r')).rejects.toThrow('NOPERM');
      reader.disconnect();
    });
  });

  /** What comes of an acquire over a connection. */
  const asked = (connection: Partial<RedisConnection>) => {
    const broken = redisTokenSource({ connection: { ...fromIoredis(redis), ...connection } });
    const request = { resource: 'r', holder: 'a', ttlMs: 1_000, above: 0 };
    return within(systemClock, undefined, (deadline) => broken.acquire(request, deadline));
  };

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])(
    '%s: nothing was sent',
    async (code) => {
      const error = Object.assign(new Error(`connect ${code}`), { code });
      expect(await asked({ run: () => Promise.reject(error) })).toEqual({
        is: 'undecided',
        applied: 'no',
        error,
      });
    },
  );

  it.each(['ECONNRESET', 'ETIMEDOUT', 'EPIPE'])('%s: nobody knows', async (code) => {
    const error = Object.assign(new Error(code), { code });
    expect(await asked({ run: () => Promise.reject(error) })).toMatchObject({ applied: 'unknown' });
  });

  it('a client that is closed has sent nothing', async () => {
    const closed = new Redis(server.port, '127.0.0.1');
    await closed.quit();
    await expect.poll(() => closed.status).toBe('end');
    const node = await createClient({ socket: { host: '127.0.0.1', port: server.port } }).connect();
    node.destroy();
    for (const connection of [fromIoredis(closed), fromNodeRedis(node)]) {
      expect(await asked(connection)).toMatchObject({ is: 'undecided', applied: 'no' });
      const alone = new LeaseManager({ source: redisTokenSource({ connection }), ttlMs: 1_000 });
      await expect(alone.acquire('r')).rejects.toMatchObject({ code: 'unavailable' });
    }
  });

  it('a client without a connection has sent nothing, if it keeps nothing for later', async () => {
    const lonely = new Redis(1, '127.0.0.1', { enableOfflineQueue: false });
    lonely.on('error', () => {});
    const alone = new LeaseManager({
      source: redisTokenSource({ connection: fromIoredis(lonely) }),
      ttlMs: 1_000,
    });
    await expect(alone.acquire('r', { timeoutMs: 100 })).rejects.toMatchObject({ code: 'unavailable' });
    lonely.disconnect();
  });

  it('what was cut off by the end of its connection may have been done, though it sounds the same', async () => {
    const own = await startServer(forgetfulRedis);
    const client = new Redis(own.port, '127.0.0.1', { retryStrategy: null });
    client.on('error', () => {});
    await client.ping();
    // It blocks the server, which is killed then.
    client.eval('while true do end', 0).catch(() => {});
    const answer = asked(fromIoredis(client));
    await own[Symbol.asyncDispose]();
    expect(await answer).toMatchObject({
      ...{ is: 'undecided', applied: 'unknown' },
      error: { message: 'Connection is closed.' },
    });
    client.disconnect();
  });

  it('a server that does not answer leaves the outcome unknown', async () => {
    const own = await startServer(forgetfulRedis);
    const client = new Redis(own.port, '127.0.0.1', { maxRetriesPerRequest: 0, retryStrategy: null });
    client.on('error', () => {});
    await client.ping();
    const alone = redisTokenSource({ connection: fromIoredis(client) });
    await own[Symbol.asyncDispose]();
    const request = { resource: 'r', holder: 'a', ttlMs: 1_000, above: 0 };
    const answer = await within(systemClock, undefined, (deadline) => alone.acquire(request, deadline));
    expect(answer).toMatchObject({ is: 'undecided' });
    await expect(alone.waitForRelease(request, never)).rejects.toThrow();
    client.disconnect();
  });

  it.each([undefined, {}, { run: 1 }])('%j is no connection', (connection) => {
    const refused = expect.objectContaining({ code: 'invalid-input', path: 'connection' });
    expect(() => redisTokenSource({ connection: connection as never })).toThrow(refused);
  });
});
