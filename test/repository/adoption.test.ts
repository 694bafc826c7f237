import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { add } from '../../src/expressions.ts';
import { type Fence, fence } from '../../src/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type Accounts, account, accountsIn } from '../support/accounts.ts';
import { all } from '../support/all.ts';
import { granted } from '../support/fences.ts';
import { live, tombstone } from '../support/planted.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

const id = { S: 'a' };
const unfenced = { id, balance: { N: '100' } };

const verbs = {
  create: (to: Accounts, fence: Fence) => to.create(fence, { id: 'a', balance: 1 }),
  put: (to: Accounts, fence: Fence) => to.put(fence, { id: 'a', balance: 1 }),
  'put on its version': (to: Accounts, fence: Fence) =>
    to.put(fence, { id: 'a', balance: 1 }, { ifVersion: 'unfenced' }),
  update: (to: Accounts, fence: Fence) => to.update(fence, { id: 'a' }, { balance: add(1) }),
  upsert: (to: Accounts, fence: Fence) =>
    to.update(fence, { id: 'a' }, { balance: add(1) }, { upsert: true }),
  delete: (to: Accounts, fence: Fence) => to.delete(fence, { id: 'a' }),
  'delete on a condition': (to: Accounts, fence: Fence) =>
    to.delete(fence, { id: 'a' }, { when: { balance: 100 } }),
  claim: (to: Accounts, fence: Fence) => to.claim(fence, { id: 'a' }),
  modify: (to: Accounts, fence: Fence) => to.modify(fence, { id: 'a' }, () => ({ id: 'a', balance: 1 })),
};

describeEachEngine('items that were written before fencing', (engine) => {
  let table: TestTable;
  beforeEach(async () => {
    table = await testTable(engine);
  });

  it('are seen like all others, under a version of their own', async () => {
    await table.plant(unfenced);
    for (const accounts of [accountsIn(table), accountsIn(table, { unfenced: 'refuse' })]) {
      expect(await accounts.get({ id: 'a' })).toStrictEqual({
        item: { id: 'a', balance: 100 },
        version: 'unfenced',
      });
      expect(await all(accounts.scan())).toStrictEqual([{ id: 'a', balance: 100 }]);
      expect(await all(accounts.query({ key: { id: 'a' } }))).toHaveLength(1);
      expect(await accounts.scan().count()).toBe(1);
    }
  });

  it.each(Object.entries(verbs))(
    'are fenced by the first %s, except by one that is refused',
    async (verb, write) => {
      await table.plant(unfenced);
      const result = await write(accountsIn(table), granted(account('a'), 42));
      expect(result).toMatchObject(
        verb === 'create' ? { reason: 'exists', version: 'unfenced' } : { ok: true },
      );
      const stale = await accountsIn(table).update(
        granted(account('a'), 41),
        { id: 'a' },
        { balance: -1 },
        { upsert: true },
      );
      expect(stale).toMatchObject(verb === 'create' ? { ok: true } : { reason: 'fenced', lastToken: 42 });
    },
  );

  it('keep their content when they are claimed, and get a version of that claim', async () => {
    await table.plant(unfenced);
    const lease = granted(account('a'), 42);
    const claimed = await accountsIn(table).claim(lease, { id: 'a' });
    expect(claimed).toMatchObject({ item: { id: 'a', balance: 100 }, version: `42.1.${lease.holder}` });
    expect(await accountsIn(table).get({ id: 'a' })).toStrictEqual({
      item: { id: 'a', balance: 100 },
      version: `42.1.${lease.holder}`,
    });
    expect(
      await accountsIn(table).put(lease, { id: 'a' }, { ifVersion: `42.1.${lease.holder}` }),
    ).toMatchObject({ ok: true });
  });

  it('are claimed by bare and numbered fences too', async () => {
    for (const [n, writer] of [
      fence(account('a'), 42),
      fence(account('a'), 43, { holder: 'me', seq: 9 }),
    ].entries()) {
      await table.plant(unfenced);
      const result = await accountsIn(table).claim(writer, { id: 'a' });
      expect(result).toMatchObject({
        ok: true,
        item: { balance: 100 },
        version: expect.stringMatching(`^${42 + n}`),
      });
    }
  });

  it('are claimed once where many claim them at once: no older one follows a newer one', async () => {
    await table.plant(unfenced);
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        accountsIn(table).claim(granted(account('a'), n + 1), { id: 'a' }),
      ),
    );
    const last = Math.max(...results.flatMap((result) => (result.ok ? [result.token] : [])));
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '100' }, _fence: { N: String(last) } });
    for (const result of results) {
      if (result.ok) expect(result.item).toStrictEqual({ id: 'a', balance: 100 });
      else expect(result).toMatchObject({ reason: 'fenced' });
    }
    expect(results.at(-1)).toMatchObject({ ok: true });
  });

  describe('where they are refused', () => {
    it.each(Object.entries(verbs))('stay as they are under a %s', async (_, write) => {
      await table.plant(unfenced);
      const strict = accountsIn(table, { unfenced: 'refuse' });
      await expect(write(strict, granted(account('a'), 42))).rejects.toMatchObject({
        code: 'unfenced-item',
        message: expect.stringContaining(table.tableName),
      });
      expect(await table.stored({ id })).toEqual(unfenced);
    });

    const others: readonly [string, Record<string, AttributeValue>, Readonly<Record<string, string>>][] = [
      [
        'deleted',
        tombstone({ id }),
        { update: 'not-found', 'put on its version': 'not-found', 'delete on a condition': 'not-found' },
      ],
      ['fenced', live(unfenced), { create: 'exists', 'put on its version': 'version' }],
    ];
    it.each(others)('those that are %s are written as ever', async (_, item, reasons) => {
      const strict = accountsIn(table, { unfenced: 'refuse' });
      for (const [verb, write] of Object.entries(verbs)) {
        await table.plant(item);
        const result = await write(strict, granted(account('a'), 42));
        expect(result.ok ? 'ok' : result.reason, verb).toBe(reasons[verb] ?? 'ok');
        await table.plant(item);
        expect(await write(strict, granted(account('a'), 40)), verb).toMatchObject({ reason: 'fenced' });
      }
    });

    it('those that are absent are made as ever', async () => {
      const strict = accountsIn(table, { unfenced: 'refuse' });
      expect(await strict.create(granted(account('a'), 1), { id: 'a' })).toMatchObject({ ok: true });
      expect(await strict.put(granted(account('b'), 1), { id: 'b' })).toMatchObject({ ok: true });
      expect(await strict.claim(granted(account('c'), 1), { id: 'c' })).toMatchObject({
        ok: true,
        item: undefined,
      });
      expect(await strict.put(granted(account('c'), 0), { id: 'c' })).toMatchObject({ reason: 'fenced' });
    });
  });
});
