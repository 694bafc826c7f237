import { expect, it } from 'vitest';
import { fence } from '../../../src/index.ts';
import { pause } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account } from '../../support/accounts.ts';
import { scene } from './scene.ts';
import { balance, live } from './stored.ts';
import { full, withdraw } from './withdraw.ts';

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
