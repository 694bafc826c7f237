import { expect, it } from 'vitest';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { branch } from './branch.ts';

describeEachEngine('opening an account', (engine) => {
  it('begins with nothing, and again on the same terms changes nothing', async () => {
    const { process, deposit, balance } = await branch(engine);
    const ledger = process('a');
    const opened = await ledger.open({ id: 'ann', currency: 'EUR' });
    expect(opened).toEqual({
      ...{ ok: true, account: { id: 'ann', currency: 'EUR', limit: 0, balance: 0 } },
    });
    await deposit('ann', 10);
    expect(await ledger.open({ id: 'ann', currency: 'EUR' })).toMatchObject({
      ...{ ok: true, account: { balance: 10 } },
    });
    expect(await balance('ann')).toBe(10);
  });

  it('is refused where there is one on other terms', async () => {
    const { process } = await branch(engine);
    const ledger = process('a');
    const { account } = (await ledger.open({ id: 'ann', currency: 'EUR' })) as { account: unknown };
    const exists = { ok: false, reason: 'exists', account };
    expect(await ledger.open({ id: 'ann', currency: 'USD' })).toEqual(exists);
    expect(await ledger.open({ id: 'ann', currency: 'EUR', limit: -1 })).toEqual(exists);
  });

  it.each([1, -0.5, Number.NaN])('with the limit %s is no account', async (limit) => {
    const { process, wire } = await branch(engine);
    await expect(process('a').open({ id: 'ann', currency: 'EUR', limit })).rejects.toThrow(RangeError);
    expect(wire.requests).toEqual([]);
  });
});
