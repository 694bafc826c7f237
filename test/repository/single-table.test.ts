import { beforeEach, expect, it } from 'vitest';
import { add, beginsWith, gte, ifNotExists, raw } from '../../src/expressions.ts';
import { FencedRepository } from '../../src/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { all } from '../support/all.ts';
import { granted } from '../support/fences.ts';
import { live } from '../support/planted.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

interface Customer {
  email: string;
  name?: string;
  visits?: number;
}

interface Order {
  customer: string;
  id: number;
  total?: number;
}

interface Keys {
  pk: string;
  sk: string;
}

describeEachEngine('several kinds of items in one table', (engine) => {
  let table: TestTable;
  let customers: FencedRepository<Customer, 'email', Keys>;
  let orders: FencedRepository<Order, 'customer' | 'id', Keys>;
  beforeEach(async () => {
    table = await testTable(engine, { partitionKey: 'pk', sortKey: 'sk' });
    const { client, tableName } = table;
    customers = new FencedRepository({
      client,
      tableName,
      key: ({ email }) => ({ pk: `CUSTOMER#${email.toLowerCase()}`, sk: 'PROFILE' }),
      resource: ({ email }) => `customer/${email.toLowerCase()}`,
    });
    orders = new FencedRepository({
      client,
      tableName,
      key: ({ customer, id }) => ({ pk: `CUSTOMER#${customer}`, sk: `ORDER#${String(id).padStart(4, '0')}` }),
      resource: ({ customer }) => `customer/${customer}`,
    });
  });
  const key = (pk: string, sk: string) => ({ pk: { S: pk }, sk: { S: sk } });

  it('have keys that their users neither see nor set', async () => {
    const lease = granted('customer/a@x', 7);
    const created = await customers.create(lease, { email: 'a@x', name: 'Ann' });
    expect(created).toMatchObject({ ok: true });
    expect(created.ok && created.item).toStrictEqual({ email: 'a@x', name: 'Ann' });
    expect(await table.stored(key('CUSTOMER#a@x', 'PROFILE'))).toEqual({
      ...key('CUSTOMER#a@x', 'PROFILE'),
      email: { S: 'a@x' },
      name: { S: 'Ann' },
      _fence: { N: '7' },
      _fenceHolder: { S: lease.holder },
      _fenceSeq: { N: '1' },
      _fenceVersion: { S: `7.1.${lease.holder}` },
    });
    const updated = await customers.update(lease, { email: 'a@x' }, { visits: add(1) });
    const claimed = await customers.claim(lease, { email: 'a@x' });
    const seen = { email: 'a@x', name: 'Ann', visits: 1 };
    expect([updated, claimed].map((result) => result.ok && result.item)).toStrictEqual([seen, seen]);
    expect((await customers.get({ email: 'a@x' }))?.item).toStrictEqual(seen);
    expect((await customers.getMany([{ email: 'a@x' }]))[0]?.item).toStrictEqual(seen);
    expect((await customers.inspect({ email: 'a@x' })).item).toStrictEqual(seen);
    const modified = await customers.modify(lease, { email: 'a@x' }, (item) => {
      expect(item).toStrictEqual(seen);
      return { ...seen, visits: 2 };
    });
    expect(modified).toMatchObject({ ok: true, item: { visits: 2 } });
    const deleted = await customers.delete(lease, { email: 'a@x' });
    expect(deleted.ok && deleted.item).toStrictEqual({ ...seen, visits: 2 });
  });

  it('are listed by their common key, each kind by itself', async () => {
    const lease = granted('customer/a@x', 7);
    await customers.create(lease, { email: 'a@x' });
    for (const id of [1, 2, 10]) await orders.create(lease, { customer: 'a@x', id, total: id * 100 });
    await orders.delete(lease, { customer: 'a@x', id: 2 });
    const found = orders.query({ key: { pk: 'CUSTOMER#a@x', sk: beginsWith('ORDER#') } });
    expect(await all(found)).toStrictEqual([
      { customer: 'a@x', id: 1, total: 100 },
      { customer: 'a@x', id: 10, total: 1000 },
    ]);
    expect(await found.count()).toBe(2);
    const late = orders.query({ key: { pk: 'CUSTOMER#a@x', sk: gte('ORDER#0002') }, limit: 1 });
    expect(await all(late)).toStrictEqual([
      { customer: 'a@x', id: 10, total: 1000 },
      // The profile sorts behind the orders: the range of a query is all that tells the kinds apart.
      { email: 'a@x' },
    ]);
  });

  it('hide their keys too from a repository that has met none yet', async () => {
    const lease = granted('customer/a@x', 7);
    await orders.create(lease, { customer: 'a@x', id: 1 });
    const fresh = new FencedRepository<Order, 'customer' | 'id', Keys>({
      client: table.client,
      tableName: table.tableName,
      key: ({ customer, id }) => ({ pk: `CUSTOMER#${customer}`, sk: `ORDER#${String(id).padStart(4, '0')}` }),
      resource: ({ customer }) => `customer/${customer}`,
    });
    expect(await all(fresh.scan())).toStrictEqual([{ customer: 'a@x', id: 1 }]);
  });

  it('know what identifies them, also where an update has made them', async () => {
    const lease = granted('customer/a@x', 7);
    const upserted = await orders.update(
      lease,
      { customer: 'a@x', id: 1 },
      { total: add(5) },
      { upsert: true },
    );
    expect(upserted.ok && upserted.item).toStrictEqual({ customer: 'a@x', id: 1, total: 5 });
    expect(await table.stored(key('CUSTOMER#a@x', 'ORDER#0001'))).toEqual({
      ...key('CUSTOMER#a@x', 'ORDER#0001'),
      customer: { S: 'a@x' },
      id: { N: '1' },
      total: { N: '5' },
      _fence: { N: '7' },
      _fenceHolder: { S: lease.holder },
      _fenceSeq: { N: '1' },
      _fenceVersion: { S: `7.1.${lease.holder}` },
    });
    await orders.delete(lease, { customer: 'a@x', id: 1 });
    const again = await orders.update(
      lease,
      { customer: 'a@x', id: 1 },
      [
        { total: ifNotExists(1) },
        raw('SET #note = :n REMOVE #old', {
          names: { '#note': 'note', '#old': 'old' },
          values: { ':n': 'x' },
        }),
      ],
      { upsert: true },
    );
    expect(again.ok && again.item).toStrictEqual({ customer: 'a@x', id: 1, total: 1, note: 'x' });
  });

  it('are not told who they are by an update that makes none', async () => {
    await table.plant(live({ ...key('CUSTOMER#a@x', 'ORDER#0001'), total: { N: '1' } }));
    const lease = granted('customer/a@x', 42);
    await orders.update(lease, { customer: 'a@x', id: 1 }, { total: add(1) });
    expect(Object.keys((await table.stored(key('CUSTOMER#a@x', 'ORDER#0001'))) ?? {}).sort()).toEqual([
      '_fence',
      '_fenceHolder',
      '_fenceSeq',
      '_fenceVersion',
      'pk',
      'sk',
      'total',
    ]);
  });

  it('may be identified by what is not always there', async () => {
    interface Site {
      name: string;
      region?: string | undefined;
      visits?: number;
    }
    const sites = new FencedRepository<Site, 'name' | 'region'>({
      client: table.client,
      tableName: table.tableName,
      key: ({ name, region = 'eu' }) => ({ pk: region, sk: name }),
      resource: ({ name }) => name,
    });
    const lease = granted('home', 7);
    const made = await sites.update(
      lease,
      { name: 'home', region: undefined },
      { visits: add(1) },
      { upsert: true },
    );
    expect(made.ok && made.item).toStrictEqual({ name: 'home', visits: 1 });
  });

  it('keep an attribute that the function takes over by its name', async () => {
    const shared = await testTable(engine, { partitionKey: 'customer', sortKey: 'sk' });
    const lines = new FencedRepository<Order, 'customer' | 'id', { sk: string }>({
      client: shared.client,
      tableName: shared.tableName,
      key: ({ customer, id }) => ({ customer, sk: `ORDER#${id}` }),
      resource: ({ customer }) => customer,
    });
    const lease = granted('c1', 7);
    const item = { customer: 'c1', id: 1, total: 5 };
    const created = await lines.create(lease, item);
    expect(created.ok && created.item).toStrictEqual(item);
    const key2 = { customer: 'c1', id: 2 };
    const upserted = await lines.update(lease, key2, { total: add(7) }, { upsert: true });
    expect(upserted.ok && upserted.item).toStrictEqual({ ...key2, total: 7 });
    expect(await shared.stored({ customer: { S: 'c1' }, sk: { S: 'ORDER#2' } })).toMatchObject({
      id: { N: '2' },
    });
    expect(await all(lines.query({ key: { customer: 'c1', sk: beginsWith('ORDER#') } }))).toStrictEqual([
      item,
      { ...key2, total: 7 },
    ]);
    await expect(lines.put(lease, { ...item, sk: 'ORDER#9' } as Order)).rejects.toThrow(
      invalidInput('item.sk', /key function/),
    );
    await expect(lines.update(lease, key2, { customer: 'c2' } as object)).rejects.toThrow(
      invalidInput('changes.customer', /identifies/),
    );
  });

  it('keep the spelling that they were created with', async () => {
    const lease = granted('customer/a@x', 7);
    await customers.create(lease, { email: 'A@x' });
    const result = await customers.update(lease, { email: 'a@X' }, { visits: add(1) }, { upsert: true });
    expect(result.ok && result.item).toStrictEqual({ email: 'A@x', visits: 1 });
  });

  it('may stand for their own identity: the rest of them identifies nothing', async () => {
    const lease = granted('customer/a@x', 7);
    const order = { customer: 'a@x', id: 1, total: 5, note: 'whole' };
    const result = await orders.update(lease, order, { total: add(1) }, { upsert: true });
    expect(result.ok && result.item).toStrictEqual({ customer: 'a@x', id: 1, total: 1 });
    expect(await orders.delete(lease, order, { when: { total: 1 } })).toMatchObject({ ok: true });
  });

  it('cannot be given another identity, nor keys of their own', async () => {
    const lease = granted('customer/a@x', 7);
    const update = (changes: object) => orders.update(lease, { customer: 'a@x', id: 1 }, changes as never);
    for (const name of ['customer', 'id', 'pk', 'sk']) {
      await expect(update({ [name]: 'b' })).rejects.toThrow(
        invalidInput(`changes.${name}`, /identifies the item/),
      );
      await expect(update(raw(`REMOVE ${name}`))).rejects.toThrow(
        invalidInput(`changes.${name}`, /identifies the item/),
      );
    }
    for (const name of ['pk', 'sk']) {
      const item = { customer: 'a@x', id: 1, [name]: 'b' };
      await expect(orders.put(lease, item)).rejects.toThrow(invalidInput(`item.${name}`, /key function/));
      await expect(orders.create(lease, item)).rejects.toThrow(invalidInput(`item.${name}`, /key function/));
    }
    expect(table.wire.ops).toEqual([]);
  });

  it('are refused where the function makes an empty key of them, or throws', async () => {
    const lease = granted('customer/', 7);
    const empty = new FencedRepository<Customer, 'email'>({
      client: table.client,
      tableName: table.tableName,
      key: ({ email }) => ({ pk: email, sk: 'PROFILE' }),
      resource: ({ email }) => `customer/${email}`,
    });
    await expect(empty.put(lease, { email: '' })).rejects.toThrow(invalidInput('key.pk', /empty/));
    await expect(async () => customers.get({} as Customer)).rejects.toThrow(TypeError);
    expect(table.wire.ops).toEqual([]);
  });
});
