import { expect, it } from 'vitest';
import { add } from '../../src/expressions.ts';
import { fence, transact } from '../../src/index.ts';
import { refuse, reset } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { account, accountsIn } from '../support/accounts.ts';
import { testTable } from '../support/test-table.ts';

describeEachEngine('a number of the caller in a transaction', (engine) => {
  const numbered = (id: string) => fence(account(id), 42, { holder: 'operation 7', seq: 1 });

  it.each([
    ['is still good where nothing got through', refuse(), 'unavailable', { ok: true }],
    ['is used where it may have been applied', reset(), 'outcome-unknown', { code: 'invalid-input' }],
  ])('%s', async (_, fault, code, then) => {
    const table = await testTable(engine);
    const accounts = accountsIn({
      ...table,
      client: engine.client({ requestHandler: table.wire, maxAttempts: 1 }),
    });
    table.faults.add({ do: fault });
    const [a, b] = [numbered('a'), numbered('b')];
    const move = () =>
      transact([
        accounts.plan.update(a, { id: 'a' }, { balance: add(-1) }, { upsert: true }),
        accounts.plan.update(b, { id: 'b' }, { balance: add(1) }, { upsert: true }),
      ]).catch((error) => error);
    expect(await move()).toMatchObject({ code });
    table.faults.heal();
    expect(await move()).toMatchObject(then);
  });
});
