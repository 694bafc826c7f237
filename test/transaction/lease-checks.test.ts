import { describe, expect, it } from 'vitest';
import { add } from '../../src/expressions.ts';
import { type LeaseManagerOptions, transact, unwrap } from '../../src/index.ts';
import { conflict, dropResponse, serverError } from '../../src/testing/index.ts';
import { describeEachEngine, type EngineUnderTest } from '../engines/describe-each-engine.ts';
import { freeRow, TTL_MS, testLeases } from '../lease/lease-table.ts';
import { whilePending } from '../lease/world.ts';
import { account, accountsIn } from '../support/accounts.ts';
import { testTable } from '../support/test-table.ts';
import { open, written } from './bank.ts';

/** Leases and accounts behind one client, as a program has them. */
async function office(engine: EngineUnderTest) {
  const rows = await testTable(engine);
  const leases = await testLeases(engine);
  const { client, clock } = leases;
  const accounts = accountsIn({ client, tableName: rows.tableName });
  const holding = async (name: string, options?: Partial<LeaseManagerOptions<never>>) => {
    const manager = leases.process(name, options as object);
    return { manager, lease: unwrap(await manager.acquire(account('a'))).lease };
  };
  return { ...leases, clock, accounts, rows, holding, row: () => leases.stored(account('a')) };
}

