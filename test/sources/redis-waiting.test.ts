import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stopwatch, systemClock } from '../../src/fence/clock.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import type { Held } from '../../src/lease/lease-result.ts';
import { fromIoredis, type RedisConnection, redisTokenSource } from '../../src/lease/sources/redis.ts';
import { skewedClock } from '../../src/testing/skewed-clock.ts';
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
  const process = (change: Partial<RedisConnection> = {}, ttlMs = 60_000, clock = systemClock) => {
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
    const leases = new LeaseManager({ source: redisTokenSource({ connection: counted }), ttlMs, clock });
    return { leases, requests };
  };
  const listeners = async () => ((await redis.pubsub('NUMSUB', 'fence:{r}:released')) as [string, number])[1];

  it('has it by the release, and asks for nothing meanwhile', async () => {
    const lease = unwrap(await process().leases.acquire('r')).lease;
    const waiter = process();
    const waiting = waiter.leases.acquire('r', { waitMs: 60_000 });
    await expect.poll(listeners).toBe(1);
    await expect.poll(() => waiter.requests.sent).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(waiter.requests.sent).toBe(2);
    await lease.release();
    expect(await waiting).toMatchObject({ ok: true, lease: { token: lease.token + 1 } });
    // Woken, and not by a poll: one request more is the grant itself.
    expect(waiter.requests.sent).toBe(3);
    await expect.poll(listeners).toBe(0);
  });

  it('has it when a holder that died would have ended, however far off its own clock is', async () => {
    const ttlMs = 1_500;
    const skews = [0, -4_000, 4_000, -3_600_000, 3_600_000];
    await Promise.all(
      skews.map(async (skewMs) => {
        const resource = `r${skewMs}`;
        const { lease } = unwrap(await process({}, ttlMs).leases.acquire(resource));
        const { leases, requests } = process({}, 60_000, skewedClock(systemClock, skewMs));
        const held = await leases.acquire(resource);
        expect(held).toMatchObject({ reason: 'held' });
        const { retryAfterMs } = held as Held;
        expect(retryAfterMs).toBeGreaterThan(0);
        expect(retryAfterMs).toBeLessThanOrEqual(ttlMs);
        const elapsed = stopwatch(systemClock);
        const next = unwrap(await leases.acquire(resource, { waitMs: 60_000 })).lease;
        expect(next.token).toBe(lease.token + 1);
        // By its own clock it would wait until its patience ends.
        expect(elapsed()).toBeLessThan(30_000);
        // The end may be met a millisecond early.
        expect(requests.sent).toBeLessThan(9);
      }),
    );
  });

  it('has it by an operator who ends the grant', async () => {
    const other = process().leases;
    unwrap(await other.acquire('r'));
    const waiter = process();
    const elapsed = stopwatch(systemClock);
    const waiting = waiter.leases.acquire('r', { waitMs: 60_000 });
    await expect.poll(listeners).toBe(1);
    await expect.poll(() => waiter.requests.sent).toBe(2);
    const token = await other.raise('r', { above: 1_000 });
    expect(unwrap(await waiting).lease.token).toBeGreaterThan(token);
    expect(elapsed()).toBeLessThan(30_000);
    expect(waiter.requests.sent).toBe(3);
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
