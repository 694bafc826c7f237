import { expect, it } from 'vitest';
import { add } from '../../src/expressions.ts';
import { FencedRepository, transact, transactGet } from '../../src/index.ts';
import { cutAnswer, manualClock, throttle } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { accountsIn } from '../support/accounts.ts';
import { testTable } from '../support/test-table.ts';
import { bank, leasesOn, open, stamp } from './bank.ts';
import { cancelled } from './cancelled.ts';

interface Order {
  customer: string;
  id: number;
}

const isRead = { op: 'TransactGetItems' } as const;

describeEachEngine('a consistent read of several items', (engine) => {
  const tombstone = { id: { S: 't' }, ...stamp({ token: 9, holder: 'x' }, 1) };

  it('finds them under their names, in several repositories, with their versions', async () => {
    const shop = await testTable(engine, { partitionKey: 'pk', sortKey: 'sk' });
    const { accounts, client, sent, plant, wire } = await bank(engine);
    await plant(open('a', 100), tombstone, { id: { S: 'old' }, note: { S: 'n' } });
    await shop.plant({ pk: { S: 'C#c' }, sk: { S: 'O#7' }, customer: { S: 'c' }, id: { N: '7' } });
    const orders = new FencedRepository<Order, 'customer' | 'id'>({
      ...{ client, tableName: shop.tableName, resource: ({ customer }: { customer: string }) => customer },
      key: ({ customer, id }) => ({ pk: `C#${customer}`, sk: `O#${id}` }),
    });
    const found = await transactGet({
      account: accounts.plan.get({ id: 'a' }),
      order: orders.plan.get({ customer: 'c', id: 7 }),
      deleted: accounts.plan.get({ id: 't' }),
      absent: accounts.plan.get({ id: 'none' }),
      unfenced: accounts.plan.get({ id: 'old' }),
    });
    expect(found).toStrictEqual({
      account: { item: { id: 'a', balance: 100 }, version: '40.1.before-a' },
      order: { item: { customer: 'c', id: 7 }, version: 'unfenced' },
      deleted: undefined,
      absent: undefined,
      unfenced: { item: { id: 'old', note: 'n' }, version: 'unfenced' },
    });
    expect(wire.requests[0]?.input.TransactItems.slice(0, 2)).toEqual([
      { Get: { TableName: accounts.tableName, Key: { id: { S: 'a' } } } },
      { Get: { TableName: shop.tableName, Key: { pk: { S: 'C#c' }, sk: { S: 'O#7' } } } },
    ]);
    expect(sent()).toEqual(['TransactGetItems']);
  });

  it('answers a list in its order, and asks for an item once however often it is named', async () => {
    const { accounts, wire } = await bank(engine, { with: [open('a', 1), open('b', 2)] });
    const { plan } = accounts;
    const [b, none, again, a] = await transactGet([
      plan.get({ id: 'b' }),
      plan.get({ id: 'none' }),
      plan.get({ id: 'b' }),
      plan.get({ id: 'a' }),
    ]);
    expect([a?.item.balance, b?.item.balance, again?.item.balance, none]).toEqual([1, 2, 2, undefined]);
    expect(wire.requests[0]?.input.TransactItems).toHaveLength(3);
  });

  it('sees no transaction in parts', async () => {
    const { accounts, others } = await bank(engine, { with: [open('a', 100), open('b', 100)] });
    const [a, b] = leasesOn(42, ['a', 'b']);
    const reads = [accounts.plan.get({ id: 'a' }), accounts.plan.get({ id: 'b' })] as const;
    const writing = Promise.all(
      Array.from({ length: 15 }, () =>
        transact([
          others.plan.update(a, { id: 'a' }, { balance: add(-1) }),
          others.plan.update(b, { id: 'b' }, { balance: add(1) }),
        ]),
      ),
    );
    for (let n = 0; n < 15; n++) {
      const [one, other] = await transactGet(reads);
      expect((one?.item.balance ?? 0) + (other?.item.balance ?? 0)).toBe(200);
    }
    for (const result of await writing) expect(result.ok).toBe(true);
  });

  it('asks again while another transaction is in the way, throttled or not answered', async () => {
    const { accounts, sent } = await bank(engine, {
      with: [open('a', 1)],
      maxAttempts: 2,
      rules: [
        { on: { ...isRead, nth: [1, 2, 3] }, do: cancelled('TransactionConflict') },
        { on: { ...isRead, nth: 4 }, do: throttle() },
        { on: { ...isRead, nth: 5 }, do: cutAnswer() },
      ],
    });
    const [a] = await transactGet([accounts.plan.get({ id: 'a' })]);
    expect(a?.item).toEqual({ id: 'a', balance: 1 });
    expect(sent()).toHaveLength(6);
  });

  it('is unavailable where others are in the way until the end', async () => {
    const clock = manualClock();
    const random = { unit: () => 1, nonce: () => 'n' };
    const { accounts, passing } = await bank(engine, {
      rules: [{ on: isRead, do: cancelled('TransactionConflict') }],
      ...{ clock, random },
    });
    const call = transactGet([accounts.plan.get({ id: 'a' })], { timeoutMs: 500 }).catch((e) => e);
    expect(await passing(clock, call, 25)).toMatchObject({ code: 'unavailable', next: 'retry' });
    expect(clock.timers).toBe(0);
  });

  it('throws what the service will never answer, and the reason of its caller', async () => {
    const { accounts, client } = await bank(engine);
    const nowhere = accountsIn({ client, tableName: 'no-such-table' });
    await expect(transactGet([nowhere.plan.get({ id: 'a' })])).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(transactGet([accounts.plan.get({ id: 'a' })], { signal })).rejects.toThrow('enough');
  });
});
