import { expect, it } from 'vitest';
import { add, append } from '../../src/expressions.ts';
import { transact } from '../../src/index.ts';
import { manualClock, pause, type WireRequest } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { account } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { bank, leasesOn, open, written } from './bank.ts';

const turns = async (count = 30) => {
  for (let turn = 0; turn < count; turn++) await new Promise((go) => setImmediate(go));
};

describeEachEngine('the order of what a lease does', (engine) => {
  it('holds item by item, across single writes and transactions', async () => {
    const gate = pause();
    const { accounts, stored, sent } = await bank(engine, {
      with: [open('a', 0), open('b', 0)],
      rules: [{ on: { nth: 1 }, do: gate }],
    });
    const [a, b] = leasesOn(42, ['a', 'b']);
    const note = (by: typeof a, id: string, text: string) =>
      accounts.update(by, { id }, { entries: append([text]) });
    const both = (text: string) =>
      transact([
        accounts.plan.update(a, { id: 'a' }, { entries: append([text]) }),
        accounts.plan.update(b, { id: 'b' }, { entries: append([text]) }),
      ]);
    const calls = [note(a, 'a', '1'), both('2'), note(b, 'b', '3'), both('4'), note(a, 'a', '5')];
    await gate.reached;
    await turns();
    // Only the first is on its way: what stands behind it on either item waits.
    expect(sent()).toEqual(['UpdateItem']);
    gate.release();
    for (const result of await Promise.all(calls)) expect(result.ok).toBe(true);
    const entries = async (id: string) => (await stored(id))?.entries?.L?.map(({ S }) => S);
    expect(await entries('a')).toEqual(['1', '2', '4', '5']);
    expect(await entries('b')).toEqual(['2', '3', '4']);
  });

  it('holds for checks as well', async () => {
    const gate = pause();
    const { accounts } = await bank(engine, { with: [open('a', 0)], rules: [{ on: { nth: 1 }, do: gate }] });
    const [a, z] = leasesOn(42, ['a', 'z']);
    const first = accounts.put(a, { id: 'a', balance: 9 });
    const second = transact([
      accounts.plan.check(a, { id: 'a' }, { when: { balance: 9 } }),
      accounts.plan.create(z, { id: 'z' }),
    ]);
    await gate.reached;
    gate.release();
    expect(await first).toMatchObject({ ok: true });
    expect(await second).toMatchObject({ ok: true });
  });

  it('lets no two transactions wait for each other, whatever the order of their steps', async () => {
    const { accounts, stored } = await bank(engine, { with: [open('a', 0), open('b', 0)] });
    const [a, b] = leasesOn(42, ['a', 'b']);
    const moves = Array.from({ length: 10 }, (_, n) => {
      const one = accounts.plan.update(a, { id: 'a' }, { balance: add(1) });
      const other = accounts.plan.update(b, { id: 'b' }, { balance: add(1) });
      return transact(n % 2 === 0 ? [one, other] : [other, one]);
    });
    for (const result of await Promise.all(moves)) expect(result.ok).toBe(true);
    expect(await stored('a')).toEqual(written('a', 10, a, 10));
    expect(await stored('b')).toEqual(written('b', 10, b, 10));
  });

  it('does not keep other items of the same lease waiting', async () => {
    const gate = pause();
    const isHeld = ({ input }: WireRequest) => input.Item?.id?.S === 'a';
    const { accounts } = await bank(engine, {
      rules: [{ on: { where: isHeld }, do: gate }],
      resource: () => 'r',
    });
    const lease = granted('r', 42);
    const held = accounts.put(lease, { id: 'a' });
    await gate.reached;
    const free = await transact([
      accounts.plan.put(lease, { id: 'b' }),
      accounts.plan.put(lease, { id: 'c' }),
    ]);
    expect(free).toMatchObject({ ok: true, versions: [`42.2.${lease.holder}`, `42.2.${lease.holder}`] });
    gate.release();
    expect(await held).toMatchObject({ ok: true });
  });

  it('is unavailable where its turn does not come in time, and those behind it go on', async () => {
    const gate = pause();
    const clock = manualClock();
    const { accounts, sent } = await bank(engine, {
      with: [open('a', 0), open('b', 0)],
      rules: [{ on: { nth: 1 }, do: gate }],
      clock,
    });
    const [a, b] = leasesOn(42, ['a', 'b']);
    const first = accounts.put(a, { id: 'a' });
    await gate.reached;
    const steps = [accounts.plan.put(a, { id: 'a' }), accounts.plan.put(b, { id: 'b' })];
    const late = transact(steps, { timeoutMs: 100 }).catch((e) => e);
    const behind = accounts.put(b, { id: 'b', balance: 3 });
    await clock.advance(100);
    expect(await late).toMatchObject({
      ...{ code: 'unavailable', applied: 'no' },
      message: expect.stringContaining('account/a, account/b'),
    });
    expect(await behind).toMatchObject({ ok: true });
    gate.release();
    expect(await first).toMatchObject({ ok: true });
    expect(sent()).toEqual(['PutItem', 'PutItem']);
    expect(clock.timers).toBe(0);
  });

  it('is fenced while it waits, without a request, where the one before it was', async () => {
    const gate = pause();
    const fencedOff = written('a', 1, { token: 43, holder: 'newer' }, 1);
    const { accounts, sent, stored } = await bank(engine, {
      with: [fencedOff, open('b', 0)],
      rules: [{ on: { nth: 1 }, do: gate }],
    });
    const [a, b] = leasesOn(42, ['a', 'b']);
    const first = accounts.put(a, { id: 'a' });
    const second = transact({
      other: accounts.plan.put(b, { id: 'b' }),
      same: accounts.plan.put(a, { id: 'a' }),
      check: accounts.plan.check(a, { id: 'a' }),
    });
    await gate.reached;
    gate.release();
    expect(await first).toMatchObject({ reason: 'fenced' });
    const result = await second;
    expect(result).toMatchObject({ reason: 'fenced', step: 'same', lastToken: 43, applied: 'no' });
    expect(!result.ok && result.refused.map(({ step }) => step)).toEqual(['same', 'check']);
    expect(sent()).not.toContain('TransactWriteItems');
    expect(await stored('b')).toEqual(open('b', 0));
  });

  it('H4: of fifty that want one slot, one gets it', async () => {
    const { accounts, others, stored } = await bank(engine);
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) => {
        const slot = granted(account('slot'), n + 1);
        const booking = granted(account(`booking-${n}`), 1);
        return transact({
          slot: accounts.plan.create(slot, { id: 'slot', balance: n }),
          booking: accounts.plan.create(booking, { id: `booking-${n}` }),
        });
      }),
    );
    const won = results.flatMap((result, n) => (result.ok ? [n] : []));
    expect(won).toHaveLength(1);
    for (const result of results) if (!result.ok) expect(['exists', 'fenced']).toContain(result.reason);
    expect((await stored('slot'))?.balance).toEqual({ N: `${won[0]}` });
    const bookings = await others.getMany(results.map((_, n) => ({ id: `booking-${n}` })));
    expect(bookings.flatMap((found, n) => (found === undefined ? [] : [n]))).toEqual(won);
  });
});
