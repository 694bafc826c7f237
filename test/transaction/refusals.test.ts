import { describe, expect, it } from 'vitest';
import { add, gte } from '../../src/expressions.ts';
import { FencedError, fence, RefusedError, transact, unwrap } from '../../src/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { account } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { bank, leasesOn, open, stamp, versionBy, written } from './bank.ts';
import { cancelled } from './cancelled.ts';

const newer = { token: 43, holder: 'newer' };

describeEachEngine('a transaction that is refused', (engine) => {
  it('B17: says which item, whose token is newer, and writes none of them', async () => {
    const fencedOff = written('b', 7, newer, 3);
    const { accounts, stored, sent, tableName } = await bank(engine, {
      with: [open('a', 1), fencedOff, open('c', 3)],
    });
    const [a, b, c] = leasesOn(42, ['a', 'b', 'c']);
    const steps = [a, b, c].map((by, n) =>
      accounts.plan.put(by, { id: ['a', 'b', 'c'][n] as string, balance: 0 }),
    );
    const fenced = {
      ...{ ok: false, reason: 'fenced', resource: account('b'), token: 42, holder: b.holder },
      ...{ lastToken: 43, lastHolder: 'newer', applied: 'no' },
      ...{ step: 1, tableName, key: { id: 'b' } },
    };
    expect(await transact(steps)).toStrictEqual({ ...fenced, refused: [fenced] });
    expect(sent()).toEqual(engine.returnsItems ? ['TransactWriteItems'] : ['TransactWriteItems', 'GetItem']);
    expect(await stored('a')).toEqual(open('a', 1));
    expect(await stored('b')).toEqual(fencedOff);
    expect(await stored('c')).toEqual(open('c', 3));

    // It is known from now on, and only of this fence.
    expect(await transact(steps)).toStrictEqual({ ...fenced, refused: [fenced] });
    expect(await accounts.put(b, { id: 'b' })).toMatchObject({ reason: 'fenced', lastToken: 43 });
    expect(sent()).toEqual([]);
    expect(await transact([accounts.plan.put(a, { id: 'a', balance: 2 })])).toMatchObject({ ok: true });
  });

  it('B18: lists every step that is refused, each with its own reason', async () => {
    const { accounts, stored, tableName } = await bank(engine, {
      with: [open('a', 1), written('b', 7, newer, 3), open('d', 4), written('e', 5, newer, 1), open('f', 6)],
    });
    const { plan } = accounts;
    const [a, b, c, d, e, f] = leasesOn(42, ['a', 'b', 'c', 'd', 'e', 'f']);
    const result = await transact({
      poor: plan.update(a, { id: 'a' }, { balance: add(-30) }, { when: { balance: gte(30) } }),
      stale: plan.put(b, { id: 'b' }),
      missing: plan.update(c, { id: 'c' }, { balance: add(1) }),
      there: plan.create(d, { id: 'd' }),
      late: plan.delete(e, { id: 'e' }),
      changed: plan.put(f, { id: 'f' }, { ifVersion: '41.7.someone' }),
    });
    const at = (step: string, id: string) => ({ step, tableName, key: { id } });
    const fencedBy = (by: { holder: string }, id: string) => ({
      ...{ ok: false, reason: 'fenced', resource: account(id), token: 42, holder: by.holder },
      ...{ lastToken: 43, lastHolder: 'newer', applied: 'no' },
    });
    const refused = [
      {
        ...{ ok: false, reason: 'condition', item: { id: 'a', balance: 1 }, version: '40.1.before-a' },
        ...at('poor', 'a'),
      },
      { ...fencedBy(b, 'b'), ...at('stale', 'b') },
      { ok: false, reason: 'not-found', ...at('missing', 'c') },
      {
        ...{ ok: false, reason: 'exists', item: { id: 'd', balance: 4 }, version: '40.1.before-d' },
        ...at('there', 'd'),
      },
      { ...fencedBy(e, 'e'), ...at('late', 'e') },
      {
        ...{ ok: false, reason: 'version', item: { id: 'f', balance: 6 }, version: '40.1.before-f' },
        ...at('changed', 'f'),
      },
    ];
    // The first of the gravest kind speaks for all.
    expect(result).toStrictEqual({ ...refused[1], refused });
    expect(await stored('a')).toEqual(open('a', 1));
    expect(await stored('c')).toBeUndefined();
    expect(await stored('f')).toEqual(open('f', 6));
  });

  it('H7: applies no debit where the credit is fenced', async () => {
    const { accounts, stored } = await bank(engine, { with: [open('a', 100), written('b', 5, newer, 1)] });
    const [a, b] = leasesOn(42, ['a', 'b']);
    const result = await transact([
      accounts.plan.update(a, { id: 'a' }, { balance: add(-30) }),
      accounts.plan.update(b, { id: 'b' }, { balance: add(30) }),
    ]);
    expect(result).toMatchObject({ ok: false, reason: 'fenced', step: 1, lastToken: 43 });
    expect(await stored('a')).toEqual(open('a', 100));
    expect(await stored('b')).toEqual(written('b', 5, newer, 1));
  });

  it('D1: deletes nothing under an old token, alone or with others', async () => {
    const kept = written('a', 100, { token: 42, holder: 'me' }, 1);
    const { accounts, stored } = await bank(engine, { with: [kept] });
    const older = granted(account('a'), 41);
    const other = granted(account('x'), 41);
    const together = await transact({
      remove: accounts.plan.delete(older, { id: 'a' }),
      more: accounts.plan.create(other, { id: 'x' }),
    });
    expect(together).toMatchObject({ ok: false, reason: 'fenced', step: 'remove', token: 41, lastToken: 42 });
    const alone = await accounts.delete(granted(account('a'), 41), { id: 'a' });
    expect(alone).toMatchObject({ ok: false, reason: 'fenced', lastToken: 42 });
    expect(await stored('a')).toEqual(kept);
    expect(await stored('x')).toBeUndefined();
  });

  describe('B10: for several reasons at once', () => {
    it('is fenced where one of them is a newer token, whatever else is in the way', async () => {
      const fencedOff = written('a', 1, newer, 1);
      const { accounts, sent, stored } = await bank(engine, {
        with: [fencedOff, open('b', 1)],
        rules: [
          {
            on: { op: 'TransactWriteItems' },
            do: cancelled(engine.returnsItems ? fencedOff : 'ConditionalCheckFailed', 'TransactionConflict'),
          },
        ],
      });
      const [a, b] = leasesOn(42, ['a', 'b']);
      const result = await transact([accounts.plan.put(a, { id: 'a' }), accounts.plan.put(b, { id: 'b' })]);
      expect(result).toMatchObject({ ok: false, reason: 'fenced', step: 0, lastToken: 43, applied: 'no' });
      expect(!result.ok && result.refused).toHaveLength(1);
      expect(sent()[0]).toBe('TransactWriteItems');
      expect(await stored('b')).toEqual(open('b', 1));
    });

    it('is explained by reads where the service gives no reasons at all', async () => {
      const { accounts } = await bank(engine, {
        with: [open('a', 1), written('b', 1, newer, 1)],
        rules: [{ on: { op: 'TransactWriteItems', nth: 1 }, do: cancelled() }],
      });
      const [a, b] = leasesOn(42, ['a', 'b']);
      const result = await transact([accounts.plan.put(a, { id: 'a' }), accounts.plan.put(b, { id: 'b' })]);
      expect(result).toMatchObject({ ok: false, reason: 'fenced', step: 1 });
    });

    it('asks again where what is there now would not be refused', async () => {
      const { accounts, sent, stored } = await bank(engine, {
        with: [open('a', 1)],
        rules: [{ on: { op: 'TransactWriteItems', nth: 1 }, do: cancelled('ConditionalCheckFailed') }],
      });
      const [a] = leasesOn(42, ['a']);
      expect(await transact([accounts.plan.put(a, { id: 'a', balance: 2 })])).toMatchObject({ ok: true });
      expect(sent()).toEqual(['TransactWriteItems', 'GetItem', 'TransactWriteItems']);
      expect(await stored('a')).toEqual(written('a', 2, a, 1));
    });

    it('is contention where it stays unexplained', async () => {
      const { accounts, sent } = await bank(engine, {
        with: [open('a', 1)],
        rules: [{ on: { op: 'TransactWriteItems' }, do: cancelled('ConditionalCheckFailed') }],
      });
      const [a] = leasesOn(42, ['a']);
      expect(await transact([accounts.plan.put(a, { id: 'a' })])).toStrictEqual({
        ...{ ok: false, reason: 'contention', retryAfterMs: 0, step: undefined, refused: [] },
      });
      expect(sent()).toHaveLength(10);
    });

    it('throws what the service will never accept', async () => {
      const { accounts, stored } = await bank(engine, {
        with: [open('a', 1), { ...open('b', 1), balance: { S: 'much' } }],
      });
      const [a, b] = leasesOn(42, ['a', 'b']);
      const error = await transact([
        accounts.plan.put(a, { id: 'a' }),
        accounts.plan.update(b, { id: 'b' }, { balance: add(1) }),
      ]).catch((e) => e);
      expect(error.name).toBe('TransactionCanceledException');
      expect(error.CancellationReasons[1].Code).toBe('ValidationError');
      expect(await stored('a')).toEqual(open('a', 1));
    });
  });

  it('B19: as an exception names the table, the key, our token and the current one', async () => {
    const { accounts, tableName } = await bank(engine, { with: [written('a', 1, newer, 1), open('b', 2)] });
    const [a, b] = leasesOn(42, ['a', 'b']);
    const fenced = await transact({
      debit: accounts.plan.put(a, { id: 'a' }),
      credit: accounts.plan.create(b, { id: 'b' }),
    });
    const thrown = (result: { readonly ok: boolean }) => {
      try {
        return unwrap(result);
      } catch (error) {
        return error;
      }
    };
    expect(thrown(fenced)).toBeInstanceOf(FencedError);
    expect(thrown(fenced)).toMatchObject({
      code: 'fenced',
      message: expect.stringContaining(
        `"debit", on ${tableName} {"id":"a"}: fenced (token 42, and the storage has seen 43), and by "credit", on ${tableName} {"id":"b"}: exists`,
      ),
    });
    const exists = await transact([accounts.plan.create(b, { id: 'b' })]);
    expect(thrown(exists)).toBeInstanceOf(RefusedError);
    expect(thrown(exists)).toMatchObject({
      code: 'exists',
      message: expect.stringContaining(`refused by 0, on ${tableName} {"id":"b"}: exists`),
      result: exists,
    });
  });

  it('says token-reused and superseded as the verbs do', async () => {
    const twin = written('a', 1, { token: 42, holder: 'twin' }, 1);
    const { accounts, stored } = await bank(engine, { with: [twin, open('b', 1)] });
    const [a, b] = leasesOn(42, ['a', 'b']);
    const reused = await transact({
      poor: accounts.plan.update(b, { id: 'b' }, { balance: add(1) }, { when: { balance: gte(500) } }),
      twin: accounts.plan.put(a, { id: 'a' }),
    });
    expect(reused).toMatchObject({ reason: 'token-reused', step: 'twin', lastToken: 42, lastHolder: 'twin' });

    const numbered = (seq: number) => fence(account('c'), 42, { holder: 'n', seq });
    await accounts.put(numbered(5), { id: 'c', balance: 5 });
    const late = await transact({
      poor: accounts.plan.update(b, { id: 'b' }, { balance: add(1) }, { when: { balance: gte(500) } }),
      late: accounts.plan.put(numbered(4), { id: 'c', balance: 4 }),
    });
    expect(late).toMatchObject({ reason: 'superseded', step: 'late', applied: 'no' });
    expect(!late.ok && late.refused.map(({ step, reason }) => [step, reason])).toEqual([
      ['poor', 'condition'],
      ['late', 'superseded'],
    ]);
    expect(await stored('a')).toEqual(twin);
    expect((await stored('c'))?.balance).toEqual({ N: '5' });
  });

  it('throws where a fence cannot be compared, or an item has none and must', async () => {
    const table = await bank(engine, {
      with: [
        { id: { S: 'a' }, _fence: { S: '9' } },
        { id: { S: 'b' }, balance: { N: '1' } },
      ],
    });
    const [a, b, x] = leasesOn(42, ['a', 'b', 'x']);
    await expect(transact([table.accounts.plan.put(a, { id: 'a' })])).rejects.toMatchObject({
      code: 'corrupt-fence',
      message: expect.stringContaining(`${table.tableName} {"id":"a"}`),
    });
    const strict = await bank(engine, { unfenced: 'refuse', with: [{ id: { S: 'b' } }] });
    await expect(
      transact([strict.accounts.plan.create(x, { id: 'x' }), strict.accounts.plan.put(b, { id: 'b' })]),
    ).rejects.toMatchObject({ code: 'unfenced-item' });
    await expect(
      transact([strict.accounts.plan.create(x, { id: 'x' }), strict.accounts.plan.check(b, { id: 'b' })]),
    ).rejects.toMatchObject({ code: 'unfenced-item' });
    expect(await strict.stored('x')).toBeUndefined();
  });

  it('adopts items that were never fenced', async () => {
    const { accounts, stored } = await bank(engine, { with: [{ id: { S: 'a' }, balance: { N: '1' } }] });
    const [a] = leasesOn(42, ['a']);
    const result = await transact([
      accounts.plan.update(a, { id: 'a' }, { balance: add(1) }, { ifVersion: 'unfenced' }),
    ]);
    expect(result).toMatchObject({ ok: true, versions: [versionBy(a, 1)] });
    expect(await stored('a')).toEqual(written('a', 2, a, 1));
  });

  describe('by a check', () => {
    it('of an item that is not written: each of its reasons, and no trace', async () => {
      const planted = [
        open('a', 1),
        written('d', 1, newer, 1),
        { id: { S: 't' }, ...stamp({ token: 40, holder: 'x' }, 1) },
      ];
      const { accounts, stored } = await bank(engine, { with: planted });
      const [a, b, d, t, z] = leasesOn(42, ['a', 'b', 'd', 't', 'z']);
      const { plan } = accounts;
      const reasonOf = async (check: ReturnType<typeof plan.check>) => {
        const result = await transact({ create: plan.create(z, { id: 'z' }), check });
        return result.ok ? 'ok' : [result.step, result.reason];
      };
      expect(await reasonOf(plan.check(a, { id: 'a' }, { when: { balance: 2 } }))).toEqual([
        'check',
        'condition',
      ]);
      expect(await reasonOf(plan.check(a, { id: 'a' }, { ifVersion: '1.1.x' }))).toEqual([
        'check',
        'version',
      ]);
      expect(await reasonOf(plan.check(a, { id: 'a' }, { absent: true }))).toEqual(['check', 'exists']);
      expect(await reasonOf(plan.check(b, { id: 'b' }))).toEqual(['check', 'not-found']);
      expect(await reasonOf(plan.check(t, { id: 't' }))).toEqual(['check', 'not-found']);
      expect(await reasonOf(plan.check(d, { id: 'd' }))).toEqual(['check', 'fenced']);
      expect(await stored('z')).toBeUndefined();
      expect(await reasonOf(plan.check(t, { id: 't' }, { absent: true }))).toBe('ok');
      for (const item of planted) expect(await stored(String(item.id?.S))).toEqual(item);
      expect(await stored('b')).toBeUndefined();
    });

    it('of an item that is written: the step that asked', async () => {
      const { accounts } = await bank(engine, { with: [open('a', 10)] });
      const [a] = leasesOn(42, ['a']);
      const { plan } = accounts;
      const debit = plan.update(a, { id: 'a' }, { balance: add(-30) });
      const poor = plan.update(a, { id: 'a' }, { balance: add(-30) }, { when: { balance: gte(30) } });
      const reasons = async (steps: Parameters<typeof transact>[0]) => {
        const result = await transact(steps);
        return result.ok ? [] : result.refused.map(({ step, reason }) => [step, reason]);
      };
      const closed = plan.check(a, { id: 'a' }, { when: { status: 'closed' } });
      const old = plan.check(a, { id: 'a' }, { ifVersion: '1.1.x' });
      expect(await reasons({ closed, debit })).toEqual([['closed', 'condition']]);
      // A better explanation than «whatever else you asked».
      expect(await reasons({ old, poor })).toEqual([['old', 'version']]);
      // The storage says that not all holds, and no more.
      expect(await reasons({ closed, poor })).toEqual([
        ['closed', 'condition'],
        ['poor', 'condition'],
      ]);
    });
  });
});
