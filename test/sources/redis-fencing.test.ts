import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unwrap } from '../../src/fence/unwrap.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { fromIoredis, redisTokenSource } from '../../src/lease/sources/redis.ts';
import { FencedRepository } from '../../src/repository/fenced-repository.ts';
import { type LocalDynamoDB, startLocalDynamoDB } from '../../src/testing/index.ts';
import { runExample } from '../examples/run-example.ts';
import { installed } from './installed.ts';
import { durableRedis, forgetfulRedis } from './redis-server.ts';
import { type ServerKind, type ServerProcess, startServer } from './server-process.ts';

interface Account {
  readonly id: string;
  readonly balance: number;
}

/** Redis issues, DynamoDB refuses. */
describe.skipIf(!installed.has('redis'))('tokens of Redis at an item', () => {
  let db: LocalDynamoDB;
  let accounts: FencedRepository<Account, 'id'>;
  const key = { id: 'a1' };
  let tables = 0;

  beforeAll(async () => {
    db = await startLocalDynamoDB();
  });
  beforeEach(async () => {
    const tableName = `accounts-${tables++}`;
    await db.createTable({ tableName, partitionKey: 'id' });
    accounts = new FencedRepository<Account, 'id'>({
      client: db.client(),
      tableName,
      key: ['id'],
      resource: ({ id }) => id,
    });
  });
  afterAll(() => db.close());

  /** A server of its own, and processes that lease from it, each over its own connection. */
  const withRedis = async (
    kind: ServerKind,
    work: (server: ServerProcess, process: (ttlMs?: number) => LeaseManager) => Promise<void>,
  ) => {
    await using server = await startServer(kind);
    const clients: Redis[] = [];
    try {
      await work(server, (ttlMs = 10_000) => {
        const client = new Redis(server.port, '127.0.0.1', { retryStrategy: () => 20 });
        client.on('error', () => {});
        clients.push(client);
        return new LeaseManager({ source: redisTokenSource({ connection: fromIoredis(client) }), ttlMs });
      });
    } finally {
      for (const client of clients) client.disconnect();
    }
  };
  const acquire = async (leases: LeaseManager, above = 0) =>
    unwrap(await leases.acquire('a1', { above, waitMs: 20_000 })).lease;

  it('a holder that is late is refused, and its lease learns of it', () =>
    withRedis(forgetfulRedis, async (_, process) => {
      const late = await acquire(process(20));
      unwrap(await accounts.put(late, { id: 'a1', balance: 1 }));
      const next = await acquire(process());
      unwrap(await accounts.put(next, { id: 'a1', balance: 2 }));
      const refused = await accounts.put(late, { id: 'a1', balance: 3 });
      expect(refused).toMatchObject({ reason: 'fenced', lastToken: next.token, lastHolder: next.holder });
      expect(late.signal.aborted).toBe(true);
      await late.release();
      expect((await process().acquire('a1')).ok).toBe(false);
      expect((await accounts.get(key))?.item.balance).toBe(2);
    }));

  it('200 that ask at once: one is granted it', () =>
    withRedis(forgetfulRedis, async (_, process) => {
      const processes = Array.from({ length: 10 }, () => process());
      const asked = Array.from({ length: 200 }, (_, n) => processes[n % 10]?.acquire('a1'));
      const granted = (await Promise.all(asked)).filter((result) => result?.ok === true);
      expect(granted).toHaveLength(1);
    }));

  it('go on after a SIGKILL where every write was synced, under the same holder', () =>
    withRedis(durableRedis, async (server, process) => {
      const leases = process();
      const before = await acquire(leases);
      unwrap(await accounts.put(before, { id: 'a1', balance: 1 }));
      await server.restart();
      expect(await leases.acquire('a1')).toMatchObject({ reason: 'held', holder: before.holder });
      expect(await before.renew()).toMatchObject({ ok: true, renewedLate: false });
      await before.release();
      const after = await acquire(leases);
      expect(after.token).toBe(before.token + 1);
      expect((await accounts.put(after, { id: 'a1', balance: 2 })).ok).toBe(true);
    }));

  it('start again where the data is lost: the item refuses them, and says where to go on', () =>
    withRedis(durableRedis, async (server, process) => {
      const first = process();
      await (await acquire(first)).release();
      const before = await acquire(first);
      expect(before.token).toBe(2);
      unwrap(await accounts.put(before, { id: 'a1', balance: 1 }));
      await server.restart({ withoutData: true });
      expect(await before.renew()).toMatchObject({ reason: 'lost' });

      const second = process();
      const less = await acquire(second);
      expect(less.token).toBe(1);
      expect(await accounts.claim(less, key)).toMatchObject({ reason: 'fenced', lastToken: 2 });
      await less.release();
      // A process that has not met the item's token yet is given the number that was used before.
      const same = await acquire(process());
      expect(same.token).toBe(2);
      expect(await accounts.claim(same, key)).toMatchObject({ reason: 'token-reused', lastToken: 2 });
      await same.release();
      const above = await acquire(process(), 2);
      expect(above.token).toBe(3);
      expect((await accounts.claim(above, key)).ok).toBe(true);
    }));

  it('the example runs', () =>
    withRedis(forgetfulRedis, async ({ port }) => {
      const env = { REDIS_URL: `redis://127.0.0.1:${port}` };
      const { code, stdout, stderr } = await runExample('examples/sources/redis.ts', [], env);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toBe('70 left, under token 1\nrefused as token-reused, accepted: true\n');
    }));
});
