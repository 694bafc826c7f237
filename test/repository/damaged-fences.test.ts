import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Fence, MAX_FENCING_TOKEN } from '../../src/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type Accounts, account, accountsIn } from '../support/accounts.ts';
import { all } from '../support/all.ts';
import { granted } from '../support/fences.ts';
import { live } from '../support/planted.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

const id = { S: 'a' };

const verbs: Record<string, (to: Accounts, fence: Fence) => Promise<unknown>> = {
  create: (to, fence) => to.create(fence, { id: 'a' }),
  put: (to, fence) => to.put(fence, { id: 'a' }),
  update: (to, fence) => to.update(fence, { id: 'a' }, { balance: 1 }),
  delete: (to, fence) => to.delete(fence, { id: 'a' }),
  claim: (to, fence) => to.claim(fence, { id: 'a' }),
};

describeEachEngine('a stored fence', (engine) => {
  let table: TestTable;
  let accounts: Accounts;
  beforeEach(async () => {
    table = await testTable(engine);
    accounts = accountsIn(table);
  });

  const damaged: readonly [string, AttributeValue][] = [
    ['text, which would compare by its letters', { S: '9' }],
    ['null', { NULL: true }],
    ['a list', { L: [{ N: '1' }] }],
    ['larger than any token', { N: '9007199254740993' }],
  ];
  describe.each(damaged)('that is %s', (_, _fence) => {
    it.each(Object.entries(verbs))('stops a %s with an error', async (__, write) => {
      const item = { ...live({ id, balance: { N: '1' } }), _fence };
      await table.plant(item);
      await expect(write(accounts, granted(account('a'), 10))).rejects.toMatchObject({
        code: 'corrupt-fence',
        message: expect.stringContaining(`${table.tableName} {"id":"a"}`),
      });
      expect(await table.stored({ id })).toEqual(item);
    });

    it('is shown to operators, and its item to all', async () => {
      await table.plant({ ...live({ id, balance: { N: '1' } }), _fence });
      expect(await accounts.inspect({ id: 'a' })).toStrictEqual({
        state: 'live',
        stamp: 'corrupt',
        version: '41.7.before',
        item: { id: 'a', balance: 1 },
      });
      expect(await all(accounts.scan())).toHaveLength(1);
    });
  });

  it('is compared by its value, not by its letters', async () => {
    await accounts.put(granted(account('a'), 9), { id: 'a' });
    expect(await accounts.put(granted(account('a'), 10), { id: 'a' })).toMatchObject({ ok: true });
    expect(await accounts.put(granted(account('a'), 9), { id: 'a' })).toMatchObject({
      reason: 'fenced',
      lastToken: 10,
    });
  });

  it('may be the smallest and the largest token', async () => {
    await accounts.put(granted(account('a'), 0), { id: 'a' });
    expect(await table.stored({ id })).toMatchObject({ _fence: { N: '0' } });
    const max = granted(account('a'), MAX_FENCING_TOKEN);
    expect(await accounts.put(max, { id: 'a' })).toMatchObject({ ok: true });
    expect(await table.stored({ id })).toMatchObject({ _fence: { N: '9007199254740991' } });
    expect(await accounts.put(granted(account('a'), MAX_FENCING_TOKEN - 1), { id: 'a' })).toMatchObject({
      reason: 'fenced',
      lastToken: MAX_FENCING_TOKEN,
    });
  });

  it('without a holder is nobody’s, so a lease of its number is refused and a newer one is not', async () => {
    const { _fenceHolder, ...item } = live({ id, balance: { N: '1' } });
    await table.plant(item);
    expect(await accounts.put(granted(account('a'), 41), { id: 'a' })).toMatchObject({
      reason: 'token-reused',
      lastHolder: undefined,
    });
    expect(await accounts.put(granted(account('a'), 40), { id: 'a' })).toMatchObject({
      reason: 'fenced',
      lastHolder: undefined,
    });
    expect(await accounts.put(granted(account('a'), 42), { id: 'a' })).toMatchObject({ ok: true });
  });

  it('of one’s own without a request number stops with an error', async () => {
    const lease = granted(account('a'), 41);
    const { _fenceSeq, ...item } = live({ id });
    item._fenceHolder = { S: lease.holder };
    await table.plant(item);
    await expect(accounts.put(lease, { id: 'a' })).rejects.toMatchObject({ code: 'corrupt-fence' });
    expect(await table.stored({ id })).toEqual(item);
  });
});

describeEachEngine('a stored version', (engine) => {
  it.each<[string, AttributeValue]>([
    ['a number', { N: '1' }],
    ['empty text', { S: '' }],
  ])('that is %s is no version that a write could ask for', async (_, _fenceVersion) => {
    const table = await testTable(engine);
    const accounts = accountsIn(table);
    const item = { ...live({ id, balance: { N: '1' } }), _fenceVersion };
    await table.plant(item);
    const version = (await accounts.get({ id: 'a' }))?.version;
    expect(version).toBe('corrupt');
    expect(await accounts.inspect({ id: 'a' })).toMatchObject({ state: 'live', version });
    const lease = granted(account('a'), 99);
    for (const ifVersion of ['corrupt', 'unfenced', '41.7.before']) {
      await expect(accounts.put(lease, { id: 'a' }, { ifVersion })).rejects.toMatchObject({
        code: 'corrupt-fence',
      });
    }
    expect(await table.stored({ id })).toEqual(item);
    expect(await accounts.put(lease, { id: 'a' })).toMatchObject({ ok: true });
    expect((await accounts.get({ id: 'a' }))?.version).toBe(`99.4.${lease.holder}`);
  });
});

describeEachEngine('inspect', (engine) => {
  it('shows each state of an item to operators', async () => {
    const table = await testTable(engine);
    const accounts = accountsIn(table);
    const lease = granted(account('a'), 42);
    const stamp = (seq: number) => ({ token: 42, holder: lease.holder, seq });
    const state = () => accounts.inspect({ id: 'a' });
    expect(await state()).toStrictEqual({
      state: 'absent',
      stamp: undefined,
      version: undefined,
      item: undefined,
    });
    await table.plant({ id, balance: { N: '1' } });
    const item = { id: 'a', balance: 1 };
    expect(await state()).toStrictEqual({ state: 'unfenced', stamp: undefined, version: 'unfenced', item });
    await accounts.claim(lease, { id: 'a' });
    const version = `42.1.${lease.holder}`;
    expect(await state()).toStrictEqual({ state: 'live', stamp: stamp(1), version, item });
    await accounts.delete(lease, { id: 'a' });
    expect(await state()).toStrictEqual({
      state: 'tombstone',
      stamp: stamp(2),
      version: undefined,
      item: undefined,
    });
    expect(table.wire.requests.at(-1)).toMatchObject({ op: 'GetItem', input: { ConsistentRead: true } });
  });
});
