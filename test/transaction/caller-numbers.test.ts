import { expect, it } from 'vitest';
import { add, gte } from '../../src/expressions.ts';
import { fence, transact, unwrap } from '../../src/index.ts';
import { dropResponse, refuse, reset } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { overtakenBy, straggler } from '../repository/ambiguity/straggler.ts';
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

  // A delete leaves no version: where a later call meets nothing but the seal of an earlier one, it may be that one's doing.
  it('tells nothing of deletes that an earlier call may have carried out', async () => {
    const table = await testTable(engine);
    await table.plant({ id: { S: 'a' }, balance: { N: '5' } }, { id: { S: 'b' }, balance: { N: '0' } });
    const client = engine.client({ requestHandler: table.wire, maxAttempts: 2 });
    const accounts = accountsIn({ ...table, client });
    const others = accountsIn({ ...table, client: engine.client() });
    const setB = async (token: number, balance: number) =>
      unwrap(await others.put(fence(account('b'), token), { id: 'b', balance }));

    const late = straggler();
    const arrivals: string[] = [];
    const meanwhile = async () => {
      if (arrivals.length > 0) return;
      arrivals.push('…');
      await setB(1, 100);
      arrivals.push(await late.arrive());
    };
    table.faults.add(
      { on: { op: 'TransactWriteItems', nth: 1 }, do: late },
      { on: { op: 'UpdateItem' }, do: [overtakenBy(meanwhile), dropResponse()] },
    );
    const close = (least = 100) =>
      transact({
        closed: accounts.plan.delete(numbered('a'), { id: 'a' }),
        rich: accounts.plan.check(numbered('b'), { id: 'b' }, { when: { balance: gte(least) } }),
      }).catch((error) => error);

    expect(await close()).toMatchObject({ code: 'outcome-unknown', applied: 'unknown' });
    expect(arrivals).toEqual(['…', 'applied']);
    table.faults.heal();
    // As long as DynamoDB knows the token of the transaction, it says what it did.
    expect(await close()).toMatchObject({ ok: true, replayed: true });
    // Other bytes have another token, as the same ones have after ten minutes.
    await setB(2, 0);
    expect(await close(99)).toMatchObject({ code: 'outcome-unknown', applied: 'unknown' });
  });
});
