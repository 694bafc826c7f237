import { describe, expect, it } from 'vitest';
import { openTables } from '../../../examples/ledger/tables.ts';
import { transferSteps } from '../../../examples/ledger/transfer-steps.ts';
import { transact } from '../../../src/index.ts';
import { dropResponse, pause } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { granted } from '../../support/fences.ts';
import { branch, moved, TTL_MS } from './branch.ts';

const transactions = { op: 'TransactWriteItems' } as const;

describeEachEngine('a transfer', (engine) => {
  it('moves money, and writes down both sides', async () => {
    const { process, deposit, balance, clock } = await branch(engine);
    const ledger = process('a');
    await deposit('ann', 100);
    await deposit('bob', 0);
    const result = await ledger.transfer('ann', 'bob', 30, 'k1');
    expect(result).toMatchObject({ ok: true, replayed: false });
    const entry = moved(result);
    expect(entry).toMatchObject({ id: 'k1', from: 'ann', to: 'bob', amount: 30, currency: 'EUR' });
    expect([await balance('ann'), await balance('bob')]).toEqual([70, 30]);
    const atMs = clock.now();
    expect((await ledger.statement('ann')).items.at(-1)).toEqual({
      ...{ account: 'ann', token: entry.fromToken, amount: -30, counterpart: 'bob', entry: 'k1', atMs },
    });
    expect((await ledger.statement('bob')).items).toEqual([
      { account: 'bob', token: entry.toToken, amount: 30, counterpart: 'ann', entry: 'k1', atMs },
    ]);
  });

  it('is one read, two leases in the order of their names, one transaction, and two releases', async () => {
    const { process, deposit, wire, names, clock } = await branch(engine);
    const ledger = process('a');
    await deposit('ann', 0);
    await deposit('bob', 100);
    // Or the tokens of the deposits, all within one millisecond, would be ahead of the clock.
    await clock.advance(1_000);
    wire.forget();
    const { fromToken, toToken } = moved(await ledger.transfer('bob', 'ann', 30, 'k1'));
    const [read, first, second, write, ...releases] = wire.requests;
    expect(read?.op).toBe('TransactGetItems');
    expect([first, second].map((request) => request?.input.Key)).toEqual([
      { resource: { S: 'account/ann' } },
      { resource: { S: 'account/bob' } },
    ]);
    expect(releases.map(({ op }) => op)).toEqual(['UpdateItem', 'UpdateItem']);

    expect(write?.op).toBe('TransactWriteItems');
    expect(write?.input.ClientRequestToken).toMatch(/^[\w-]{36}$/);
    const items = write?.input.TransactItems;
    expect(items).toHaveLength(7);
    const [debit, credit, entry, debitLine, creditLine, ...checks] = items;
    const kinds = items.map((item: object) => Object.keys(item)[0]);
    expect(kinds).toEqual(['Update', 'Update', 'Put', 'Put', 'Put', 'ConditionCheck', 'ConditionCheck']);
    expect([debit.Update.Key, credit.Update.Key]).toEqual([{ id: { S: 'bob' } }, { id: { S: 'ann' } }]);
    const admitted =
      '(attribute_not_exists(#df0) OR #df0 < :df0 OR (#df0 = :df0 AND #df1 = :df1 AND #df2 < :df2))';
    const live = '(attribute_exists(#df4) OR (attribute_exists(#df3) AND attribute_not_exists(#df0)))';
    expect(debit.Update.ConditionExpression).toBe(
      `${admitted} AND ${live} AND (#w0 = :w0 AND #w1 = :w1 AND #w2 >= :w2)`,
    );
    expect(debit.Update.ExpressionAttributeNames).toMatchObject({
      ...{ '#df0': '_fence', '#w0': 'currency', '#w1': 'limit', '#w2': 'balance' },
    });
    expect(debit.Update.ExpressionAttributeValues).toMatchObject({
      ...{ ':df0': { N: String(fromToken) }, ':w0': { S: 'EUR' }, ':w1': { N: '0' }, ':w2': { N: '30' } },
    });
    expect(credit.Update.ConditionExpression).toBe(`${admitted} AND ${live} AND (#w0 = :w0 AND #w1 <= :w1)`);
    expect(credit.Update.ExpressionAttributeValues).toMatchObject({
      ...{ ':df0': { N: String(toToken) }, ':w1': { N: String(Number.MAX_SAFE_INTEGER - 30) } },
    });
    expect(entry.Put.TableName).toBe(names.entries);
    expect(entry.Put.ConditionExpression).toContain('attribute_not_exists');
    expect([debitLine.Put.Item.token, creditLine.Put.Item.token]).toEqual([
      { N: String(fromToken) },
      { N: String(toToken) },
    ]);
    expect(
      checks.map(({ ConditionCheck }: { ConditionCheck: { Key: unknown } }) => ConditionCheck.Key),
    ).toEqual([{ resource: { S: 'account/bob' } }, { resource: { S: 'account/ann' } }]);
    for (const item of items) {
      const [action] = Object.values(item) as { ReturnValuesOnConditionCheckFailure: string }[];
      expect(action?.ReturnValuesOnConditionCheckFailure).toBe('ALL_OLD');
    }
    for (const { Put } of [debitLine, creditLine]) {
      expect(Put.ConditionExpression).toContain('#df0 < :df0');
    }
  });

  describe('is refused', () => {
    it.each([0, -1, 1.5, Number.NaN, 2 ** 53, '5' as unknown as number])(
      'for the amount %s, before anything is sent',
      async (amount) => {
        const { process, wire } = await branch(engine);
        await expect(process('a').transfer('ann', 'bob', amount, 'k1')).rejects.toThrow(RangeError);
        expect(wire.requests).toEqual([]);
      },
    );

    it('from an account to itself, and without a key, before anything is sent', async () => {
      const { process, wire } = await branch(engine);
      await expect(process('a').transfer('ann', 'ann', 1, 'k1')).rejects.toThrow(RangeError);
      await expect(process('a').transfer('ann', 'bob', 1, '')).rejects.toMatchObject({
        code: 'invalid-input',
      });
      expect(wire.requests).toEqual([]);
    });

    it('where there is no such account', async () => {
      const { process, deposit } = await branch(engine);
      await deposit('ann', 1);
      const ledger = process('a');
      const noBob = { ok: false, reason: 'no-account', account: 'bob' };
      expect(await ledger.transfer('ann', 'bob', 1, 'k1')).toEqual(noBob);
      expect(await ledger.transfer('bob', 'ann', 1, 'k1')).toEqual(noBob);
    });

    it('between currencies', async () => {
      const { process, deposit, balance } = await branch(engine);
      await deposit('ann', 1);
      await deposit('bea', 1, 'USD');
      const refused = await process('a').transfer('ann', 'bea', 1, 'k1');
      expect(refused).toEqual({ ok: false, reason: 'currency' });
      expect(await balance('bea')).toBe(1);
    });

    it('below the limit of the account, and its key stays free', async () => {
      const { process, deposit, balance, stored } = await branch(engine);
      const ledger = process('a');
      await deposit('ann', 10);
      await ledger.open({ id: 'bob', currency: 'EUR', limit: -5 });
      expect(await ledger.transfer('ann', 'bob', 11, 'k1')).toEqual({
        ...{ ok: false, reason: 'insufficient', balance: 10, limit: 0 },
      });
      expect(await ledger.transfer('bob', 'ann', 6, 'k1')).toEqual({
        ...{ ok: false, reason: 'insufficient', balance: 0, limit: -5 },
      });
      expect(await stored('entries')).toHaveLength(1);
      moved(await ledger.transfer('ann', 'bob', 10, 'k1'));
      moved(await ledger.transfer('bob', 'ann', 15, 'k2'));
      expect([await balance('ann'), await balance('bob')]).toEqual([15, -5]);
    });

    it('where the receiver would have more than can be counted', async () => {
      const { process, deposit, balance } = await branch(engine);
      await deposit('ann', Number.MAX_SAFE_INTEGER - 1);
      const ledger = process('a');
      await ledger.open({ id: 'sue', currency: 'EUR', limit: -2 });
      expect(await ledger.transfer('sue', 'ann', 2, 'k1')).toEqual({ ok: false, reason: 'overflow' });
      moved(await ledger.transfer('sue', 'ann', 1, 'k2'));
      expect(await balance('ann')).toBe(Number.MAX_SAFE_INTEGER);
    });

    it('while somebody else has one of the accounts', async () => {
      const { process, deposit, faults } = await branch(engine);
      await deposit('ann', 10);
      await deposit('bob', 0);
      const gate = pause();
      faults.add({ on: { ...transactions, nth: 1 }, do: gate });
      const first = process('a').transfer('ann', 'bob', 1, 'k1');
      await gate.reached;
      expect(await process('b').transfer('ann', 'bob', 1, 'k2')).toMatchObject({ ok: false, reason: 'held' });
      gate.release();
      moved(await first);
    });

    it('as soon as a newer lease was issued, before its holder has written', async () => {
      const { process, deposit, faults, clock, balance, stored } = await branch(engine);
      await deposit('ann', 10);
      await deposit('bob', 0);
      const gates = [pause(), pause()] as const;
      faults.add({ on: { ...transactions, nth: 1 }, do: gates[0] }, { on: transactions, do: gates[1] });
      const late = process('a').transfer('ann', 'bob', 1, 'k1');
      await gates[0].reached;
      await clock.advance(TTL_MS);
      const next = process('b').transfer('ann', 'bob', 2, 'k2');
      await gates[1].reached;
      gates[0].release();
      expect(await late).toMatchObject({ ok: false, reason: 'fenced', resource: 'account/ann' });
      expect(await balance('ann')).toBe(10);
      expect(await stored('entries')).toHaveLength(1);
      gates[1].release();
      moved(await next);
      expect(await balance('ann')).toBe(8);
    });
  });

  it('H6: of two withdrawals of 8 from 10 one is carried out, under one lease or two', async () => {
    const { process, deposit, balance, names } = await branch(engine);
    await deposit('ann', 10);
    await deposit('bob', 0);
    const answers = await Promise.all(
      ['k1', 'k2'].map((key) => process(key, { waitMs: 0 }).transfer('ann', 'bob', 8, key)),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({
      reason: expect.stringMatching(/^(held|insufficient|fenced)$/),
    });
    expect(await balance('ann')).toBe(2);

    await deposit('ann', 8);
    // Under the same lease there is nobody but the condition to tell them apart.
    const tables = openTables({ client: engine.client(), tableNames: names });
    const later = 2 ** 50;
    const leases = { from: granted('account/ann', later), to: granted('account/bob', later) };
    const account = (await tables.accounts.get({ id: 'ann' }))?.item;
    if (account === undefined) throw new Error('opened above');
    const withdraw = (id: string) => {
      const tokens = { fromToken: later, toToken: later };
      const entry = { id, from: 'ann', to: 'bob', amount: 8, currency: 'EUR', ...tokens, atMs: 0 };
      return transact(transferSteps(tables, leases, account, entry));
    };
    const results = await Promise.all([withdraw('k3'), withdraw('k4')]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toMatchObject({
      refused: expect.arrayContaining([expect.objectContaining({ step: 'debit', reason: 'condition' })]),
    });
    expect(await balance('ann')).toBe(2);
  });

  it('H7: where the credit is fenced, nothing is debited', async () => {
    const { process, deposit, balance, stored } = await branch(engine);
    await deposit('ann', 10);
    await deposit('bob', 0);
    const { tables } = process('a');
    const account = (await tables.accounts.get({ id: 'ann' }))?.item;
    if (account === undefined) throw new Error('opened above');
    const [late, newer] = [granted('account/bob', 2 ** 50), granted('account/bob', 2 ** 50 + 1)];
    await tables.accounts.claim(newer, { id: 'bob' });
    const leases = { from: granted('account/ann', 2 ** 50), to: late };
    const tokens = { fromToken: leases.from.token, toToken: late.token };
    const entry = { id: 'k1', from: 'ann', to: 'bob', amount: 1, currency: 'EUR', ...tokens, atMs: 0 };
    const { debit, credit, ...rest } = transferSteps(tables, leases, account, entry);
    expect(await transact([debit, credit, ...Object.values(rest)])).toMatchObject({
      ...{ ok: false, reason: 'fenced', step: 1, lastToken: newer.token },
    });
    expect([await balance('ann'), await balance('bob')]).toEqual([10, 0]);
    expect(await stored('lines')).toHaveLength(2);
  });

  describe('with a key that was used', () => {
    it('is answered what was done then', async () => {
      const { process, deposit, balance } = await branch(engine);
      await deposit('ann', 10);
      await deposit('bob', 0);
      const first = moved(await process('a').transfer('ann', 'bob', 8, 'k1'));
      // There is no money left for it: the key comes before the balance.
      expect(await process('b').transfer('ann', 'bob', 8, 'k1')).toEqual({
        ...{ ok: true, entry: first, replayed: true },
      });
      expect(await balance('bob')).toBe(8);
    });

    it.each([
      ['another amount', ['ann', 'bob', 2]],
      ['another receiver', ['ann', 'sue', 1]],
      ['another payer', ['sue', 'bob', 1]],
    ] as const)('is refused for %s', async (_, [from, to, amount]) => {
      const { process, deposit, stored } = await branch(engine);
      for (const account of ['ann', 'bob', 'sue']) await deposit(account, 10);
      const ledger = process('a');
      const entry = moved(await ledger.transfer('ann', 'bob', 1, 'k1'));
      const before = await stored('accounts');
      const refused = { ok: false, reason: 'key-reused', entry };
      expect(await ledger.transfer(from, to, amount, 'k1')).toEqual(refused);
      expect(await stored('accounts')).toEqual(before);
    });

    it('also where both looked at the same time: one is carried out', async () => {
      const { process, deposit, faults, balance } = await branch(engine);
      for (const account of ['ann', 'bob', 'sue', 'tom']) await deposit(account, 10);
      const gate = pause({ at: 'answer' });
      faults.add({ on: { op: 'TransactGetItems', nth: 1 }, do: gate });
      const [a, b] = [process('a'), process('b')];
      const late = a.transfer('ann', 'bob', 10, 'k1');
      await gate.reached;
      const entry = moved(await b.transfer('ann', 'bob', 10, 'k1'));
      gate.release();
      expect(await late).toEqual({ ok: true, entry, replayed: true });
      expect(await balance('bob')).toBe(20);

      const second = pause({ at: 'answer' });
      faults.add({ on: { op: 'TransactGetItems', nth: 1 }, do: second });
      const other = a.transfer('bob', 'tom', 10, 'k2');
      await second.reached;
      const theirs = moved(await b.transfer('sue', 'ann', 1, 'k2'));
      second.release();
      expect(await other).toEqual({ ok: false, reason: 'key-reused', entry: theirs });
    });
  });

  describe('whose answer is lost', () => {
    it('is sent again, and applied once', async () => {
      const { process, deposit, faults, balance, until } = await branch(engine);
      await deposit('ann', 10);
      await deposit('bob', 0);
      faults.add({ on: transactions, do: dropResponse(), times: 1 });
      const transfer = process('a', { waitMs: 60_000 }).transfer('ann', 'bob', 8, 'k1');
      expect(await until(transfer)).toMatchObject({ ok: true, replayed: true });
      expect(faults.bites('dropResponse')).toBe(1);
      expect(await balance('ann')).toBe(2);
    });

    it('and does not come in time, is found out by asking, not guessed', async () => {
      const { process, deposit, faults, balance, until } = await branch(engine);
      await deposit('ann', 10);
      await deposit('bob', 0);
      const startedAt = faults.log.length;
      // No answer at all within the time of the call, which so does not learn what became of it.
      faults.add({ on: transactions, do: dropResponse({ as: 'hang' }), times: 1 });
      const transfer = process('a').transfer('ann', 'bob', 8, 'k1', { timeoutMs: 500 });
      expect(await until(transfer)).toMatchObject({ ok: true, replayed: true });
      expect(faults.log.length - startedAt).toBe(1);
      expect(await balance('ann')).toBe(2);
    });

    it('is done when it is asked for again after a crash between commit and answer', async () => {
      const { process, deposit, faults, clock, balance } = await branch(engine);
      await deposit('ann', 10);
      await deposit('bob', 0);
      const gate = pause({ at: 'answer' });
      faults.add({ on: { ...transactions, nth: 1 }, do: gate });
      // It never hears the answer, and releases nothing: all that is left of it is what it has committed.
      const crashed = process('a').transfer('ann', 'bob', 8, 'k1');
      await gate.reached;
      const again = await process('b').transfer('ann', 'bob', 8, 'k1');
      expect(again).toMatchObject({ ok: true, replayed: true, entry: { id: 'k1' } });
      expect([await balance('ann'), await balance('bob')]).toEqual([2, 8]);
      await clock.advance(TTL_MS);
      moved(await process('b').transfer('ann', 'bob', 2, 'k2'));
      gate.release();
      await crashed;
      expect(await balance('ann')).toBe(0);
    });
  });
});
