import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountsTable } from '../../examples/demo/accounts.ts';
import { HolderProcess } from '../../examples/demo/holder-process.ts';
import { lockServices } from '../../examples/demo/token-sources.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { FencedRepository } from '../../src/repository/fenced-repository.ts';
import { type LocalDynamoDB, startLocalDynamoDB } from '../../src/testing/index.ts';
import { describeEachSource } from './describe-each-source.ts';
import { startDroppingProxy } from './dropping-proxy.ts';
import { type ServerProcess, startServer } from './server-process.ts';

interface Account {
  readonly id: string;
  readonly balance: number;
}

let db: LocalDynamoDB;
let tables = 0;
beforeAll(async () => {
  db = await startLocalDynamoDB();
});
afterAll(() => db.close());

describeEachSource('under abuse', (kind) => {
  const disposables: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const used of disposables.splice(0).reverse()) await used[Symbol.asyncDispose]();
  });
  const use = <D extends AsyncDisposable>(used: D): D => {
    disposables.push(used);
    return used;
  };
  const start = async () => use(await startServer(kind.server));
  /** A process with a connection of its own, which has met no token yet. */
  const process = async (port: number, ttlMs = 10_000) => {
    const { source } = use(await kind.connect(port, { sessionMs: Math.max(10_000, ttlMs) }));
    return new LeaseManager({ source, ttlMs });
  };
  const acquire = async (leases: LeaseManager, above = 0) =>
    unwrap(await leases.acquire('a1', { above, waitMs: 60_000 })).lease;
  const key = { id: 'a1' };
  const accounts = async () => {
    const tableName = `accounts-${tables++}`;
    await db.createTable({ tableName, partitionKey: 'id' });
    const resource = ({ id }: { id: string }) => id;
    return new FencedRepository<Account, 'id'>({ client: db.client(), tableName, key: ['id'], resource });
  };

  it('one of 200 that ask at once is granted it', async () => {
    const { port } = await start();
    const processes = await Promise.all(Array.from({ length: 10 }, () => process(port)));
    const asked = Array.from({ length: 200 }, (_, n) =>
      processes[n % 10]?.acquire('a1', { timeoutMs: 60_000 }),
    );
    const granted = (await Promise.all(asked)).filter((result) => result?.ok === true);
    expect(granted).toHaveLength(1);
  });

  it('the late write of a holder whose time is over is refused, and its release frees nobody', async () => {
    const { port } = await start();
    const items = await accounts();
    const late = await acquire(await process(port, kind.ttlMs));
    unwrap(await items.put(late, { id: 'a1', balance: 1 }));
    const next = await acquire(await process(port));
    unwrap(await items.put(next, { id: 'a1', balance: 2 }));
    const refused = await items.put(late, { id: 'a1', balance: 3 });
    expect(refused).toMatchObject({ reason: 'fenced', lastToken: next.token, lastHolder: next.holder });
    await late.release();
    expect(await (await process(port)).acquire('a1')).toMatchObject({ reason: 'held', holder: next.holder });
    expect((await items.get(key))?.item.balance).toBe(2);
  });

  it.each([
    ['', false],
    [', while its server is killed and comes back', true],
  ])('a holder that is stopped for longer than its lease%s writes too late', async (_, isKilled) => {
    const server = await start();
    const bank = use(await startLocalDynamoDB());
    await bank.createTable({ tableName: accountsTable, partitionKey: 'id' });
    const Item = { id: { S: 'a1' }, balance: { N: '100' } };
    await bank.client().send(new PutItemCommand({ TableName: accountsTable, Item }));
    const endpoint = await bank.listen();
    const { leaseMs } = lockServices[kind.name];
    const desk = { endpoint, leaseMs, source: kind.name, address: kind.address.of(server.port) };
    const late = use(await HolderProcess.start('late', desk, ['--import', 'tsx']));
    const next = use(await HolderProcess.start('next', desk, ['--import', 'tsx']));
    const withdrawal = { id: 'a1', amount: 30, fenced: true, reading: 'claim' } as const;
    await late.begin(withdrawal);
    late.stop();
    const lateWrite = late.goOn();
    lateWrite.catch(() => undefined);
    if (isKilled) await server.restart();
    await next.begin(withdrawal);
    const written = await next.goOn();
    expect(written.answer).toEqual({ accepted: true });
    late.continue();
    const { answer, token } = await lateWrite;
    expect(token).toBeLessThan(written.token);
    expect(answer).toMatchObject({ reason: 'fenced', lastToken: written.token, lastHolder: written.holder });
  });

  describe.each([0, 1, 2, 3])('where answers are lost after %i pieces of them', (pieces) => {
    let server: ServerProcess;
    const behindProxy = async () => {
      server = await start();
      const proxy = use(await startDroppingProxy(server.port));
      const leases = await process(proxy.port);
      // So that it is connected.
      await (await acquire(leases)).release();
      return { proxy, leases };
    };

    it('an acquire finds what it was granted, and a release ends it', async () => {
      const { proxy, leases } = await behindProxy();
      proxy.deafenAfter(pieces);
      const acquiring = leases.acquire('a1', { waitMs: 60_000, timeoutMs: 400 });
      const settled = acquiring.then(() => true);
      await Promise.race([settled, expect.poll(() => proxy.dropped).toBeGreaterThan(0)]);
      proxy.heal();
      const lease = unwrap(await acquiring).lease;
      const other = await process(server.port);
      expect(await other.acquire('a1')).toMatchObject({
        reason: 'held',
        holder: lease.holder,
        token: lease.token,
      });
      proxy.deafenAfter(pieces);
      const releasing = lease.release({ timeoutMs: 60_000 });
      await Promise.race([releasing, expect.poll(() => proxy.dropped).toBeGreaterThan(0)]);
      proxy.heal();
      await releasing;
      const next = unwrap(await other.acquire('a1', { waitMs: 5_000 })).lease;
      expect(next.token).toBeGreaterThan(lease.token);
    });

    it('a call that gives up leaves nobody waiting for its grant', async () => {
      const { proxy, leases } = await behindProxy();
      proxy.deafenAfter(pieces);
      const failed = await leases.acquire('a1', { timeoutMs: 300 }).catch((error: unknown) => error);
      proxy.heal();
      const other = await process(server.port);
      const given = failed as { ok?: boolean; lease?: AsyncDisposable };
      if (given.ok === true) await given.lease?.[Symbol.asyncDispose]();
      // What it may have been granted ends with its time at the latest.
      expect((await other.acquire('a1', { waitMs: 30_000 })).ok).toBe(true);
    });

    it('a renewal is answered in the end', async () => {
      const { proxy, leases } = await behindProxy();
      const lease = await acquire(leases);
      proxy.deafenAfter(pieces);
      const renewing = lease.renew({ timeoutMs: 60_000 });
      await Promise.race([renewing, expect.poll(() => proxy.dropped).toBeGreaterThan(0)]);
      proxy.heal();
      expect(await renewing).toMatchObject({ ok: true, renewedLate: false });
    });
  });

  describe('a server that is killed', () => {
    it('and comes back with its data knows its holder, and tokens go on', async () => {
      const server = await start();
      const items = await accounts();
      const leases = await process(server.port, 60_000);
      const before = await acquire(leases);
      unwrap(await items.put(before, { id: 'a1', balance: 1 }));
      await server.restart();
      const other = await process(server.port);
      await expect
        .poll(() => other.acquire('a1').catch(() => undefined))
        .toMatchObject({ reason: 'held', holder: before.holder });
      // However long its client took to come back.
      expect(await before.renew({ timeoutMs: 100_000 })).toMatchObject({ ok: true });
      await before.release();
      const after = await acquire(await process(server.port));
      expect(after.token).toBeGreaterThan(before.token);
      expect((await items.put(after, { id: 'a1', balance: 2 })).ok).toBe(true);
    });

    it('and comes back without its data is found out by the items, which say where to go on', async () => {
      const server = await start();
      const items = await accounts();
      const leases = await process(server.port);
      // Some history, as tokens of an empty server are small.
      for (let n = 0; n < 5; n++) await (await acquire(leases)).release();
      const before = await acquire(leases);
      unwrap(await items.put(before, { id: 'a1', balance: 1 }));
      await server.restart({ withoutData: true });
      await expect.poll(() => before.renew().catch(() => undefined)).toMatchObject({ reason: 'lost' });
      const after = await acquire(await process(server.port));
      expect(after.token).toBeLessThan(before.token);
      expect(await items.claim(after, key)).toMatchObject({ reason: 'fenced', lastToken: before.token });
      await after.release();
      const above = await acquire(await process(server.port), before.token);
      expect(above.token).toBe(before.token + 1);
      expect((await items.claim(above, key)).ok).toBe(true);
      await above.release();
      // From now on everybody is given larger ones, also who has met none.
      const next = await acquire(await process(server.port));
      expect(next.token).toBeGreaterThan(above.token);
    });

    it('and is given the same number to another holder is found out as well', async () => {
      const server = await start();
      const items = await accounts();
      const before = await acquire(await process(server.port));
      unwrap(await items.put(before, { id: 'a1', balance: 1 }));
      await server.restart({ withoutData: true });
      const same = await acquire(await process(server.port), before.token - 1);
      expect(same.token).toBe(before.token);
      expect(await items.claim(same, key)).toMatchObject({ reason: 'token-reused', lastToken: before.token });
    });

    it('for a moment while somebody waits: it is granted in the end', async () => {
      const server = await start();
      const lease = await acquire(await process(server.port, kind.ttlMs));
      const waiting = acquire(await process(server.port));
      await new Promise((resolve) => setTimeout(resolve, 300));
      await server.restart();
      expect((await waiting).token).toBeGreaterThan(lease.token);
    });
  });
});
