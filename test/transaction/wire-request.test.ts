import { expect, it } from 'vitest';
import { add, gte } from '../../src/expressions.ts';
import { transact } from '../../src/index.ts';
import { dropResponse } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { testLeases } from '../lease/lease-table.ts';
import { type Account, account, accountsIn } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { bank, leasesOn, open } from './bank.ts';
import { readable } from './readable.ts';

const admits = ({ token, holder }: { token: number; holder: string }) =>
  `(attribute_not_exists(_fence) OR _fence < ${token} OR (_fence = ${token} AND _fenceHolder = '${holder}' AND _fenceSeq < 1))`;
const live = '(attribute_exists(_fenceVersion) OR (attribute_exists(id) AND attribute_not_exists(_fence)))';
const absent =
  '(attribute_not_exists(id) OR (attribute_exists(_fence) AND attribute_not_exists(_fenceVersion)))';

describeEachEngine('the one request of a transaction', (engine) => {
  it('has an action per item, in the order of the steps, each with its own conditions', async () => {
    const table = await bank(engine, { with: ['a', 'b', 'c', 'd', 'f'].map((id) => open(id, 100)) });
    const { plan } = table.accounts;
    const [a, b, c, d, e, f, g] = leasesOn(42, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    const result = await transact({
      updated: plan.update(a, { id: 'a' }, { balance: add(-30) }, { when: { balance: gte(30) } }),
      put: plan.put(b, { id: 'b', balance: 1 }, { ifVersion: '40.1.before-b' }),
      deleted: plan.delete(c, { id: 'c' }),
      deletedIf: plan.delete(d, { id: 'd' }, { when: { balance: 100 } }),
      created: plan.create(e, { id: 'e', balance: 2 }),
      checked: plan.check(f, { id: 'f' }, { when: { balance: 100 } }),
      upserted: plan.update(g, { id: 'g' }, { balance: add(7) }, { upsert: true }),
    });
    expect(result).toMatchObject({ ok: true });
    const [request, ...more] = table.transactions();
    expect(more).toEqual([]);
    expect(Object.keys(request ?? {}).sort()).toEqual([
      'ClientRequestToken',
      'ReturnConsumedCapacity',
      'TransactItems',
    ]);
    expect(request?.ClientRequestToken).toMatch(/^[\w-]{36}$/);
    const TableName = table.tableName;
    const shows = 'ALL_OLD';
    const left = ({ token, holder }: { token: number; holder: string }) => ({
      _fence: { N: `${token}` },
      _fenceHolder: { S: holder },
      _fenceSeq: { N: '1' },
    });
    const version = ({ token, holder }: { token: number; holder: string }) => `${token}.1.${holder}`;
    const stamped = (by: { token: number; holder: string }) =>
      `_fence = ${by.token}, _fenceHolder = '${by.holder}', _fenceSeq = 1, _fenceVersion = '${version(by)}'`;
    expect(request?.TransactItems.map(readable)).toEqual([
      {
        ...{ kind: 'Update', TableName, shows, Key: { id: { S: 'a' } } },
        UpdateExpression: `ADD balance -30 SET ${stamped(a)}`,
        ConditionExpression: `${admits(a)} AND ${live} AND (balance >= 30)`,
      },
      {
        ...{ kind: 'Put', TableName, shows },
        Item: { id: { S: 'b' }, balance: { N: '1' }, ...left(b), _fenceVersion: { S: version(b) } },
        ConditionExpression: `${admits(b)} AND _fenceVersion = '40.1.before-b'`,
      },
      {
        ...{ kind: 'Put', TableName, shows },
        Item: { id: { S: 'c' }, ...left(c) },
        ConditionExpression: admits(c),
      },
      {
        ...{ kind: 'Put', TableName, shows },
        Item: { id: { S: 'd' }, ...left(d) },
        ConditionExpression: `${admits(d)} AND ${live} AND (balance = 100)`,
      },
      {
        ...{ kind: 'Put', TableName, shows },
        Item: { id: { S: 'e' }, balance: { N: '2' }, ...left(e), _fenceVersion: { S: version(e) } },
        ConditionExpression: `${admits(e)} AND ${absent}`,
      },
      {
        ...{ kind: 'ConditionCheck', TableName, shows, Key: { id: { S: 'f' } } },
        ConditionExpression: `${admits(f)} AND ${live} AND (balance = 100)`,
      },
      {
        ...{ kind: 'Update', TableName, shows, Key: { id: { S: 'g' } } },
        UpdateExpression: `ADD balance 7 SET ${stamped(g)}`,
        ConditionExpression: admits(g),
      },
    ]);
    expect(await table.stored('f')).toEqual(open('f', 100));
    expect(await table.stored('c')).toEqual({ id: { S: 'c' }, ...left(c) });
  });

  it('has one stamp for all that a lease writes, in several tables, and its check', async () => {
    const leases = await testLeases(engine);
    const [one, two] = [await bank(engine), await bank(engine)];
    const own = { resource: () => 'r' };
    const [rows, entries] = [one, two].map(({ tableName }) =>
      accountsIn({ client: leases.client, tableName }, own),
    ) as [ReturnType<typeof accountsIn>, ReturnType<typeof accountsIn>];
    const manager = leases.process('p');
    const acquired = await manager.acquire('r');
    if (!acquired.ok) throw new Error('held');
    const { lease } = acquired;
    const result = await transact([
      rows.plan.create(lease, { id: 'x' }),
      manager.check(lease),
      entries.plan.create(lease, { id: 'x' }),
    ]);
    const version = `${lease.token}.1.${lease.holder}`;
    expect(result).toStrictEqual({ ok: true, replayed: false, versions: [version, undefined, version] });
    expect((await one.stored('x'))?._fenceSeq).toEqual({ N: '1' });
    expect((await two.stored('x'))?._fenceSeq).toEqual({ N: '1' });
    // Both were made after the leases: what is seen is seen at the last table that was made.
    const sent = two.wire.requests.find(({ op }) => op === 'TransactWriteItems')?.input;
    expect(sent?.TransactItems.map(readable)[1]).toEqual({
      ...{ kind: 'ConditionCheck', TableName: leases.tableName, shows: 'ALL_OLD' },
      Key: { resource: { S: 'r' } },
      ConditionExpression: `token = ${lease.token} AND holder = '${lease.holder}'`,
    });
    await lease.release();
  });

  it('is the same bytes in every copy, and never the same in two transactions', async () => {
    const { accounts, transactions, faults } = await bank(engine, {
      with: [open('a', 100)],
      rules: [{ on: { op: 'TransactWriteItems', nth: [1, 2] }, do: dropResponse() }],
    });
    const [a] = leasesOn(42, ['a']);
    const steps = [accounts.plan.update(a, { id: 'a' }, { balance: add(1) })] as const;
    expect(await transact(steps)).toMatchObject({ ok: true, replayed: true });
    expect(await transact(steps)).toMatchObject({ ok: true, replayed: false });
    expect(faults.bites('dropResponse')).toBe(2);
    const [one, two, three, next, ...more] = transactions();
    expect(more).toEqual([]);
    expect(two).toEqual(one);
    expect(three).toEqual(one);
    expect(next?.ClientRequestToken).not.toBe(one?.ClientRequestToken);
  });

  it('merges a check into the write of its item, and checks of one item into one', async () => {
    const table = await bank(engine, { with: [open('a', 100), open('b', 5)] });
    const { plan } = table.accounts;
    const [a, b] = leasesOn(42, ['a', 'b']);
    const result = await transact({
      isOpen: plan.check(a, { id: 'a' }, { when: { balance: gte(50) } }),
      credit: plan.update(b, { id: 'b' }, { balance: add(30) }),
      debit: plan.update(a, { id: 'a' }, { balance: add(-30) }, { when: { balance: gte(30) } }),
      known: plan.check(a, { id: 'a' }, { ifVersion: '40.1.before-a' }),
    });
    expect(result).toStrictEqual({
      ...{ ok: true, replayed: false },
      versions: {
        isOpen: undefined,
        credit: `42.1.${b.holder}`,
        debit: `42.1.${a.holder}`,
        known: undefined,
      },
    });
    const actions = table.transactions()[0]?.TransactItems.map(readable);
    expect(actions?.map(({ kind }) => kind)).toEqual(['Update', 'Update']);
    expect(actions?.[0]).toMatchObject({
      UpdateExpression: expect.stringContaining('ADD balance -30'),
      ConditionExpression:
        `${admits(a)} AND ${live} AND (balance >= 30) AND (${admits(a)} AND ${live} AND (balance >= 50)) ` +
        `AND (${admits(a)} AND ${live} AND _fenceVersion = '40.1.before-a')`,
    });
    expect((await table.stored('a'))?.balance).toEqual({ N: '70' });

    // A list answers in its own order, whatever was merged.
    const again = await transact([
      plan.check(a, { id: 'a' }),
      plan.update(b, { id: 'b' }, { balance: add(1) }),
      plan.update(a, { id: 'a' }, { balance: add(1) }),
    ]);
    expect(again).toMatchObject({ versions: [undefined, `42.2.${b.holder}`, `42.2.${a.holder}`] });
  });

  it('makes one check of two checks of one item', async () => {
    const table = await bank(engine, { with: [open('a', 100)] });
    const { plan } = table.accounts;
    const [a, b] = leasesOn(42, ['a', 'b']);
    await transact([
      plan.create(b, { id: 'b' }),
      plan.check(a, { id: 'a' }, { when: { balance: 100 } }),
      plan.check(a, { id: 'a' }, { when: { note: 'x' } }),
    ]).then((result) => expect(result).toMatchObject({ ok: false, reason: 'condition' }));
    const actions = table.transactions()[0]?.TransactItems.map(readable);
    expect(actions?.map(({ kind }) => kind)).toEqual(['Put', 'ConditionCheck']);
    expect(actions?.[1]).toMatchObject({
      ConditionExpression: `${admits(a)} AND ${live} AND (balance = 100) AND (${admits(a)} AND ${live} AND (note = 'x'))`,
    });
    expect(await table.stored('b')).toBeUndefined();
  });

  it('takes derived keys, other attribute names and the refusal of unfenced items along', async () => {
    const table = await bank(engine);
    const repository = accountsIn(table, { unfenced: 'refuse' });
    const lease = granted(account('a'), 42);
    const one: Account = { id: 'a', balance: 1 };
    expect(await transact([repository.plan.create(lease, one)])).toMatchObject({ ok: true });
    const [action] = table.transactions()[0]?.TransactItems ?? [];
    expect(readable(action)).toMatchObject({
      ConditionExpression: expect.stringMatching(/^\(attribute_not_exists\(id\) OR _fence < 42 OR/),
    });
  });
});
