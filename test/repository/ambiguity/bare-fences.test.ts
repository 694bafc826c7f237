import { describe, expect, it } from 'vitest';
import { gte } from '../../../src/expressions.ts';
import { fence, formatFence, parseFence } from '../../../src/index.ts';
import {
  dropResponse,
  type Fault,
  hang,
  manualClock,
  reset,
  serverError,
  throttle,
} from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene } from './scene.ts';
import { balance, live, stamp, tombstone } from './stored.ts';
import { overtakenBy, straggler } from './straggler.ts';
import { verbs } from './verbs.ts';
import { full, id, withdraw } from './withdraw.ts';

const bare = (token = 42) => fence(account('a'), token);
const failure = (write: Promise<unknown>) =>
  write.then(
    (result) => Promise.reject(new Error(`decided: ${JSON.stringify(result)}`)),
    (error) => error,
  );

describeEachEngine('a bare fence', (engine) => {
  describe('sends each write once, however many attempts the client allows', () => {
    const losses: readonly [string, Fault, boolean][] = [
      ['the answer is lost', dropResponse(), true],
      ['it is lost', reset(), false],
      ['a 500 comes', serverError(), false],
    ];
    it.each(losses)('where %s', async (_, fault, applied) => {
      const { accounts, stored, sent } = await scene(engine, {
        ...{ with: full, maxAttempts: 5 },
        rules: [{ on: { nth: 1 }, do: fault }],
      });
      const by = bare();
      expect(await failure(withdraw(accounts, by))).toMatchObject({
        code: 'outcome-unknown',
        applied: 'unknown',
      });
      expect(sent()).toEqual(['UpdateItem']);
      expect(await stored()).toEqual(applied ? live(balance(90), by, 1) : full);
    });

    it('where it is throttled: contention, which is no promise of another copy', async () => {
      const { accounts, stored, sent } = await scene(engine, {
        ...{ with: full, maxAttempts: 5 },
        rules: [{ on: { nth: 1 }, do: throttle() }],
      });
      expect(await withdraw(accounts, bare())).toMatchObject({ reason: 'contention' });
      expect(sent()).toEqual(['UpdateItem']);
      expect(await stored()).toEqual(full);
    });
  });

  describe('resolve() only reads', () => {
    const lost = async (fault: Fault) => {
      const table = await scene(engine, { with: full, rules: [{ on: { nth: 1 }, do: fault }] });
      const by = bare();
      const error = await failure(withdraw(table.accounts, by));
      table.sent();
      return { ...table, by, error };
    };

    it('and finds the stamp', async () => {
      const { error, by, sent, stored } = await lost(dropResponse());
      expect(await error.resolve()).toMatchObject({ ok: true, replayed: true, item: { balance: 90 } });
      expect(sent()).toEqual(['GetItem']);
      expect(await stored()).toEqual(live(balance(90), by, 1));
    });

    it.each([42, 43])('and finds the content under a later claim of %s', async (token) => {
      const { accounts, error, by, others, sent } = await lost(dropResponse());
      await others.claim(bare(token), id);
      expect(await error.resolve()).toMatchObject({ ok: true, replayed: true, item: { balance: 90 } });
      expect(sent()).toEqual(['GetItem']);
      expect((await withdraw(accounts, by)).ok).toBe(token === 42);
    });

    it('and does not know where it finds no trace: the copy may still come', async () => {
      const { error, sent, stored } = await lost(reset());
      expect(await failure(error.resolve())).toMatchObject({ code: 'outcome-unknown' });
      expect(await failure(error.resolve())).toMatchObject({ code: 'outcome-unknown' });
      expect(sent()).toEqual(['GetItem', 'GetItem']);
      expect(await stored()).toEqual(full);
    });

    it('and does not know where another writer of the token came after it', async () => {
      const { error, others, sent, stored } = await lost(dropResponse());
      const other = bare();
      await others.put(other, { ...id, balance: 7 });
      expect(await failure(error.resolve())).toMatchObject({ code: 'outcome-unknown' });
      expect(sent()).toEqual(['GetItem']);
      expect(await stored()).toEqual(live(balance(7), other, 1));
    });

    it('and is fenced by a larger token, for all later writes', async () => {
      const { accounts, error, by, others, sent } = await lost(reset());
      const newer = granted(account('a'), 43);
      await others.put(newer, { ...id, balance: 7 });
      const fenced = { ok: false, reason: 'fenced', lastToken: 43, lastHolder: newer.holder };
      expect(await error.resolve()).toMatchObject({ ...fenced, applied: 'unknown' });
      expect(await withdraw(accounts, by)).toMatchObject({ ...fenced, applied: 'no' });
      expect(sent()).toEqual(['GetItem']);
    });

    it('and is unknown where the read fails', async () => {
      const { error, faults } = await lost(reset());
      faults.add({ on: { op: 'GetItem' }, do: serverError() });
      expect(await failure(error.resolve())).toMatchObject({
        ...{ code: 'outcome-unknown', cause: { name: 'InternalServerError' } },
      });
    });

    it('and keeps to its deadline', async () => {
      const clock = manualClock();
      const { accounts, faults, sent } = await scene(engine, {
        ...{ with: full, clock },
        rules: [{ on: { nth: 1 }, do: reset() }],
      });
      const error = await failure(withdraw(accounts, bare()));
      sent();
      faults.add({ do: hang() });
      const resolving = failure(error.resolve({ timeoutMs: 300 }));
      await expect.poll(() => faults.bites('hang'), { interval: 1 }).toBe(1);
      await clock.advance(300);
      expect(await resolving).toMatchObject({ code: 'outcome-unknown' });
      expect(sent()).toEqual(['GetItem']);
      expect(clock.timers).toBe(0);
    });
  });

  it.each(Object.entries(verbs))('%s, its answer lost, is found', async (_, verb) => {
    const { accounts, stored, sent } = await scene(engine, {
      with: verb.with,
      rules: [{ on: { nth: 1 }, do: dropResponse() }],
    });
    const by = bare();
    const error = await failure(verb.call(accounts, by));
    expect(await error.resolve()).toMatchObject({ ok: true, replayed: true, token: 42 });
    expect(sent()).toEqual([verb.op, 'GetItem']);
    expect(await stored()).toEqual(verb.leaves(by));
  });

  it('shares its token with others, each of whom applies once', async () => {
    const { accounts, others, stored } = await scene(engine, { with: full });
    const [mine, theirs] = [bare(), parseFence(formatFence(bare()))];
    for (const by of [mine, theirs, mine, theirs, mine]) {
      expect(await withdraw(by === mine ? accounts : others, by)).toMatchObject({
        ok: true,
        replayed: false,
      });
    }
    expect(await stored()).toEqual(live(balance(50), mine, 3));
  });

  it('orders its own writes by their numbers', async () => {
    const late = straggler();
    const { accounts, stored } = await scene(engine, { with: full, rules: [{ on: { nth: 1 }, do: late }] });
    const by = bare();
    expect(await failure(withdraw(accounts, by))).toMatchObject({ code: 'outcome-unknown' });
    expect(await accounts.put(by, { ...id, balance: 7 })).toMatchObject({ ok: true });
    expect(await late.arrive()).toBe('refused');
    expect(await stored()).toEqual(live(balance(7), by, 2));
  });

  it('is kept out by a larger token, and keeps out smaller ones', async () => {
    const { accounts, stored } = await scene(engine, { with: full });
    const by = bare();
    expect(await withdraw(accounts, by)).toMatchObject({ ok: true });
    expect(await withdraw(accounts, bare(41))).toMatchObject({
      reason: 'fenced',
      lastToken: 42,
      applied: 'no',
    });
    expect(await stored()).toEqual(live(balance(90), by, 1));
  });

  it('after a lease of the same number is admitted, and the lease is told', async () => {
    const { accounts, stored } = await scene(engine, { with: full });
    const [lease, by] = [granted(account('a'), 42), bare()];
    await accounts.claim(lease, id);
    expect(await withdraw(accounts, by)).toMatchObject({ ok: true });
    const reused = { ok: false, reason: 'token-reused', lastToken: 42, lastHolder: by.holder, applied: 'no' };
    expect(await withdraw(accounts, lease)).toMatchObject(reused);
    expect(await stored()).toEqual(live(balance(90), by, 1));
    // It is not sticky: other items of the resource may be all right.
    expect(await withdraw(accounts, lease)).toMatchObject(reused);
  });

  it('before a lease of the same number: the lease is refused, and nothing is written', async () => {
    const { accounts, stored } = await scene(engine, { with: full });
    const by = bare();
    await accounts.claim(by, id);
    expect(await accounts.claim(granted(account('a'), 42), id)).toMatchObject({ reason: 'token-reused' });
    expect(await stored()).toEqual({ ...full, ...stamp(by, 1) });
  });

  it('answers its content refusals as a lease does', async () => {
    const { accounts, stored, sent, refused } = await scene(engine, { with: full });
    const shown = { ok: false, item: { id: 'a', balance: 100 }, version: '40.5.before' };
    expect(await accounts.create(bare(), { ...id })).toStrictEqual({ ...shown, reason: 'exists' });
    expect(await accounts.delete(bare(), id, { when: { balance: gte(500) } })).toStrictEqual({
      ...{ ...shown, reason: 'condition' },
    });
    expect(sent()).toEqual([...refused('PutItem', full), ...refused('PutItem', full)]);
    expect(await stored()).toEqual(full);
  });

  it('adopts in two requests', async () => {
    const unfenced = { id: { S: 'a' }, ...balance(100) };
    const { accounts, sent, refused } = await scene(engine, { with: unfenced });
    expect(await accounts.claim(bare(), id)).toMatchObject({ ok: true, item: { balance: 100 } });
    expect(sent()).toEqual([...refused('UpdateItem', unfenced), 'UpdateItem']);
  });

  // Where the item is not on the error it is read, and may have changed in between.
  if (!engine.returnsItems) {
    it('where nothing explains a refusal, it is contention, and no copy is sent', async () => {
      const table = await scene(engine, { with: full });
      table.faults.add({
        on: { op: 'GetItem' },
        do: overtakenBy(() => table.others.delete(granted(account('a'), 41), id)),
      });
      expect(await table.accounts.create(bare(), { ...id, balance: 1 })).toStrictEqual({
        ...{ ok: false, reason: 'contention', retryAfterMs: 0 },
      });
      expect(table.sent()).toEqual(['PutItem', 'GetItem']);
      expect(await table.stored()).toMatchObject({ _fence: { N: '41' } });
    });

    it('a lease asks again with the same bytes then', async () => {
      const table = await scene(engine, { with: full });
      const older = granted(account('a'), 41);
      table.faults.add({ on: { op: 'GetItem' }, do: overtakenBy(() => table.others.delete(older, id)) });
      const lease = granted(account('a'), 42);
      expect(await table.accounts.create(lease, { ...id, balance: 1 })).toMatchObject({
        ok: true,
        replayed: false,
      });
      const [first, , third] = table.wire.requests;
      expect(third?.input).toEqual(first?.input);
      expect(table.sent()).toEqual(['PutItem', 'GetItem', 'PutItem']);
      expect(await table.stored()).toEqual(live(balance(1), lease, 1));
    });

    it('and gives up after some rounds: nothing was applied', async () => {
      const table = await scene(engine, { with: full });
      const older = granted(account('a'), 41);
      // Whenever it looks there is no item, and whenever it writes there is one.
      table.faults.add(
        { on: { op: 'GetItem' }, do: overtakenBy(() => table.others.delete(older, id)) },
        { on: { op: 'PutItem' }, do: overtakenBy(() => table.others.put(older, { ...id, balance: 1 })) },
      );
      expect(await table.accounts.create(granted(account('a'), 42), { ...id, balance: 2 })).toMatchObject({
        ...{ ok: false, reason: 'contention' },
      });
      expect(table.sent()).toHaveLength(10);
      expect(await table.stored()).toEqual(tombstone(older, 10));
    });
  }
});
