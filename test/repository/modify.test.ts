import { beforeEach, expect, it, vi } from 'vitest';
import { fence, type WriteOptions } from '../../src/index.ts';
import type { Fault } from '../../src/testing/index.ts';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type Account, type Accounts, account, accountsIn } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

describeEachEngine('modify', (engine) => {
  let table: TestTable;
  let accounts: Accounts;
  beforeEach(async () => {
    table = await testTable(engine);
    accounts = accountsIn(table);
  });
  const id = { S: 'a' };

  it('claims, changes, and puts what was returned', async () => {
    await accounts.put(granted(account('a'), 41), { id: 'a', balance: 100, note: 'old' });
    table.wire.forget();
    const lease = granted(account('a'), 42);
    const change = vi.fn((item: Account | undefined) => ({ id: 'a', balance: (item?.balance ?? 0) - 30 }));
    expect(await accounts.modify(lease, { id: 'a' }, change)).toStrictEqual({
      ok: true,
      item: { id: 'a', balance: 70 },
      version: `42.2.${lease.holder}`,
      token: 42,
      replayed: false,
    });
    expect(change.mock.calls).toStrictEqual([[{ id: 'a', balance: 100, note: 'old' }]]);
    expect(table.wire.ops).toEqual(['UpdateItem', 'PutItem']);
    expect(await table.stored({ id })).toEqual({
      id,
      balance: { N: '70' },
      _fence: { N: '42' },
      _fenceHolder: { S: lease.holder },
      _fenceSeq: { N: '2' },
      _fenceVersion: { S: `42.2.${lease.holder}` },
    });
  });

  it.each(['absent', 'deleted'])('creates the item where it is %s', async (state) => {
    if (state === 'deleted') {
      const before = granted(account('a'), 41);
      await accounts.put(before, { id: 'a', balance: 1 });
      await accounts.delete(before, { id: 'a' });
    }
    const change = vi.fn(async () => ({ id: 'a', balance: 5 }));
    expect(await accounts.modify(granted(account('a'), 42), { id: 'a' }, change)).toMatchObject({ ok: true });
    expect(change.mock.calls).toStrictEqual([[undefined]]);
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '5' }, _fence: { N: '42' } });
  });

  it('adopts an item that was never fenced', async () => {
    await table.plant({ id, balance: { N: '9' } });
    const add = (item: Account | undefined) => ({ id: 'a', balance: (item?.balance ?? 0) + 1 });
    expect(await accounts.modify(granted(account('a'), 42), { id: 'a' }, add)).toMatchObject({
      ok: true,
      item: { balance: 10 },
    });
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '10' }, _fence: { N: '42' } });
  });

  it('fences an older holder before it reads', async () => {
    const old = granted(account('a'), 41);
    await accounts.put(old, { id: 'a', balance: 100 });
    let late: unknown;
    const result = await accounts.modify(granted(account('a'), 42), { id: 'a' }, async (item) => {
      late = await accounts.put(old, { id: 'a', balance: 90 });
      return { id: 'a', balance: (item?.balance ?? 0) - 30 };
    });
    expect(late).toMatchObject({ ok: false, reason: 'fenced', lastToken: 42 });
    expect(result).toMatchObject({ ok: true, item: { balance: 70 } });
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '70' } });
  });

  it('writes nothing where a newer holder comes in between', async () => {
    await accounts.put(granted(account('a'), 41), { id: 'a', balance: 100 });
    const result = await accounts.modify(granted(account('a'), 42), { id: 'a' }, async () => {
      await accounts.put(granted(account('a'), 43), { id: 'a', balance: 1 });
      return { id: 'a', balance: 2 };
    });
    expect(result).toMatchObject({ ok: false, reason: 'fenced', lastToken: 43, applied: 'no' });
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '1' }, _fence: { N: '43' } });
  });

  it('writes nothing where its own lease has written in between', async () => {
    const lease = granted(account('a'), 42);
    await accounts.put(lease, { id: 'a', balance: 100 });
    const result = await accounts.modify(lease, { id: 'a' }, async () => {
      await accounts.put(lease, { id: 'a', balance: 1 });
      return { id: 'a', balance: 2 };
    });
    expect(result).toStrictEqual({
      ok: false,
      reason: 'version',
      item: { id: 'a', balance: 1 },
      version: `42.3.${lease.holder}`,
    });
    const created = await accounts.modify(granted(account('b'), 42), { id: 'b' }, async () => {
      await table.plant({ id: { S: 'b' } });
      return { id: 'b', balance: 2 };
    });
    expect(created).toStrictEqual({ ok: false, reason: 'exists', item: { id: 'b' }, version: 'unfenced' });
  });

  it('does not call the change under an older fence', async () => {
    await accounts.put(granted(account('a'), 42), { id: 'a', balance: 100 });
    const change = vi.fn(() => ({ id: 'a' }));
    expect(await accounts.modify(granted(account('a'), 41), { id: 'a' }, change)).toMatchObject({
      reason: 'fenced',
    });
    expect(change).not.toHaveBeenCalled();
  });

  it('writes nothing but the claim where the change throws, and lets that error through', async () => {
    await accounts.put(granted(account('a'), 41), { id: 'a', balance: 100 });
    const before = await table.stored({ id });
    const lease = granted(account('a'), 42);
    const failure = new Error('no');
    const fails = (): never => {
      throw failure;
    };
    for (const change of [fails, async () => fails()]) {
      await expect(accounts.modify(lease, { id: 'a' }, change)).rejects.toThrow(failure);
    }
    expect(await table.stored({ id })).toEqual({
      ...before,
      _fence: { N: '42' },
      _fenceHolder: { S: lease.holder },
      _fenceSeq: { N: '2' },
    });
  });

  it.each<[string, unknown, string, RegExp]>([
    ['another item', { id: 'b', balance: 0 }, 'change', /another key/],
    ['an item that cannot be stored', { id: 'a', data: new Date(0) }, 'item.data', /Date/],
    ['no item', undefined, 'change', /no item/],
  ])('refuses a change that returns %s', async (_, next, path, message) => {
    const lease = granted(account('a'), 42);
    await expect(accounts.modify(lease, { id: 'a' }, () => next as Account)).rejects.toThrow(
      invalidInput(path, message),
    );
    expect(table.wire.ops).toEqual(['UpdateItem']);
    expect(await accounts.get({ id: 'a' })).toBeUndefined();
  });

  it('refuses a fence that carries one request, before anything is sent', async () => {
    const one = fence(account('a'), 42, { holder: 'me', seq: 1 });
    const change = vi.fn(() => ({ id: 'a' }));
    await expect(accounts.modify(one, { id: 'a' }, change)).rejects.toThrow(
      invalidInput('fence', /two writes/),
    );
    expect(change).not.toHaveBeenCalled();
    expect(table.wire.ops).toEqual([]);
  });

  it.each([
    ['when', { when: { balance: 1 } }],
    ['ifVersion', { ifVersion: 'unfenced' }],
  ])('refuses %s before anything is sent: a program without types may pass it', async (path, options) => {
    const change = vi.fn(() => ({ id: 'a' }));
    await expect(
      accounts.modify(granted(account('a'), 42), { id: 'a' }, change, options as WriteOptions),
    ).rejects.toThrow(invalidInput(path, /modify\(\) takes no condition/));
    expect(change).not.toHaveBeenCalled();
    expect(table.wire.ops).toEqual([]);
  });

  it('takes a bare fence', async () => {
    await accounts.put(fence(account('a'), 42), { id: 'a', balance: 1 });
    const result = await accounts.modify(fence(account('a'), 42), { id: 'a' }, () => ({
      id: 'a',
      balance: 2,
    }));
    expect(result).toMatchObject({ ok: true, item: { balance: 2 } });
  });

  it('bounds both of its requests together, and not what the change does in between', async () => {
    const clock = manualClock();
    const slow = accountsIn(table, { clock });
    table.faults.add({ do: takes(600, clock) });
    const modify = (timeoutMs: number, token: number) =>
      slow.modify(
        granted(account('a'), token),
        { id: 'a' },
        async () => {
          await clock.advance(100_000);
          return { id: 'a', balance: token };
        },
        { timeoutMs },
      );
    expect(await modify(1_300, 41)).toMatchObject({ ok: true });
    await expect(modify(1_100, 42)).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(clock.timers).toBe(0);
  });
});

/** An answer that takes its time. */
function takes(ms: number, clock: ManualClock): Fault {
  return {
    name: 'takes',
    async inject({ deliver }) {
      const answer = await deliver();
      await clock.advance(ms);
      return answer;
    },
  };
}
