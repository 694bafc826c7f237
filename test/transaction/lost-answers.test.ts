import { describe, expect, it } from 'vitest';
import { add, gte } from '../../src/expressions.ts';
import { fence, transact } from '../../src/index.ts';
import { bodyText } from '../../src/testing/faults/wire-request.ts';
import { dropResponse, duplicate, respond, serverError, throttle } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { overtakenBy, straggler } from '../repository/ambiguity/straggler.ts';
import { type Accounts, account } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { bank, leasesOn, open, stamp, versionBy, written } from './bank.ts';
import { cancelled } from './cancelled.ts';

const isWrite = { op: 'TransactWriteItems' } as const;
const inProgress = () => respond({ name: 'TransactionInProgressException' });

/** Thirty from a to b, if a has thirty. */
function transfer({ plan }: Accounts, [a, b]: ReturnType<typeof leasesOn<readonly ['a', 'b']>>) {
  return {
    debit: plan.update(a, { id: 'a' }, { balance: add(-30) }, { when: { balance: gte(30) } }),
    credit: plan.update(b, { id: 'b' }, { balance: add(30) }),
  };
}

describeEachEngine('a transaction whose answer is lost', (engine) => {
  const pair = () => leasesOn(42, ['a', 'b']);
  const funds = [open('a', 100), open('b', 5)];

  describe.each([
    ['by a reset', () => dropResponse()],
    ['by a timeout', () => dropResponse({ as: 'timeout' })],
    ['by a 500', () => serverError({ applied: true })],
  ])('%s', (_, lose) => {
    it('is sent again and applied once', async () => {
      const { accounts, stored, sent, faults } = await bank(engine, {
        with: funds,
        rules: [{ on: { ...isWrite, nth: 1 }, do: lose() }],
      });
      const [a, b] = pair();
      expect(await transact(transfer(accounts, [a, b]))).toStrictEqual({
        ...{ ok: true, replayed: true },
        versions: { debit: versionBy(a, 1), credit: versionBy(b, 1) },
      });
      expect(faults.bites()).toBe(1);
      expect(sent()).toEqual(['TransactWriteItems', 'TransactWriteItems']);
      expect(await stored('a')).toEqual(written('a', 70, a, 1));
      expect(await stored('b')).toEqual(written('b', 35, b, 1));
    });
  });

  it('is no replay where the copy that was lost never arrived', async () => {
    const { accounts, stored } = await bank(engine, {
      with: funds,
      rules: [{ on: { ...isWrite, nth: 1 }, do: serverError() }],
    });
    const [a, b] = pair();
    expect(await transact(transfer(accounts, [a, b]))).toMatchObject({ ok: true, replayed: false });
    expect(await stored('a')).toEqual(written('a', 70, a, 1));
  });

  it('B13: resolve() sends the same token and the same bytes, and it counts once', async () => {
    const { accounts, stored, transactions, faults } = await bank(engine, {
      with: funds,
      maxAttempts: 2,
      rules: [{ on: isWrite, do: dropResponse() }],
    });
    const [a, b] = pair();
    const error = await transact(transfer(accounts, [a, b])).catch((e) => e);
    expect(error).toMatchObject({ code: 'outcome-unknown', applied: 'unknown', next: 'resolve' });
    expect(error.message).toMatch(
      /^The transaction of debit \(.+"a".+\), credit \(.+"b".+\) was sent 2 times/,
    );
    faults.heal();
    const done = { ok: true, replayed: true, versions: { debit: versionBy(a, 1), credit: versionBy(b, 1) } };
    expect(await error.resolve()).toStrictEqual(done);
    expect(await error.resolve()).toStrictEqual(done);
    const [first, ...copies] = transactions();
    expect(copies).toHaveLength(3);
    for (const copy of copies) expect(copy).toEqual(first);
    expect(await stored('a')).toEqual(written('a', 70, a, 1));
    expect(await stored('b')).toEqual(written('b', 35, b, 1));
  });

  it('is found by its traces where the service has forgotten the token', async () => {
    const { accounts, stored, sent } = await bank(engine, {
      with: funds,
      rules: [
        { on: { ...isWrite, nth: 1 }, do: dropResponse() },
        // What it answers after ten minutes: the conditions are judged anew, and our own stamps are there.
        { on: { ...isWrite, nth: 2 }, do: forgotten() },
      ],
    });
    const [a, b] = pair();
    expect(await transact(transfer(accounts, [a, b]))).toMatchObject({ ok: true, replayed: true });
    const reads = engine.returnsItems ? [] : ['GetItem', 'GetItem'];
    expect(sent()).toEqual(['TransactWriteItems', 'TransactWriteItems', ...reads]);
    expect(await stored('a')).toEqual(written('a', 70, a, 1));
  });

  it('is found by one trace alone, where a newer holder wrote over the other and a conflict hides the rest', async () => {
    const [a, b] = pair();
    const newer = granted(account('a'), 43);
    const table = await bank(engine, { with: funds });
    table.faults.add(
      { on: { ...isWrite, nth: 1 }, do: dropResponse() },
      {
        on: { ...isWrite, nth: 2 },
        do: [
          overtakenBy(() => table.others.put(newer, { id: 'a', balance: 1 })),
          cancelled('ConditionalCheckFailed', 'TransactionConflict'),
        ],
      },
    );
    const result = await transact(transfer(table.accounts, [a, b]));
    expect(result).toMatchObject({ ok: true, replayed: true });
    expect(await table.stored('a')).toEqual(written('a', 1, newer, 1));
    expect(await table.stored('b')).toEqual(written('b', 35, b, 1));
    // It was applied, and the one lease knows that it is fenced now.
    expect(await table.accounts.put(a, { id: 'a' })).toMatchObject({ reason: 'fenced', lastToken: 43 });
    expect(await table.accounts.put(b, { id: 'b' })).toMatchObject({ ok: true });
  });

  it('B11: waits for the copy that is in progress, with the same token', async () => {
    const { accounts, stored, transactions, faults } = await bank(engine, {
      with: funds,
      rules: [
        { on: { ...isWrite, nth: 1 }, do: dropResponse() },
        { on: { ...isWrite, nth: [2, 3, 4] }, do: inProgress() },
      ],
    });
    const [a, b] = pair();
    expect(await transact(transfer(accounts, [a, b]))).toMatchObject({ ok: true, replayed: true });
    expect(faults.bites('respond')).toBe(3);
    const tokens = new Set(transactions().map(({ ClientRequestToken }) => ClientRequestToken));
    expect([transactions().length, tokens.size]).toEqual([5, 1]);
    expect(await stored('a')).toEqual(written('a', 70, a, 1));
    expect(await stored('b')).toEqual(written('b', 35, b, 1));
  });

  it('B20: the same number again is the same transaction', async () => {
    const { accounts, stored } = await bank(engine, { with: funds });
    const b = granted(account('b'), 42);
    const once = async () => {
      const a = fence(account('a'), 42, { holder: 'importer', seq: 7 });
      return transact({
        debit: accounts.plan.update(a, { id: 'a' }, { balance: add(-10) }),
        credit: accounts.plan.update(b, { id: 'b' }, { balance: add(10) }),
      });
    };
    expect(await once()).toMatchObject({ ok: true, replayed: false });
    expect(await once()).toMatchObject({ ok: true, replayed: true });
    expect((await stored('a'))?.balance).toEqual({ N: '90' });
    expect((await stored('b'))?.balance).toEqual({ N: '15' });
  });

  describe('while a copy is on its way', () => {
    const poor = [open('a', 20), open('b', 5)];

    it('a refusal is sealed on an item that it writes, so that the copy is refused when it comes', async () => {
      const late = straggler();
      const { accounts, others, stored, sent, tableName } = await bank(engine, {
        with: poor,
        rules: [{ on: { ...isWrite, nth: 1 }, do: late }],
      });
      const [a, b] = pair();
      const condition = {
        ...{ ok: false, reason: 'condition', item: { id: 'a', balance: 20 }, version: '40.1.before-a' },
        ...{ step: 'debit', tableName, key: { id: 'a' } },
      };
      expect(await transact(transfer(accounts, [a, b]))).toStrictEqual({
        ...condition,
        refused: [condition],
      });
      // The credit, whose condition held, is looked at as well: it might carry the only trace.
      const looks = engine.returnsItems ? ['GetItem'] : ['GetItem', 'GetItem'];
      expect(sent()).toEqual(['TransactWriteItems', 'TransactWriteItems', ...looks, 'UpdateItem']);
      expect(await stored('a')).toEqual({ ...poor[0], ...stamp(a, 1.5) });

      const older = granted(account('a'), 41);
      expect(await others.put(older, { id: 'a', balance: 500 })).toMatchObject({ reason: 'fenced' });
      expect(await late.arrive()).toBe('refused');
      expect(await stored('b')).toEqual(poor[1]);
      expect(await accounts.put(a, { id: 'a', balance: 7 })).toMatchObject({ ok: true });
      expect(await stored('a')).toEqual(written('a', 7, a, 2));
    });

    it('was none, where the copy was applied before the seal came', async () => {
      const late = straggler();
      const table = await bank(engine, { with: poor, rules: [{ on: { ...isWrite, nth: 1 }, do: late }] });
      const [a, b] = pair();
      const older = granted(account('a'), 41);
      table.faults.add({
        on: { op: 'UpdateItem' },
        do: overtakenBy(async () => {
          await table.others.put(older, { id: 'a', balance: 50 });
          expect(await late.arrive()).toBe('applied');
        }),
      });
      expect(await transact(transfer(table.accounts, [a, b]))).toMatchObject({ ok: true, replayed: true });
      expect(await table.stored('a')).toEqual({ ...written('a', 20, a, 1), ...stamp(a, 1.5) });
      expect(await table.stored('b')).toEqual(written('b', 35, b, 1));
    });

    it('is fenced where a newer holder came before the seal, and says that nobody knows', async () => {
      const late = straggler();
      const table = await bank(engine, { with: poor, rules: [{ on: { ...isWrite, nth: 1 }, do: late }] });
      const [a, b] = pair();
      const newer = granted(account('a'), 43);
      table.faults.add({
        on: { op: 'UpdateItem' },
        do: overtakenBy(() => table.others.claim(newer, { id: 'a' })),
      });
      const result = await transact(transfer(table.accounts, [a, b]));
      expect(result).toMatchObject({ reason: 'fenced', step: 'debit', lastToken: 43, applied: 'unknown' });
      expect(await late.arrive()).toBe('refused');
      expect(await table.stored('b')).toEqual(poor[1]);
    });

    it('is unknown where the seal cannot be placed, and what it was once it can', async () => {
      const late = straggler();
      const table = await bank(engine, {
        with: poor,
        rules: [
          { on: { ...isWrite, nth: 1 }, do: late },
          { on: { op: 'UpdateItem' }, do: throttle() },
        ],
      });
      const [a, b] = pair();
      const error = await transact(transfer(table.accounts, [a, b])).catch((e) => e);
      expect(error).toMatchObject({
        code: 'outcome-unknown',
        cause: { name: 'ProvisionedThroughputExceededException' },
      });
      expect(await table.stored('a')).toEqual(poor[0]);
      table.faults.heal();
      expect(await error.resolve()).toMatchObject({ reason: 'condition', step: 'debit' });
      expect(await late.arrive()).toBe('refused');
      expect(await table.stored('a')).toEqual({ ...poor[0], ...stamp(a, 1.5) });
    });

    it('is what it was, where the seal was placed and its answer lost', async () => {
      const [late, lateSeal] = [straggler(), straggler()];
      const table = await bank(engine, {
        // The item that is sealed is not the one that refuses.
        with: [open('b', 5)],
        rules: [
          { on: { ...isWrite, nth: 1 }, do: late },
          { on: { op: 'UpdateItem', nth: 1 }, do: lateSeal },
          { on: { op: 'UpdateItem' }, do: throttle() },
        ],
      });
      const [a, b] = pair();
      const steps = {
        credit: table.accounts.plan.update(b, { id: 'b' }, { balance: add(30) }),
        debit: table.accounts.plan.update(a, { id: 'a' }, { balance: add(-30) }),
      };
      const error = await transact(steps).catch((e) => e);
      expect(error).toMatchObject({ code: 'outcome-unknown' });
      table.faults.heal();
      expect(await lateSeal.arrive()).toBe('applied');
      // The reason is gone, but the transaction was refused for it, and can never be applied.
      await table.others.create(granted(account('a'), 41), { id: 'a', balance: 90 });
      expect(await error.resolve()).toMatchObject({ ok: false, reason: 'not-found', step: 'debit' });
      expect(await late.arrive()).toBe('refused');
      expect(await table.stored('b')).toEqual({ ...open('b', 5), ...stamp(b, 1.5) });
      expect((await table.stored('a'))?.balance).toEqual({ N: '90' });
    });

    it('does not seal a delete, if it can choose', async () => {
      const late = straggler();
      const { accounts, stored } = await bank(engine, {
        with: poor,
        rules: [{ on: { ...isWrite, nth: 1 }, do: late }],
      });
      const [a, b] = pair();
      const result = await transact({
        remove: accounts.plan.delete(a, { id: 'a' }, { when: { balance: 500 } }),
        credit: accounts.plan.update(b, { id: 'b' }, { balance: add(1) }),
      });
      expect(result).toMatchObject({ ok: false, reason: 'condition', step: 'remove' });
      expect(await stored('a')).toEqual(poor[0]);
      expect(await stored('b')).toEqual({ ...poor[1], ...stamp(b, 1.5) });
      expect(await late.arrive()).toBe('refused');
    });

    it('seals a delete where it must, and believes it where the item is still there', async () => {
      const late = straggler();
      const { accounts, stored } = await bank(engine, {
        with: poor,
        rules: [{ on: { ...isWrite, nth: 1 }, do: late }],
      });
      const [a] = pair();
      const remove = accounts.plan.delete(a, { id: 'a' }, { when: { balance: 500 } });
      expect(await transact({ remove })).toMatchObject({ reason: 'condition', item: { balance: 20 } });
      expect(await stored('a')).toEqual({ ...poor[0], ...stamp(a, 1.5) });
      expect(await late.arrive()).toBe('refused');
    });

    it('needs no seal for a refusal by the fence, nor where nothing is written', async () => {
      const fencedOff = written('a', 1, { token: 43, holder: 'newer' }, 1);
      const table = await bank(engine, {
        with: [fencedOff, open('b', 5)],
        rules: [{ on: { ...isWrite, nth: [1, 3] }, do: serverError() }],
      });
      const [a, b] = pair();
      const result = await transact(transfer(table.accounts, [a, b]));
      expect(result).toMatchObject({ reason: 'fenced', step: 'debit', applied: 'unknown' });
      const check = table.accounts.plan.check(b, { id: 'b' }, { when: { balance: 500 } });
      expect(await transact({ check })).toMatchObject({ reason: 'condition', step: 'check' });
      expect(table.sent()).not.toContain('UpdateItem');
      expect(await table.stored('b')).toEqual(open('b', 5));
    });
  });

  it('a late duplicate changes nothing any more', async () => {
    const copy = duplicate({ after: { requests: 3 }, copies: 2 });
    const { accounts, stored, faults } = await bank(engine, {
      with: funds,
      rules: [{ on: { ...isWrite, nth: 1 }, do: copy }],
    });
    const [a, b] = pair();
    expect(await transact(transfer(accounts, [a, b]))).toMatchObject({ ok: true });
    for (const by of [1, 2, 3]) await accounts.update(a, { id: 'a' }, { balance: add(by) });
    await faults.idle();
    expect(copy.answers).toHaveLength(2);
    expect(await stored('a')).toEqual(written('a', 76, a, 4));
    expect(await stored('b')).toEqual(written('b', 35, b, 1));
  });

  describe('under bare fences alone', () => {
    const bare = () => [fence(account('a'), 42), fence(account('b'), 42)] as const;

    it('is sent once, and found by reading', async () => {
      const { accounts, stored, sent, faults } = await bank(engine, {
        with: funds,
        rules: [{ on: isWrite, do: dropResponse() }],
      });
      const [a, b] = bare();
      const error = await transact(transfer(accounts, [a, b])).catch((e) => e);
      expect(error).toMatchObject({ code: 'outcome-unknown' });
      expect([sent(), faults.bites()]).toEqual([['TransactWriteItems'], 1]);
      expect(await error.resolve()).toStrictEqual({
        ...{ ok: true, replayed: true },
        versions: { debit: versionBy(a, 1), credit: versionBy(b, 1) },
      });
      expect(sent()).toEqual(['GetItem', 'GetItem']);
      expect(await stored('a')).toEqual(written('a', 70, a, 1));
    });

    it('stays unknown where there is no trace, and is fenced where a newer token is', async () => {
      const { accounts, others, sent } = await bank(engine, {
        with: funds,
        rules: [{ on: isWrite, do: serverError() }],
      });
      const error = await transact(transfer(accounts, [...bare()])).catch((e) => e);
      await expect(error.resolve()).rejects.toMatchObject({ code: 'outcome-unknown' });
      await others.claim(granted(account('b'), 43), { id: 'b' });
      expect(await error.resolve()).toMatchObject({ reason: 'fenced', step: 'credit', applied: 'unknown' });
      expect(sent().filter((op) => op === 'TransactWriteItems')).toHaveLength(1);
    });

    it('is contention at once where it is turned away', async () => {
      const { accounts, sent } = await bank(engine, {
        with: funds,
        rules: [{ on: isWrite, do: cancelled('None', 'TransactionConflict') }],
      });
      const result = await transact(transfer(accounts, [...bare()]));
      expect(result).toMatchObject({ reason: 'contention', step: 'credit' });
      expect(sent()).toEqual(['TransactWriteItems']);
    });

    it('may be sent again where one of its writes is under a lease, which refuses all of it a second time', async () => {
      const { accounts, stored, sent } = await bank(engine, {
        with: funds,
        rules: [{ on: { ...isWrite, nth: 1 }, do: dropResponse() }],
      });
      const a = fence(account('a'), 42);
      const [, b] = pair();
      expect(await transact(transfer(accounts, [a, b]))).toMatchObject({ ok: true, replayed: true });
      expect(sent()).toEqual(['TransactWriteItems', 'TransactWriteItems']);
      expect((await stored('a'))?.balance).toEqual({ N: '70' });
    });
  });
});

/** The same request, as one that the service meets for the first time: its token is forgotten. */
function forgotten() {
  return {
    name: 'forgotten',
    async inject({ http, deliver }: Parameters<ReturnType<typeof dropResponse>['inject']>[0]) {
      const input = JSON.parse(bodyText(http));
      const body = JSON.stringify({ ...input, ClientRequestToken: `${input.ClientRequestToken}`.slice(1) });
      return deliver({ ...http, body, headers: { ...http.headers, 'content-length': `${body.length}` } });
    },
  };
}
