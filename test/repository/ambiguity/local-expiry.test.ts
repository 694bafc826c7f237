import { describe, expect, it } from 'vitest';
import { fence } from '../../../src/index.ts';
import { dropResponse, manualClock, pause, reset, throttle } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account, accountsIn } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene, withoutPauses } from './scene.ts';
import { balance, live } from './stored.ts';
import { overtakenBy } from './straggler.ts';
import { full, grantedFor, id, withdraw } from './withdraw.ts';

describeEachEngine('a lease that is over by the local clock', (engine) => {
  const whileHeld = { whileHeld: true };

  it('still writes: nobody newer has', async () => {
    const clock = manualClock();
    const { accounts, stored } = await scene(engine, { with: full, clock });
    const lease = grantedFor(10_000, 41, clock);
    clock.freeze(11_000);
    expect(await withdraw(accounts, lease)).toMatchObject({ ok: true });
    expect(await stored()).toEqual(live(balance(90), lease, 1));
  });

  it('does not where that is asked for, and sends nothing', async () => {
    const clock = manualClock();
    const { accounts, stored, sent } = await scene(engine, { with: full, clock });
    const lease = grantedFor(10_000, 41, clock);
    clock.freeze(9_999);
    expect(await withdraw(accounts, lease, whileHeld)).toMatchObject({ ok: true });
    clock.freeze(1);
    sent();
    await expect(withdraw(accounts, lease, whileHeld)).rejects.toMatchObject({ code: 'lease-expired' });
    expect(sent()).toEqual([]);
    expect(await stored()).toEqual(live(balance(90), lease, 1));
  });

  it('is noticed at the end of the queue', async () => {
    const clock = manualClock();
    const gate = pause();
    const { accounts, sent } = await scene(engine, {
      with: full,
      clock,
      rules: [{ on: { nth: 1 }, do: gate }],
    });
    const lease = grantedFor(1_000, 41, clock);
    const running = withdraw(accounts, lease, whileHeld);
    await gate.reached;
    const waiting = withdraw(accounts, lease, whileHeld).catch((error) => error);
    clock.freeze(1_000);
    gate.release();
    // It had left in time.
    expect(await running).toMatchObject({ ok: true });
    expect(await waiting).toMatchObject({ code: 'lease-expired' });
    expect(sent()).toEqual(['UpdateItem']);
  });

  it('is noticed when the credentials were slow: the copy does not leave', async () => {
    const clock = manualClock();
    const { tableName, wire, stored } = await scene(engine, { with: full });
    const credentials = async () => {
      clock.freeze(1_000);
      return { accessKeyId: 'a', secretAccessKey: 'b' };
    };
    const client = engine.client({ requestHandler: wire, credentials });
    const accounts = accountsIn({ client, tableName }, { clock });
    const lease = grantedFor(1_000, 41, clock);
    await expect(withdraw(accounts, lease, whileHeld)).rejects.toMatchObject({ code: 'lease-expired' });
    expect(wire.ops).toEqual([]);
    expect(await stored()).toEqual(full);
  });

  it('is noticed between the two requests of a claim that adopts', async () => {
    const clock = manualClock();
    const legacy = { id: { S: 'a' }, ...balance(100) };
    const { accounts, stored, sent, refused } = await scene(engine, {
      ...{ with: legacy, clock },
      rules: [{ on: { op: 'UpdateItem', nth: 1 }, do: overtakenBy(async () => clock.freeze(1_000)) }],
    });
    const claim = accounts.claim(grantedFor(1_000, 41, clock), id, whileHeld);
    await expect(claim).rejects.toMatchObject({ code: 'lease-expired' });
    expect(sent()).toEqual(refused('UpdateItem', legacy));
    expect(await stored()).toEqual(legacy);
  });

  it('is noticed before a seal: without one the refusal is not final', async () => {
    let remainingMs = 1_000;
    const lease = granted(account('a'), 41, { remainingMs: () => remainingMs });
    const expire = overtakenBy(async () => {
      remainingMs = 0;
    });
    const { accounts, stored, sent, refused } = await scene(engine, {
      with: full,
      rules: [
        { on: { nth: 1 }, do: reset() },
        { on: { op: 'UpdateItem', nth: 2 }, do: expire },
      ],
    });
    const options = { ...whileHeld, when: { balance: 5 } };
    await expect(withdraw(accounts, lease, options)).rejects.toMatchObject({
      ...{ code: 'outcome-unknown', cause: { code: 'lease-expired' } },
    });
    expect(sent()).toEqual(['UpdateItem', ...refused('UpdateItem', full)]);
    expect(await stored()).toEqual(full);
  });

  describe('while copies are sent', () => {
    const losing = async (fault: ReturnType<typeof reset>) => {
      const clock = manualClock();
      const expire = overtakenBy(async () => clock.freeze(1_000));
      const table = await scene(engine, {
        ...{ with: full, clock, random: withoutPauses },
        rules: [{ do: [expire, fault] }],
      });
      return { ...table, clock, lease: grantedFor(1_000, 41, clock) };
    };

    it.each([
      ['throttled: contention', throttle(), 'contention'],
      ['lost: unknown', reset(), 'outcome-unknown'],
    ])('%s, and no further copy', async (_, fault, outcome) => {
      const { accounts, lease, sent, clock } = await losing(fault);
      const decided = await withdraw(accounts, lease, whileHeld).then(
        (result) => !result.ok && result.reason,
        (error) => error.code,
      );
      expect(decided).toBe(outcome);
      expect(sent()).toEqual(['UpdateItem']);
      expect(clock.timers).toBe(0);
    });

    it('resolve() sends all the same: it only asks what became of the write', async () => {
      const { accounts, lease, faults, stored } = await losing(dropResponse());
      const error = await withdraw(accounts, lease, whileHeld).catch((e) => e);
      expect(error).toMatchObject({ code: 'outcome-unknown' });
      faults.heal();
      expect(await error.resolve()).toMatchObject({ ok: true, replayed: true });
      expect(await stored()).toEqual(live(balance(90), lease, 1));
    });
  });

  it('is nothing that a bare fence could know', async () => {
    const { accounts, sent } = await scene(engine, { with: full });
    await expect(withdraw(accounts, fence(account('a'), 42), whileHeld)).rejects.toMatchObject({
      ...{ code: 'invalid-input', path: 'whileHeld' },
    });
    expect(sent()).toEqual([]);
  });
});
