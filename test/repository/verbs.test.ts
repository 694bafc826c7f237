import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { add, append, gte } from '../../src/expressions.ts';
import { FencedRepository } from '../../src/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { granted } from '../support/fences.ts';

interface Account {
  id: string;
  balance: number;
  entries?: string[];
}

describeEachEngine('the verbs of a repository', (engine) => {
  let tableName: string;
  let accounts: FencedRepository<Account, 'id'>;
  beforeEach(async () => {
    tableName = await engine.table({ partitionKey: 'id' });
    accounts = new FencedRepository<Account, 'id'>({
      client: engine.client(),
      tableName,
      key: ['id'],
      resource: ({ id }) => `account/${id}`,
    });
  });
  const stored = async (id: string) =>
    (
      await engine
        .client()
        .send(new GetItemCommand({ TableName: tableName, Key: { id: { S: id } }, ConsistentRead: true }))
    ).Item;

  it('creates, reads, changes and deletes under one lease', async () => {
    const lease = granted('account/a1', 42);
    const created = await accounts.create(lease, { id: 'a1', balance: 100 });
    expect(created).toMatchObject({ ok: true, item: { id: 'a1', balance: 100 }, replayed: false });
    expect(await accounts.get({ id: 'a1' })).toMatchObject({ item: { id: 'a1', balance: 100 } });
    const updated = await accounts.update(
      lease,
      { id: 'a1' },
      { balance: add(-30), entries: append(['e1']) },
      { when: { balance: gte(30) } },
    );
    expect(updated).toMatchObject({ ok: true, item: { id: 'a1', balance: 70, entries: ['e1'] } });
    expect(
      await accounts.update(lease, { id: 'a1' }, { balance: add(-80) }, { when: { balance: gte(80) } }),
    ).toMatchObject({
      ok: false,
      reason: 'condition',
      item: { balance: 70 },
    });
    expect(await accounts.delete(lease, { id: 'a1' })).toMatchObject({ ok: true, item: { balance: 70 } });
    expect(await accounts.get({ id: 'a1' })).toBeUndefined();
    expect(await stored('a1')).toEqual({
      id: { S: 'a1' },
      _fence: { N: '42' },
      _fenceHolder: { S: lease.holder },
      _fenceSeq: { N: '4' },
    });
    expect(await accounts.inspect({ id: 'a1' })).toMatchObject({ state: 'tombstone', stamp: { token: 42 } });
  });

  it('refuses an older holder, and stays refused without asking again', async () => {
    const [old, young] = [granted('account/a1', 41), granted('account/a1', 42)];
    await accounts.put(old, { id: 'a1', balance: 100 });
    expect(await accounts.claim(young, { id: 'a1' })).toMatchObject({ ok: true, item: { balance: 100 } });
    const late = await accounts.put(old, { id: 'a1', balance: 0 });
    expect(late).toEqual({
      ok: false,
      reason: 'fenced',
      resource: 'account/a1',
      token: 41,
      holder: old.holder,
      lastToken: 42,
      lastHolder: young.holder,
      applied: 'no',
    });
    expect(await accounts.put(old, { id: 'a1', balance: 0 })).toEqual(late);
    expect((await accounts.get({ id: 'a1' }))?.item.balance).toBe(100);
  });

  it('lists and counts live items only', async () => {
    for (const id of ['a', 'b', 'c']) await accounts.put(granted(`account/${id}`, 1), { id, balance: 1 });
    await accounts.delete(granted('account/b', 2), { id: 'b' });
    const all = accounts.scan();
    const ids = [];
    for await (const { id } of all) ids.push(id);
    expect(ids.sort()).toEqual(['a', 'c']);
    expect(await all.count()).toBe(2);
    expect(await accounts.getMany([{ id: 'c' }, { id: 'b' }, { id: 'a' }, { id: 'c' }])).toMatchObject([
      { item: { id: 'c' } },
      undefined as unknown as object,
      { item: { id: 'a' } },
      { item: { id: 'c' } },
    ]);
  });
});
