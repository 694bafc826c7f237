import { expect, it } from 'vitest';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { type Branch, branch, moved } from './branch.ts';

/** Two accounts, and a transfer between them. */
async function scene(bank: Branch) {
  await bank.deposit('ann', 100);
  await bank.deposit('bob', 0);
  const ledger = bank.process('a');
  return { ledger, entry: moved(await ledger.transfer('ann', 'bob', 30, 'k1')) };
}

describeEachEngine('an audit', (engine) => {
  it('of a ledger that adds up finds nothing', async () => {
    const { ledger } = await scene(await branch(engine));
    // ann, bob and the till; the deposit and the transfer, with two lines each.
    expect(await ledger.audit()).toEqual({ ok: true, accounts: 3, entries: 2, lines: 4, findings: [] });
  });

  it('finds a balance that was changed by hand', async () => {
    const bank = await branch(engine);
    const { ledger } = await scene(bank);
    const bob = (await bank.stored('accounts')).find(({ id }) => id?.S === 'bob');
    await bank.plant('accounts', { ...bob, balance: { N: '31' } });
    expect(await ledger.audit()).toMatchObject({
      ok: false,
      findings: [{ is: 'balance', account: 'bob', balance: 31, journal: 30 }],
    });
  });

  it('finds a line that was changed by hand, also where the balance was changed with it', async () => {
    const bank = await branch(engine);
    const { ledger, entry } = await scene(bank);
    const bob = (await bank.stored('accounts')).find(({ id }) => id?.S === 'bob');
    const line = (await bank.stored('lines')).find(({ account }) => account?.S === 'bob');
    await bank.plant('accounts', { ...bob, balance: { N: '31' } });
    await bank.plant('lines', { ...line, amount: { N: '31' } });
    const { findings } = await ledger.audit();
    expect(findings).toEqual([
      { is: 'line', line: expect.objectContaining({ account: 'bob', amount: 31 }) },
      { is: 'entry', entry },
    ]);
  });

  it('finds a line without an entry, and an entry without its lines', async () => {
    const bank = await branch(engine);
    const { ledger } = await scene(bank);
    const line = (await bank.stored('lines')).find(({ account }) => account?.S === 'bob');
    const entry = (await bank.stored('entries')).find(({ id }) => id?.S === 'k1');
    await bank.plant('lines', { ...line, token: { N: '7' }, amount: { N: '0' }, entry: { S: 'none' } });
    await bank.plant('entries', { ...entry, id: { S: 'k9' } });
    const { findings } = await ledger.audit();
    expect(findings).toEqual([
      { is: 'line', line: expect.objectContaining({ token: 7 }) },
      { is: 'entry', entry: expect.objectContaining({ id: 'k9' }) },
    ]);
  });

  it('takes a transfer that comes between for what it is', async () => {
    const bank = await branch(engine);
    const { ledger } = await scene(bank);
    const other = bank.process('b');
    let between = 0;
    const { query } = ledger.tables.lines;
    // Right before the lines of an account are read for the first time.
    ledger.tables.lines.query = function (...args) {
      const found = query.apply(this, args);
      if (args[0].key.account !== 'bob' || between > 0) return found;
      between++;
      const pages = () =>
        (async function* () {
          moved(await other.transfer('ann', 'bob', 5, 'k2'));
          yield* found.pages();
        })();
      return { ...found, pages };
    };
    expect(await ledger.audit()).toMatchObject({ ok: true, accounts: 3 });
    expect(between).toBe(1);
  });
});
