import { describe, expect, it } from 'vitest';
import { add } from '../../src/expressions.ts';
import { transact } from '../../src/index.ts';
import {
  conflict,
  delay,
  dropResponse,
  hang,
  manualClock,
  refuse,
  respond,
  seededRandom,
  startLocalDynamoDB,
  throttle,
} from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { accountsIn } from '../support/accounts.ts';
import { bank, leasesOn, open } from './bank.ts';
import { cancelled } from './cancelled.ts';

const isWrite = { op: 'TransactWriteItems' } as const;
const funds = [open('a', 100), open('b', 5)];

describeEachEngine('a transaction that meets others', (engine) => {
  const steps = ({ plan }: ReturnType<typeof accountsIn>) => {
    const [a, b] = leasesOn(42, ['a', 'b']);
    return {
      debit: plan.update(a, { id: 'a' }, { balance: add(-30) }),
      credit: plan.update(b, { id: 'b' }, { balance: add(30) }),
    };
  };

  it.each([
    ['B9: a conflict', () => conflict()],
    ['B9: a conflict as a single write meets it', () => respond({ name: 'TransactionConflictException' })],
    ['B10: a conflict on its second item', () => cancelled('None', 'TransactionConflict')],
    ['B10: throttling of its first item', () => cancelled('ThrottlingError', 'None')],
    ['B10: no capacity for its first item', () => cancelled('ProvisionedThroughputExceeded', 'None')],
    ['both', () => cancelled('ProvisionedThroughputExceeded', 'TransactionConflict')],
    ['throttling of the whole', () => throttle()],
  ])('%s: is sent again, more often than the client would', async (_, fault) => {
    const { accounts, stored, transactions, faults } = await bank(engine, {
      with: funds,
      maxAttempts: 2,
      rules: [{ on: { ...isWrite, nth: [1, 2, 3, 4, 5] }, do: fault() }],
    });
    expect(await transact(steps(accounts))).toMatchObject({ ok: true, replayed: false });
    expect(faults.bites()).toBe(5);
    expect(new Set(transactions().map(({ ClientRequestToken }) => ClientRequestToken)).size).toBe(1);
    expect((await stored('a'))?.balance).toEqual({ N: '70' });
    expect((await stored('b'))?.balance).toEqual({ N: '35' });
  });

  it.each([
    ['conflicts', () => cancelled('None', 'TransactionConflict'), ['credit'], 5_000],
    ['throttling reasons', () => cancelled('ThrottlingError', 'None'), ['debit'], 5_000],
    ['throttling', () => throttle(), [], 5_000],
  ] as const)(
    'is contention after %s until its deadline, never fenced',
    async (_, fault, in_the_way, most) => {
      const clock = manualClock();
      const random = { ...seededRandom(7), unit: () => 0.5 };
      const { accounts, stored, tableName, faults, passing } = await bank(engine, {
        with: funds,
        rules: [{ on: isWrite, do: fault() }],
        ...{ clock, random },
      });
      const call = transact(steps(accounts), { timeoutMs: 9_000 });
      const result = await passing(clock, call, 25);
      const refused = in_the_way.map((step) => ({
        ...{ ok: false, reason: 'contention', retryAfterMs: expect.any(Number) },
        ...{ step, tableName, key: { id: step === 'debit' ? 'a' : 'b' } },
      }));
      expect(result).toEqual({
        ok: false,
        reason: 'contention',
        step: undefined,
        retryAfterMs: expect.any(Number),
        ...refused[0],
        refused,
      });
      expect(result.ok || (result.reason === 'contention' && result.retryAfterMs)).toBeLessThanOrEqual(most);
      // Half of 25 ms (or 200), doubled each time up to half of 5 s.
      expect(faults.bites()).toBeGreaterThan(6);
      expect(faults.bites()).toBeLessThan(16);
      expect(clock.timers).toBe(0);
      expect(await stored('a')).toEqual(funds[0]);
      expect(await stored('b')).toEqual(funds[1]);
    },
  );

  it('is unknown where its own copy was in progress until the deadline: that one may be applied', async () => {
    const clock = manualClock();
    const { accounts, passing } = await bank(engine, {
      with: funds,
      rules: [{ on: isWrite, do: respond({ name: 'TransactionInProgressException' }) }],
      ...{ clock, random: { ...seededRandom(7), unit: () => 0.5 } },
    });
    const call = transact(steps(accounts), { timeoutMs: 3_000 }).catch((e) => e);
    expect(await passing(clock, call, 25)).toMatchObject({
      ...{ code: 'outcome-unknown', applied: 'unknown' },
      cause: { name: 'TransactionInProgressException' },
    });
  });

  it('is unknown where one copy was lost, and all others were turned away', async () => {
    const clock = manualClock();
    const { accounts, stored, faults, passing } = await bank(engine, {
      with: funds,
      rules: [
        { on: { ...isWrite, nth: 2 }, do: dropResponse() },
        { on: isWrite, do: conflict() },
      ],
      ...{ clock, random: { ...seededRandom(7), unit: () => 0.5 } },
    });
    const call = transact(steps(accounts), { timeoutMs: 3_000 }).catch((e) => e);
    const error = await passing(clock, call, 25);
    expect(error).toMatchObject({ code: 'outcome-unknown' });
    faults.heal();
    expect(await error.resolve()).toMatchObject({ ok: true, replayed: true });
    expect((await stored('a'))?.balance).toEqual({ N: '70' });
  });

  it('gives up copies of which nobody knows what became after as many as the client may send', async () => {
    const { accounts, sent } = await bank(engine, {
      with: funds,
      rules: [{ on: isWrite, do: dropResponse() }],
    });
    await expect(transact(steps(accounts))).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(sent()).toHaveLength(4);
  });

  it('is unavailable, with nothing applied, where nobody takes it', async () => {
    const { accounts, stored } = await bank(engine, { with: funds, rules: [{ on: isWrite, do: refuse() }] });
    await expect(transact(steps(accounts))).rejects.toMatchObject({
      ...{ code: 'unavailable', applied: 'no' },
      message: expect.stringMatching(/^TransactWriteItems of t-/),
    });
    expect(await stored('a')).toEqual(funds[0]);
  });

  it('ends when its caller does', async () => {
    const { accounts, faults, sent } = await bank(engine, { with: funds });
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await expect(transact(steps(accounts), { signal: stop.signal })).rejects.toThrow('enough');
    expect(sent()).toEqual([]);

    const later = new AbortController();
    faults.add({ on: isWrite, do: hang() });
    const call = transact(steps(accounts), { signal: later.signal }).catch((e) => e);
    while (faults.bites('hang') === 0) await new Promise((go) => setImmediate(go));
    later.abort(new Error('enough'));
    // It was on its way, so nobody knows.
    expect(await call).toMatchObject({ code: 'outcome-unknown' });
  });

  it('ends at its deadline where no answer comes', async () => {
    const clock = manualClock();
    const { accounts, faults } = await bank(engine, {
      with: funds,
      rules: [{ on: isWrite, do: hang() }],
      clock,
    });
    const call = transact(steps(accounts), { timeoutMs: 150 }).catch((e) => e);
    while (faults.bites('hang') === 0) await new Promise((go) => setImmediate(go));
    await clock.advance(150);
    expect(await call).toMatchObject({ code: 'outcome-unknown', cause: { name: expect.any(String) } });
    expect([faults.bites(), clock.timers]).toEqual([1, 0]);
  });

  it('goes on after a slow answer', async () => {
    const { accounts, stored } = await bank(engine, { with: funds, rules: [{ on: isWrite, do: delay(20) }] });
    expect(await transact(steps(accounts))).toMatchObject({ ok: true });
    expect((await stored('b'))?.balance).toEqual({ N: '35' });
  });
});