describeEachEngine('a lease that is checked in a transaction', (engine) => {
  it('closes the gap that get and update leave, without a claim', async () => {
    const { accounts, rows, clock, holding } = await office(engine);
    await rows.plant(open('a', 100), open('b', 100));
    const old = await holding('old');
    await clock.advance(TTL_MS);
    const next = await holding('next');

    // The new holder reads. Its lease is granted, and neither item has heard of it.
    const seen = await accounts.get({ id: 'a' });
    // The old holder writes late, and is admitted: the gap. What was read is no longer true.
    const unchecked = await accounts.update(old.lease, { id: 'a' }, { balance: add(-10) });
    expect([seen?.item.balance, unchecked.ok]).toEqual([100, true]);

    // With the check it is refused, although nobody has written or claimed the item under the newer lease.
    const checked = await transact({
      debit: accounts.plan.update(old.lease, { id: 'a' }, { balance: add(-10) }),
      held: old.manager.check(old.lease),
    });
    expect(checked).toMatchObject({
      ...{ ok: false, reason: 'fenced', step: 'held', token: old.lease.token },
      ...{ lastToken: next.lease.token, lastHolder: next.lease.holder, applied: 'no' },
    });
    const afterGap = await rows.stored({ id: { S: 'a' } });
    expect(afterGap).toEqual(written('a', 90, old.lease, 1));

    // It knows now, so the gap is closed for its single writes too.
    expect(old.lease.signal.aborted).toBe(true);
    expect(await accounts.put(old.lease, { id: 'a' })).toMatchObject({ reason: 'fenced' });
    const own = await transact({
      debit: accounts.plan.update(next.lease, { id: 'a' }, { balance: add(-30) }),
      held: next.manager.check(next.lease),
    });
    expect(own).toStrictEqual({
      ...{ ok: true, replayed: false },
      versions: { debit: `${next.lease.token}.1.${next.lease.holder}`, held: undefined },
    });
    expect(await rows.stored({ id: { S: 'a' } })).toEqual(written('a', 60, next.lease, 1));
  });

  it('says lost where the lease was released elsewhere, or its row is gone, and writes nothing', async () => {
    const { accounts, rows, holding, plant, tableName } = await office(engine);
    await rows.plant(open('a', 100));
    const { manager, lease } = await holding('p');
    const steps = () => ({
      debit: accounts.plan.update(lease, { id: 'a' }, { balance: add(-10) }),
      held: manager.check(lease),
    });
    await plant(freeRow(account('a'), lease.token));
    const lost = {
      ...{ ok: false, reason: 'lost', resource: account('a'), token: lease.token, holder: lease.holder },
      ...{ step: 'held', tableName, key: { resource: account('a') } },
    };
    expect(await transact(steps())).toStrictEqual({ ...lost, refused: [lost] });
    expect(await rows.stored({ id: { S: 'a' } })).toEqual(open('a', 100));
  });

  it('refuses without a request once it is known to be fenced, also where it is only checked', async () => {
    const { accounts, clock, holding, wire } = await office(engine);
    const old = await holding('old');
    await clock.advance(TTL_MS);
    await holding('next');
    const steps = { held: old.manager.check(old.lease) };
    expect(await transact(steps)).toMatchObject({ reason: 'fenced', step: 'held' });
    wire.forget();
    expect(await transact(steps)).toMatchObject({ reason: 'fenced', step: 'held', applied: 'no' });
    expect(await accounts.create(old.lease, { id: 'a' })).toMatchObject({ reason: 'fenced' });
    expect(wire.ops).toEqual([]);
  });

  it('is asked anew by each transaction that does nothing else', async () => {
    const { clock, holding } = await office(engine);
    const old = await holding('old');
    const steps = [old.manager.check(old.lease)];
    expect(await transact(steps)).toMatchObject({ ok: true, replayed: false, versions: [undefined] });
    await clock.advance(TTL_MS);
    await holding('next');
    // With the token of the first it would be answered from the service's memory.
    expect(await transact(steps)).toMatchObject({ ok: false, reason: 'fenced' });
  });

  describe('and an answer that is lost', () => {
    it('was applied, although the lease has been lost since', async () => {
      const { accounts, rows, faults, holding, plant, clock } = await office(engine);
      await rows.plant(open('a', 100));
      const { manager, lease } = await holding('p');
      faults.add({ on: { op: 'TransactWriteItems', nth: [1, 2, 3, 4] }, do: dropResponse() });
      const lost = transact({
        held: manager.check(lease),
        debit: accounts.plan.update(lease, { id: 'a' }, { balance: add(-10) }),
      }).catch((e) => e);
      const error = await whilePending(clock, lost, 5_000);
      expect(error).toMatchObject({ code: 'outcome-unknown' });
      await plant(freeRow(account('a'), lease.token));
      expect(await error.resolve()).toMatchObject({ ok: true, replayed: true });
      expect(await rows.stored({ id: { S: 'a' } })).toEqual(written('a', 90, lease, 1));
    });

    it('was not applied: the refusal of the check is final without a seal', async () => {
      const { accounts, rows, faults, holding, plant, wire, clock } = await office(engine);
      await rows.plant(open('a', 100));
      const { manager, lease } = await holding('p');
      const check = manager.check(lease);
      await plant(freeRow(account('a'), lease.token));
      faults.add({ on: { op: 'TransactWriteItems', nth: 1 }, do: serverError() });
      wire.forget();
      const call = transact({
        held: check,
        debit: accounts.plan.update(lease, { id: 'a' }, { balance: add(-10) }),
      });
      const result = await whilePending(clock, call, 5_000);
      expect(result).toMatchObject({ ok: false, reason: 'lost', step: 'held' });
      expect(wire.ops).not.toContain('UpdateItem');
      expect(await rows.stored({ id: { S: 'a' } })).toEqual(open('a', 100));
    });
  });

  it('a damaged lease row is an error', async () => {
    const { accounts, holding, plant } = await office(engine);
    const { manager, lease } = await holding('p');
    await plant({ resource: { S: account('a') }, token: { S: '9' } });
    const steps = [manager.check(lease), accounts.plan.create(lease, { id: 'a' })];
    await expect(transact(steps)).rejects.toMatchObject({ code: 'corrupt-fence' });
  });

  it('a renewal that meets the transaction on the lease row goes on quietly', async () => {
    const { faults, holding, wire, row, clock } = await office(engine);
    const { lease } = await holding('p');
    await clock.advance(1_000);
    faults.add({ on: { op: 'UpdateItem', nth: [1, 2, 3] }, do: conflict() });
    wire.forget();
    const renewed = unwrap(await whilePending(clock, lease.renew(), 1_000));
    expect(faults.bites('conflict')).toBe(3);
    expect(renewed.renewedLate).toBe(false);
    expect(wire.ops).toEqual(Array(4).fill('UpdateItem'));
    expect(await row()).toMatchObject({ expiresAtMs: { N: String(renewed.expiresAtMs) } });
    expect(lease.signal.aborted).toBe(false);
  });

  it('a renewal goes on beyond the attempts of the client, as long as its own time lasts', async () => {
    const { faults, holding, row, clock } = await office(engine);
    const { lease } = await holding('p');
    await clock.advance(1_000);
    faults.add({ on: { op: 'UpdateItem' }, do: conflict(), times: 9 });
    const renewed = unwrap(await whilePending(clock, lease.renew(), 5_000));
    expect(faults.bites('conflict')).toBe(9);
    expect(await row()).toMatchObject({ expiresAtMs: { N: String(renewed.expiresAtMs) } });
  });
});
