import { expect, it } from 'vitest';
import { add, gte } from '../../src/expressions.ts';
import { transact } from '../../src/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { bank, leasesOn, open, versionBy, written } from './bank.ts';

describeEachEngine('a transaction', (engine) => {
  it('writes all of its items under their own fences', async () => {
    const { accounts, stored, sent } = await bank(engine, { with: [open('a', 100), open('b', 5)] });
    const [a, b] = leasesOn(42, ['a', 'b']);
    const result = await transact({
      debit: accounts.plan.update(a, { id: 'a' }, { balance: add(-30) }, { when: { balance: gte(30) } }),
      credit: accounts.plan.update(b, { id: 'b' }, { balance: add(30) }),
    });
    expect(result).toStrictEqual({
      ok: true,
      replayed: false,
      versions: { debit: versionBy(a, 1), credit: versionBy(b, 1) },
    });
    expect(await stored('a')).toEqual(written('a', 70, a, 1));
    expect(await stored('b')).toEqual(written('b', 35, b, 1));
    expect(sent()).toEqual(['TransactWriteItems']);
  });
});