describe('real conflicts', () => {
  it('of many transfers between two accounts: each is applied once, or refused', async () => {
    await using db = await startLocalDynamoDB({ conflicts: 'reject' });
    await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
    const accounts = accountsIn({ client: db.client(), tableName: 'accounts' });
    const [a, b] = leasesOn(42, ['a', 'b']);
    await accounts.put(a, { id: 'a', balance: 100 });
    await accounts.put(b, { id: 'b', balance: 100 });
    const transfers = Array.from({ length: 20 }, (_, n) => {
      // Leases of their own: nothing but the storage keeps them apart.
      const [from, to] = n % 2 === 0 ? (['a', 'b'] as const) : (['b', 'a'] as const);
      const [x, y] = leasesOn(43 + n, [from, to]);
      const transfer = {
        debit: accounts.plan.update(x, { id: from }, { balance: add(-1) }),
        credit: accounts.plan.update(y, { id: to }, { balance: add(1) }),
      };
      // How often they meet is the machine's affair: where it is busy, they meet for longer than a call waits by default.
      return transact(transfer, { timeoutMs: 60_000 });
    });
    const results = await Promise.all(transfers);
    const reasons = new Set(results.map((result) => (result.ok ? 'ok' : result.reason)));
    expect([...reasons].every((reason) => reason === 'ok' || reason === 'fenced')).toBe(true);
    expect(reasons).toContain('ok');
    const [one, other] = await accounts.getMany([{ id: 'a' }, { id: 'b' }]);
    expect((one?.item.balance ?? 0) + (other?.item.balance ?? 0)).toBe(200);
    const moved = results.reduce((sum, { ok }, n) => sum + (ok ? (n % 2 === 0 ? -1 : 1) : 0), 0);
    expect(one?.item.balance).toBe(100 + moved);
  });
});
