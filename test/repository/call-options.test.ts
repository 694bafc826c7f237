import { beforeEach, describe, expect, it } from 'vitest';
import { sessionOf } from '../../src/fence/fence.ts';
import { type Fence, fence, type WriteOptions } from '../../src/index.ts';
import { pause, respond } from '../../src/testing/index.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type Accounts, account, accountsIn } from '../support/accounts.ts';
import { all } from '../support/all.ts';
import { granted } from '../support/fences.ts';
import { noWire } from '../support/no-wire.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

const writes: Record<string, (to: Accounts, fence: Fence, options: WriteOptions) => Promise<unknown>> = {
  create: (to, fence, options) => to.create(fence, { id: 'a' }, options),
  put: (to, fence, options) => to.put(fence, { id: 'a' }, options),
  update: (to, fence, options) => to.update(fence, { id: 'a' }, { balance: 1 }, options),
  delete: (to, fence, options) => to.delete(fence, { id: 'a' }, options),
  claim: (to, fence, options) => to.claim(fence, { id: 'a' }, options),
  modify: (to, fence, options) => to.modify(fence, { id: 'a' }, () => ({ id: 'a' }), options),
};

const reads: Record<string, (to: Accounts, options: WriteOptions) => Promise<unknown>> = {
  get: (to, options) => to.get({ id: 'a' }, options),
  getMany: (to, options) => to.getMany([{ id: 'a' }], options),
  inspect: (to, options) => to.inspect({ id: 'a' }, options),
  query: async (to, options) => all(to.query({ key: { id: 'a' }, ...options })),
  scan: async (to, options) => all(to.scan(options)),
  'scan in segments': async (to, options) => all(to.scan({ ...options, segments: 2 })),
  count: async (to, options) => to.scan(options).count(),
};

