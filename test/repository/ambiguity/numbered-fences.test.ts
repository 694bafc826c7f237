import { expect, it } from 'vitest';
import { fence, type OutcomeUnknownError } from '../../../src/index.ts';
import { type Fault, pause, refuse, reset, respond, throttle } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene } from './scene.ts';
import { balance, before, live, stamp, tombstone } from './stored.ts';
import { overtakenBy, straggler } from './straggler.ts';
import { full, id, withdraw } from './withdraw.ts';

describeEachEngine('a number of the caller', (engine) => {
  const operation = () => fence(account('a'), 42, { holder: 'operation 7', seq: 1 });

  it('makes an operation that is called again apply once', async () => {
    const { accounts, stored } = await scene(engine, { with: full });
    expect(await withdraw(accounts, operation())).toMatchObject({ ok: true, replayed: false });
    expect(await withdraw(accounts, operation())).toMatchObject({
      ok: true,
      replayed: true,
      item: { balance: 90 },
    });
    expect(await stored()).toEqual(live(balance(90), operation(), 1));
  });

  it.each(['put', 'create'] as const)(
    'given to two writes tells the second what is there: %s',
    async (verb) => {
      const { accounts } = await scene(engine);
      expect(await accounts[verb](operation(), { ...id, balance: 1 })).toMatchObject({ replayed: false });
      expect(await accounts[verb](operation(), { ...id, balance: 2 })).toMatchObject({
        ok: true,
        replayed: true,
        item: { ...id, balance: 1 },
      });
    },
  );

  it('also while its first call is still on its way, and whichever arrives first', async () => {
    const gate = pause();
    const { accounts, others, stored } = await scene(engine, {
      with: full,
      rules: [{ on: { nth: 1 }, do: gate }],
    });
    const first = withdraw(accounts, operation());
    await gate.reached;
    expect(await withdraw(others, operation())).toMatchObject({ ok: true, replayed: false });
    gate.release();
    expect(await first).toMatchObject({ ok: true, replayed: true });
    expect(await stored()).toEqual(live(balance(90), operation(), 1));
  });

  it('a delete that was sealed, called again: whether it was the one that deleted the item, nobody can tell', async () => {
    const late = straggler();
    const { accounts, others, stored } = await scene(engine, {
      with: live(balance(50), before, 5),
      rules: [
        { on: { op: 'PutItem', nth: 1 }, do: late },
        // The second copy met 50 and was refused. Before the seal there are 100, and the first copy.
        {
          on: { op: 'UpdateItem', nth: 1 },
          do: overtakenBy(async () => {
            expect(await others.put(granted(account('a'), 41), { ...id, balance: 100 })).toMatchObject({
              ok: true,
            });
            expect(await late.arrive()).toBe('applied');
          }),
        },
      ],
    });
    const close = () => accounts.delete(operation(), id, { when: { balance: 100 } });
    const unknown = { code: 'outcome-unknown', applied: 'unknown' };
    const first = await close().catch((error: unknown) => error);
    expect(first).toMatchObject(unknown);
    expect(await stored()).toEqual(tombstone(operation(), 1.5));

    await expect(close()).rejects.toMatchObject(unknown);
    await expect((first as OutcomeUnknownError).resolve()).rejects.toMatchObject(unknown);
    expect(await stored()).toEqual(tombstone(operation(), 1.5));
  });

  it('a delete that was refused and sealed, called again: it is refused for the same reason', async () => {
    const late = straggler();
    const { accounts, stored } = await scene(engine, {
      with: live(balance(50), before, 5),
      rules: [{ on: { op: 'PutItem', nth: 1 }, do: late }],
    });
    const close = () => accounts.delete(operation(), id, { when: { balance: 100 } });
    expect(await close()).toMatchObject({ ok: false, reason: 'condition', item: { balance: 50 } });
    expect(await late.arrive()).toBe('refused');
    expect(await close()).toMatchObject({ ok: false, reason: 'condition', item: { balance: 50 } });
    expect(await stored()).toEqual(live(balance(50), before, 5, stamp(operation(), 1.5)));
  });

  it.each([
    ['did not get through', refuse(), { code: 'unavailable' }],
    ['was throttled each time', throttle(), { reason: 'contention' }],
    [
      'the service will never accept',
      respond({ name: 'ValidationException' }),
      { name: 'ValidationException' },
    ],
  ])('is still good where the write %s', async (_, fault, outcome) => {
    const { accounts, faults, stored } = await scene(engine, { with: full, rules: [{ do: fault }] });
    const once = operation();
    expect(await withdraw(accounts, once).catch((error) => error)).toMatchObject(outcome);
    faults.heal();
    expect(await withdraw(accounts, once)).toMatchObject({ ok: true, replayed: false });
    expect(await stored()).toEqual(live(balance(90), once, 1));
  });

  it.each([
    ['may have been applied', reset(), { code: 'outcome-unknown' }],
    ['may be applied by an earlier copy', [reset(), throttle()], { code: 'outcome-unknown' }],
  ])('is used where the write %s', async (_, lost, outcome) => {
    const [first, ...more] = [lost].flat() as Fault[];
    const rules = [{ on: { nth: 1 }, do: first as Fault }, ...more.map((fault) => ({ do: fault }))];
    const { accounts, faults } = await scene(engine, {
      ...{ with: full, rules },
      maxAttempts: rules.length,
    });
    const once = operation();
    expect(await withdraw(accounts, once).catch((error) => error)).toMatchObject(outcome);
    faults.heal();
    await expect(withdraw(accounts, once)).rejects.toMatchObject({ code: 'invalid-input', path: 'fence' });
  });

  it('is used where the write was refused', async () => {
    const { accounts } = await scene(engine, { with: full });
    const once = operation();
    const poor = await withdraw(accounts, once, { when: { balance: 5 } });
    expect(poor).toMatchObject({ reason: 'condition' });
    await expect(withdraw(accounts, once)).rejects.toMatchObject({ code: 'invalid-input', path: 'fence' });
  });

  it('carries one logical write', async () => {
    const { accounts, sent } = await scene(engine, { with: full });
    const once = operation();
    await withdraw(accounts, once);
    await expect(withdraw(accounts, once)).rejects.toMatchObject({ code: 'invalid-input', path: 'fence' });
    expect(sent()).toEqual(['UpdateItem']);
  });
});

it('a number of the caller goes up to 2^52 − 1, since a seal needs the half behind it', () => {
  const seq = 2 ** 52 - 1;
  expect(seq + 0.5).not.toBe(seq);
  expect(fence('a', 1, { holder: 'h', seq })).toMatchObject({ holder: 'h' });
  expect(() => fence('a', 1, { holder: 'h', seq: seq + 1 })).toThrow('from 0 to 2^52 − 1');
});
