import type { StandardSchemaV1 } from '@standard-schema/spec';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { add } from '../../src/expressions.ts';
import { manualClock, pause } from '../../src/testing/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type Account, account, accountsIn } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

/** With zod: notes are trimmed, unknown attributes are dropped. */
const trims = z.object({
  id: z.string().min(1),
  balance: z.number().int().min(0).optional(),
  note: z.string().trim().optional(),
  entries: z.array(z.union([z.string().min(2), z.number()])).optional(),
  data: z.object({ 'post code': z.string() }).optional(),
}) as unknown as StandardSchemaV1<unknown, Account>;

/** By hand, and asynchronous: the balance is doubled, id `bad` is refused. */
const doubles: StandardSchemaV1<unknown, Account> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    async validate(value) {
      await Promise.resolve();
      const { id, balance = 0 } = value as Account;
      if (id === 'bad')
        return { issues: [{ message: 'is bad', path: [{ key: 'id' }] }, { message: 'is late' }] };
      return { value: { id, balance: balance * 2 } };
    },
  },
};

describeEachEngine('a schema', (engine) => {
  let table: TestTable;
  beforeEach(async () => {
    table = await testTable(engine);
  });
  const id = { S: 'a' };

  describe.each([
    ['of zod', trims, { id: 'a', balance: 2, note: ' x ', more: 1 }, { id: 'a', balance: 2, note: 'x' }],
    ['that is asynchronous', doubles, { id: 'a', balance: 1 }, { id: 'a', balance: 2 }],
  ])('%s', (_, schema, item, output) => {
    it.each(['create', 'put', 'modify'] as const)('decides what %s stores', async (verb) => {
      const accounts = accountsIn(table, { schema });
      const lease = granted(account('a'), 7);
      const result = await (verb === 'modify'
        ? accounts.modify(lease, { id: 'a' }, () => item)
        : accounts[verb](lease, item));
      expect(result.ok && result.item).toStrictEqual(output);
      expect((await accounts.get({ id: 'a' }))?.item).toStrictEqual(output);
    });

    it('lets updates and reads pass', async () => {
      const accounts = accountsIn(table, { schema });
      await table.plant({ id, balance: { N: '-5' } });
      expect((await accounts.get({ id: 'a' }))?.item).toStrictEqual({ id: 'a', balance: -5 });
      const result = await accounts.update(granted(account('a'), 7), { id: 'a' }, { balance: add(-1) });
      expect(result.ok && result.item).toStrictEqual({ id: 'a', balance: -6 });
    });
  });

  it.each<[string, unknown, string, RegExp]>([
    ['at its top', { id: 'a', balance: -1 }, 'item.balance', /item\.balance: .*0/],
    ['in a list', { id: 'a', entries: ['ok', 'x'] }, 'item.entries[1]', /item\.entries\[1\]/],
    [
      'under a name that is no identifier',
      { id: 'a', data: { 'post code': 1 } },
      'item.data["post code"]',
      /string/,
    ],
    ['in several places', { id: '', balance: -1 }, 'item.id', /item\.id: .*; item\.balance: /],
  ])(
    'refuses an item that is wrong %s, and says where, before anything is sent',
    async (_, item, path, message) => {
      const accounts = accountsIn(table, { schema: trims });
      const lease = granted(account('a'), 7);
      await expect(accounts.put(lease, item as Account)).rejects.toThrow(invalidInput(path, message));
      await expect(accounts.create(lease, item as Account)).rejects.toThrow(invalidInput(path, message));
      expect(table.wire.ops).toEqual([]);
    },
  );

  it('that is asynchronous refuses too', async () => {
    const refused = accountsIn(table, { schema: doubles }).put(granted(account('bad'), 7), { id: 'bad' });
    await expect(refused).rejects.toThrow(invalidInput('item.id', /item\.id: is bad; item: is late/));
    expect(table.wire.ops).toEqual([]);
  });

  describe('that does not answer', () => {
    const started = () => {
      let answer!: () => void;
      const schema = {
        '~standard': {
          ...{ version: 1, vendor: 'test' },
          validate: (value: Account) =>
            new Promise((resolve) => {
              answer = () => resolve({ value });
            }),
        },
      } as unknown as StandardSchemaV1<unknown, Account>;
      const clock = manualClock();
      const accounts = accountsIn(table, { schema, clock });
      return { accounts, clock, answer: () => answer() };
    };
    const lease = () => granted(account('a'), 7);

    it.each(['create', 'put'] as const)('is waited for no longer than %s has time', async (verb) => {
      const { accounts, clock, answer } = started();
      const writing = accounts[verb](lease(), { id: 'a' }, { timeoutMs: 300 }).catch((error) => error);
      await clock.advance(300);
      expect(await writing).toMatchObject({
        ...{ code: 'unavailable', applied: 'no', cause: { name: 'TimeoutError' } },
        message: expect.stringMatching(/was not sent: its schema took the whole 300 ms/),
      });
      answer();
      for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
      expect(table.wire.ops).toEqual([]);
      expect(clock.timers).toBe(0);
    });

    it('in time leaves the write what is left', async () => {
      const { accounts, clock, answer } = started();
      const gate = pause();
      table.faults.add({ do: gate });
      const writing = accounts.put(lease(), { id: 'a' }, { timeoutMs: 300 }).catch((error) => error);
      await clock.advance(200);
      answer();
      await gate.reached;
      await clock.advance(100);
      expect(await writing).toMatchObject({ code: 'outcome-unknown' });
      gate.release();
      await table.faults.idle();
      expect(clock.timers).toBe(0);
    });

    it('is left alone by a caller who aborts', async () => {
      const { accounts, clock } = started();
      const stop = new AbortController();
      const reason = new Error('enough');
      const writing = accounts.put(lease(), { id: 'a' }, { signal: stop.signal });
      stop.abort(reason);
      await expect(writing).rejects.toBe(reason);
      expect(table.wire.ops).toEqual([]);
      expect(clock.timers).toBe(0);
    });
  });

  it('stores what it has checked, whatever becomes of the item meanwhile', async () => {
    let goOn!: () => void;
    const positive = {
      '~standard': {
        ...{ version: 1, vendor: 'test' },
        async validate(value: Account) {
          await new Promise<void>((resolve) => {
            goOn = resolve;
          });
          if ((value.balance ?? 0) < 0) return { issues: [{ message: 'is negative' }] };
          return { value };
        },
      },
    } as unknown as StandardSchemaV1<unknown, Account>;
    const item = { id: 'a', balance: 1, entries: ['x'], tags: new Set(['t']), data: { deep: [1] } };
    const before = structuredClone(item);
    const writing = accountsIn(table, { schema: positive }).put(granted(account('a'), 7), item);
    item.balance = -5;
    item.entries.push('y');
    item.tags.add('u');
    item.data.deep[0] = 2;
    goOn();
    const written = await writing;
    expect(written.ok && written.item).toStrictEqual(before);
    expect((await accountsIn(table).get({ id: 'a' }))?.item).toStrictEqual(before);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['text', 'x'],
    ['an empty object', {}],
    ['issues that are no list', { issues: 'bad' }],
  ])('that answers with %s is told so, at once and later', async (_, answer) => {
    for (const validate of [() => answer, async () => answer]) {
      const schema = { '~standard': { version: 1, vendor: 'test', validate } } as unknown as typeof trims;
      await expect(accountsIn(table, { schema }).put(granted(account('a'), 7), { id: 'a' })).rejects.toThrow(
        invalidInput('schema', /answered neither/),
      );
    }
    expect(table.wire.ops).toEqual([]);
  });

  it.each([null, {}, () => true, 'zod', { '~standard': {} }])('is no %o', (schema) => {
    expect(() => accountsIn(table, { schema: schema as never })).toThrow(
      invalidInput('schema', /no Standard Schema/),
    );
  });

  it('cannot move an item to another key, nor to another resource', async () => {
    const moves = z.object({ id: z.string() }).transform(() => ({ id: 'b' })) as unknown as typeof trims;
    const accounts = accountsIn(table, { schema: moves, resource: () => 'all' });
    await expect(accounts.modify(granted('all', 7), { id: 'a' }, () => ({ id: 'a' }))).rejects.toThrow(
      invalidInput('change', /another key/),
    );
    await expect(
      accountsIn(table, { schema: moves }).put(granted(account('a'), 7), { id: 'a' }),
    ).rejects.toThrow(invalidInput('fence', /account\/b/));
    expect(table.wire.ops).toEqual(['UpdateItem']);
  });

  it('whose output cannot be stored is refused for that', async () => {
    const dated = z.object({ id: z.string(), data: z.coerce.date() }) as unknown as typeof trims;
    const put = accountsIn(table, { schema: dated }).put(granted(account('a'), 7), {
      id: 'a',
      data: '2026-01-01',
    });
    await expect(put).rejects.toThrow(invalidInput('item.data', /Date/));
  });

  it('that answers at once leaves writes in the order of their calls', async () => {
    const accounts = accountsIn(table, { schema: trims });
    const lease = granted(account('a'), 7);
    const results = await Promise.all([
      accounts.put(lease, { id: 'a', balance: 1 }),
      accounts.update(lease, { id: 'a' }, { balance: add(1) }),
      accounts.put(lease, { id: 'a', balance: 10 }, { when: { balance: 2 } }),
    ]);
    expect(results.map((result) => result.ok && result.item.balance)).toEqual([1, 2, 10]);
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '10' }, _fenceSeq: { N: '3' } });
  });
});
