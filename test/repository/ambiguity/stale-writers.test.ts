import { expect, it } from 'vitest';
import { gte } from '../../../src/expressions.ts';
import { manualClock, pause } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene } from './scene.ts';
import { balance, live, stamp } from './stored.ts';
import { full, grantedFor, id, withdraw } from './withdraw.ts';

describeEachEngine('a holder that others took for dead', (engine) => {
  it('is fenced when it goes on after ten minutes, and has started no timer', async () => {
    const clock = manualClock();
    const { accounts, others, stored, sent, refused } = await scene(engine, { with: full, clock });
    const [old, young] = [grantedFor(10_000, 41, clock), granted(account('a'), 42)];
    expect(await accounts.claim(old, id)).toMatchObject({ ok: true, item: { balance: 100 } });
    clock.freeze(600_000);
    expect(await others.claim(young, id)).toMatchObject({ ok: true });
    sent();
    expect(await withdraw(accounts, old)).toMatchObject({ reason: 'fenced', lastToken: 42, applied: 'no' });
    expect(sent()).toEqual(refused('UpdateItem', full));
    expect(await stored()).toEqual({ ...full, ...stamp(young, 1) });
    expect(clock.timers).toBe(0);
  });

  it('is fenced also where its write has been on the wire all the time', async () => {
    const gate = pause();
    const { accounts, others, stored } = await scene(engine, {
      with: full,
      rules: [{ on: { nth: 1 }, do: gate }],
    });
    const [old, young] = [granted(account('a'), 41), granted(account('a'), 42)];
    const late = accounts.put(old, { ...id, balance: 1 });
    await gate.reached;
    expect(await others.put(young, { ...id, balance: 2 })).toMatchObject({ ok: true });
    gate.release();
    expect(await late).toMatchObject({ reason: 'fenced', applied: 'no' });
    expect(await stored()).toEqual(live(balance(2), young, 1));
  });

  it('never wins, over a hundred races', async () => {
    const { accounts, others, storedItems } = await scene(engine);
    const keys = Array.from({ length: 100 }, (_, n) => `k${n}`);
    const outcomes = await Promise.all(
      keys.map(async (key) => {
        const [old, young] = [granted(account(key), 41), granted(account(key), 42)];
        return Promise.all([
          others.put(young, { id: key, balance: 42 }),
          accounts.put(old, { id: key, balance: 41 }),
        ]);
      }),
    );
    for (const [young, old] of outcomes) {
      expect(young).toMatchObject({ ok: true });
      expect(old.ok || old.reason).toBeOneOf([true, 'fenced']);
    }
    const items = await storedItems();
    expect(items).toHaveLength(100);
    expect(new Set(items.map(({ balance: stored, _fence }) => `${stored?.N} ${_fence?.N}`))).toEqual(
      new Set(['42 42']),
    );
  });

  it('is told once by the storage, and from then on by itself', async () => {
    const { accounts, others, stored, sent, refused } = await scene(engine, { with: full });
    const [old, young] = [granted(account('a'), 41), granted(account('a'), 42)];
    await others.claim(young, id);
    const fenced = await withdraw(accounts, old);
    expect(fenced).toMatchObject({ reason: 'fenced', applied: 'no' });
    expect(sent()).toEqual(refused('UpdateItem', full));
    expect(await accounts.put(old, { ...id, balance: 0 })).toEqual(fenced);
    expect(sent()).toEqual([]);
    // A condition of the young holder's own is another matter.
    expect(await withdraw(accounts, young, { when: { balance: gte(500) } })).toMatchObject({
      reason: 'condition',
    });
    expect(await withdraw(accounts, young)).toMatchObject({ ok: true });
    expect(await stored()).toMatchObject(balance(90));
  });
});