describe('before anything is sent', () => {
  const accounts = accountsIn({ client: noWire, tableName: 'accounts' });
  const calls = [
    ...Object.entries(writes).map(
      ([name, write]) =>
        [name, (options: WriteOptions) => write(accounts, granted(account('a'), 7), options)] as const,
    ),
    ...Object.entries(reads).map(
      ([name, read]) => [name, (options: WriteOptions) => read(accounts, options)] as const,
    ),
  ];

  describe.each(calls)('%s', (_, call) => {
    it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '10'])(
      'refuses timeoutMs %o',
      async (timeoutMs) => {
        await expect(call({ timeoutMs: timeoutMs as number })).rejects.toThrow(
          invalidInput('timeoutMs', /length of time/),
        );
      },
    );

    it('stops at a signal that has aborted', async () => {
      const reason = new Error('enough');
      await expect(call({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });
  });

  describe.each(Object.entries(writes))('%s', (_, write) => {
    it('refuses a lease that was released', async () => {
      const lease = granted(account('a'), 7);
      sessionOf(lease).markReleased();
      await expect(write(accounts, lease, {})).rejects.toMatchObject({ code: 'lease-released' });
    });

    it('refuses a lease that is over here, where it shall be held', async () => {
      const lease = granted(account('a'), 7, { remainingMs: () => 0 });
      await expect(write(accounts, lease, { whileHeld: true })).rejects.toMatchObject({
        code: 'lease-expired',
      });
    });

    it('refuses to ask a bare fence whether it is held', async () => {
      await expect(write(accounts, fence(account('a'), 7), { whileHeld: true })).rejects.toThrow(
        invalidInput('whileHeld', /bare fence/),
      );
    });
  });
});

describeEachEngine('a call', (engine) => {
  let table: TestTable;
  beforeEach(async () => {
    table = await testTable(engine);
  });

  it.each(Object.entries(writes))(
    '%s is the storage’s to decide when the lease is over here',
    async (_, write) => {
      const accounts = accountsIn(table);
      const over = granted(account('a'), 7, { remainingMs: () => -1 });
      const held = granted(account('a'), 8, { remainingMs: () => 1 });
      const newer = granted(account('a'), 9);
      expect(await write(accounts, over, { whileHeld: false })).not.toMatchObject({ reason: 'fenced' });
      expect(await write(accounts, held, { whileHeld: true })).not.toMatchObject({ reason: 'fenced' });
      await accounts.claim(newer, { id: 'a' });
      expect(await write(accounts, over, {})).toMatchObject({ reason: 'fenced', lastToken: 9 });
    },
  );

  it('leaves no timer behind', async () => {
    const clock = manualClock();
    const accounts = accountsIn(table, { clock });
    const lease = granted(account('a'), 7);
    for (const write of Object.values(writes)) await write(accounts, lease, {});
    for (const read of Object.values(reads)) await read(accounts, {});
    expect(clock.timers).toBe(0);
  });

  it('asks again whether the lease is held when its turn has come', async () => {
    const accounts = accountsIn(table);
    let remainingMs = 1;
    const lease = granted(account('a'), 7, { remainingMs: () => remainingMs });
    const gate = pause();
    table.faults.add({ on: { op: 'PutItem', nth: 1 }, do: gate });
    const first = accounts.put(lease, { id: 'a', balance: 1 }, { whileHeld: true });
    const second = accounts.put(lease, { id: 'a', balance: 2 }, { whileHeld: true });
    const third = accounts.put(lease, { id: 'a', balance: 3 });
    await gate.reached;
    remainingMs = 0;
    gate.release();
    expect(await first).toMatchObject({ ok: true });
    await expect(second).rejects.toMatchObject({ code: 'lease-expired' });
    expect(await third).toMatchObject({ ok: true });
    expect(table.wire.ops).toEqual(['PutItem', 'PutItem']);
    expect(await table.stored({ id: { S: 'a' } })).toMatchObject({
      balance: { N: '3' },
      _fenceSeq: { N: '2' },
    });
  });

  it.each(['its deadline', 'its signal', 'a release'])(
    'that waits for its turn is not sent after %s, and those behind it keep their places',
    async (what) => {
      const clock = manualClock();
      const accounts = accountsIn(table, { clock });
      const lease = granted(account('a'), 7);
      const gate = pause();
      table.faults.add({ on: { op: 'PutItem', nth: 1 }, do: gate });
      const stop = new AbortController();
      const first = accounts.put(lease, { id: 'a', balance: 1 });
      const second = accounts.put(lease, { id: 'a', balance: 2 }, { timeoutMs: 1_000, signal: stop.signal });
      const third = accounts.put(lease, { id: 'a', balance: 3 });
      const other = accounts.put(lease, { id: 'a', balance: 4 });
      const outcome = second.catch((error: unknown) => error);
      await gate.reached;
      if (what === 'its deadline') {
        await clock.advance(1_000);
        expect(await outcome).toMatchObject({ code: 'unavailable', applied: 'no' });
      } else if (what === 'its signal') {
        stop.abort(new Error('enough'));
        expect(await outcome).toMatchObject({ message: 'enough' });
      } else {
        sessionOf(lease).markReleased();
      }
      expect(table.wire.ops).toEqual(['PutItem']);
      gate.release();
      expect(await first).toMatchObject({ ok: true });
      if (what === 'a release') {
        expect(await outcome).toMatchObject({ code: 'lease-released' });
        await expect(third).rejects.toMatchObject({ code: 'lease-released' });
        await expect(other).rejects.toMatchObject({ code: 'lease-released' });
        expect(table.wire.ops).toEqual(['PutItem']);
        return;
      }
      expect([await third, await other]).toMatchObject([{ ok: true }, { ok: true }]);
      expect(table.wire.requests.map(({ input }) => input.Item.balance.N)).toEqual(['1', '3', '4']);
      expect(await table.stored({ id: { S: 'a' } })).toMatchObject({ balance: { N: '4' } });
      expect(clock.timers).toBe(0);
    },
  );

  it.each(Object.entries(reads))('%s ends in the middle when the caller aborts', async (_, read) => {
    const gate = pause();
    table.faults.add({ do: gate });
    const stop = new AbortController();
    const reason = new Error('enough');
    const reading = read(accountsIn(table), { signal: stop.signal });
    const rejected = expect(reading).rejects.toBe(reason);
    await gate.reached;
    stop.abort(reason);
    await rejected;
    gate.release();
    await table.faults.idle();
    expect(table.wire.ops.length).toBeLessThanOrEqual(2);
  });

  it.each(Object.entries(reads))('%s ends at its deadline', async (_, read) => {
    const clock = manualClock();
    const gate = pause();
    table.faults.add({ do: gate });
    const reading = read(accountsIn(table, { clock }), { timeoutMs: 1_000 });
    const rejected = expect(reading).rejects.toMatchObject({
      ...{ name: 'UnavailableError', code: 'unavailable', next: 'retry', cause: { name: 'TimeoutError' } },
      message: expect.stringMatching(
        /^\w+ of t-\S+ was not answered: the call's 1000 ms are over\. Nothing was applied\. Call again, .*docs\/results\.md#unavailable/,
      ),
    });
    await gate.reached;
    await clock.advance(1_000);
    await rejected;
    gate.release();
    await table.faults.idle();
    expect(clock.timers).toBe(0);
  });

  it.each(['pages', 'items'] as const)('of %s that has failed has not come to the end', async (what) => {
    table.faults.add({ do: respond({ name: 'AccessDeniedException' }) });
    const found = accountsIn(table).scan();
    const reading = what === 'pages' ? found.pages() : found[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toMatchObject({ name: 'AccessDeniedException' });
    await expect(reading.next()).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it('waits for writes of its own lease to the same item only', async () => {
    const accounts = accountsIn(table, { resource: () => 'all' });
    const lease = granted('all', 7);
    const gate = pause();
    table.faults.add({ on: { where: ({ input }) => input.Item?.id?.S === 'a' }, do: gate });
    const first = accounts.put(lease, { id: 'a' });
    await gate.reached;
    expect(await accounts.put(lease, { id: 'b' })).toMatchObject({ ok: true });
    expect(await accounts.claim(granted('all', 6), { id: 'a' })).toMatchObject({ ok: true });
    gate.release();
    expect(await first).toMatchObject({ ok: true, version: expect.stringMatching(/^7\.1\./) });
    expect(await table.stored({ id: { S: 'b' } })).toMatchObject({ _fenceSeq: { N: '2' } });
  });
});
