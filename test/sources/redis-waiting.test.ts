import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unwrap } from '../../src/fence/unwrap.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { fromIoredis, type RedisConnection, redisTokenSource } from '../../src/lease/sources/redis.ts';
import { installed } from './installed.ts';
import { forgetfulRedis } from './redis-server.ts';
import { type ServerProcess, startServer } from './server-process.ts';

describe.skipIf(!installed.has('redis'))('who waits for a lease in Redis', () => {
  let server: ServerProcess;
  let redis: Redis;
  beforeAll(async () => {
    server = await startServer(forgetfulRedis);
    redis = new Redis(server.port, '127.0.0.1');
  });
  beforeEach(() => redis.flushall());
  afterAll(async () => {
    redis.disconnect();
    await server[Symbol.asyncDispose]();
  });

  /** A process, and how often it asked Redis for anything. */
  const process = (change: Partial<RedisConnection> = {}, ttlMs = 60_000) => {
    const { run, ...rest } = fromIoredis(redis);
    const requests = { sent: 0 };
    const counted: RedisConnection = {
      ...rest,
      run: (...step) => {
        requests.sent++;
        return run(...step);
      },
      ...change,
    };
    const leases = new LeaseManager({ source: redisTokenSource({ connection: counted }), ttlMs });
    return { leases, requests };
  };
  const listeners = async () => ((await redis.pubsub('NUMSUB', 'fence:{r}:released')) as [string, number])[1];

  // The machine may be busy with something else at that very moment, so it has three tries.
  it('has it at once after the release, and asks for nothing meanwhile', { retry: 2 }, async () => {
    const lease = unwrap(await process().leases.acquire('r')).lease;
    const waiter = process();
    const waiting = waiter.leases.acquire('r', { waitMs: 60_000 }).then((result) => ({
      result,
      at: performance.now(),
    }));
    await expect.poll(listeners).toBe(1);
    await expect.poll(() => waiter.requests.sent).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(waiter.requests.sent).toBe(2);
    const releasedAt = performance.now();
    await lease.release();
    const { result, at } = await waiting;
    expect(result).toMatchObject({ ok: true, lease: { token: lease.token + 1 } });
    // By polling it would be half a second on average.
    expect(at - releasedAt).toBeLessThan(100);
    expect(waiter.requests.sent).toBe(3);
    await expect.poll(listeners).toBe(0);
  });

  it('has it when a holder that died would have ended', async () => {
    unwrap(await process({}, 200).leases.acquire('r'));
    const { leases, requests } = process();
    expect((await leases.acquire('r', { waitMs: 60_000 })).ok).toBe(true);
    // The clocks are the same here, but the end may be met a millisecond early.
    expect(requests.sent).toBeLessThan(8);
  });

  it('takes turns with 20 others, one at a time', async () => {
    const { leases } = process();
    let inside = 0;
    const tokens = await Promise.all(
      Array.from({ length: 20 }, () =>
        leases.using('r', { waitMs: 60_000 }, async ({ token }) => {
          expect(++inside).toBe(1);
          await redis.ping();
          inside--;
          return token;
        }),
      ),
    );
    expect(new Set(tokens.map((result) => unwrap(result).value)).size).toBe(20);
    await expect.poll(listeners).toBe(0);
  });

  it('polls where it cannot listen', async () => {
    const lease = unwrap(await process().leases.acquire('r')).lease;
    const deaf = process({ subscribe: () => Promise.reject(new Error('no such permission')) });
    const waiting = deaf.leases.acquire('r', { waitMs: 60_000 });
    await expect.poll(() => deaf.requests.sent).toBeGreaterThan(3);
    await lease.release();
    expect((await waiting).ok).toBe(true);
  });

  it('gives up in time, or when it is told to, and leaves nothing behind', async () => {
    unwrap(await process().leases.acquire('r'));
    const { leases } = process();
    expect(await leases.acquire('r', { waitMs: 50 })).toMatchObject({ reason: 'held' });
    const told = new AbortController();
    const waiting = leases.acquire('r', { waitMs: 60_000, signal: told.signal });
    await expect.poll(listeners).toBe(1);
    told.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect.poll(listeners).toBe(0);
  });
});
