import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { add, append, difference, ifNotExists, prepend, raw, remove, union } from '../../src/expressions.ts';
import { FencedRepository } from '../../src/index.ts';
import { item as anyItem } from '../dynamo/any-item.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type Account, type Accounts, account, accountsIn } from '../support/accounts.ts';
import { all } from '../support/all.ts';
import { granted } from '../support/fences.ts';
import { noWire } from '../support/no-wire.ts';
import { live } from '../support/planted.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

const id = { S: 'a' };

describeEachEngine('what is stored', (engine) => {
  let table: TestTable;
  let accounts: Accounts;
  beforeEach(async () => {
    table = await testTable(engine);
    accounts = accountsIn(table);
  });

  it('comes back equal by every way', async () => {
    const things = new FencedRepository<{ id: string } & Record<string, unknown>, 'id'>({
      client: table.client,
      tableName: table.tableName,
      key: ['id'],
      resource: () => 'thing',
    });
    const lease = granted('thing', 7);
    await fc.assert(
      fc.asyncProperty(anyItem, async (content) => {
        const item = { ...content, id: 'a' };
        const written = [await things.put(lease, item), await things.claim(lease, { id: 'a' })];
        const read = [await things.get({ id: 'a' }), ...(await things.getMany([{ id: 'a' }]))];
        const listed = [...(await all(things.scan())), ...(await all(things.query({ key: { id: 'a' } })))];
        const shown = [
          ...written.map((result) => result.ok && result.item),
          ...read.map((one) => one?.item),
          ...listed,
        ];
        expect(shown).toStrictEqual([item, item, item, item, item, item]);
      }),
      { numRuns: 15 },
    );
  });

  it('is what every operator makes of it', async () => {
    const lease = granted(account('a'), 7);
    const tags = new Set(['x', 'y']);
    await accounts.put(lease, { id: 'a', balance: 30, note: 'n', entries: ['e'], tags });
    const updated = await accounts.update(lease, { id: 'a' }, [
      {
        balance: add(-40),
        note: remove(),
        entries: append([1, 2]),
        tags: difference(['x']),
        status: ifNotExists('open'),
      },
      raw('SET #d = :d ADD visits :one', {
        names: { '#d': 'data' },
        values: { ':d': { deep: [1] }, ':one': 1 },
      }),
    ]);
    const item = { id: 'a', balance: -10, entries: ['e', 1, 2], tags: new Set(['y']), status: 'open' };
    expect(updated.ok && updated.item).toStrictEqual({ ...item, data: { deep: [1] }, visits: 1 });
    expect(
      await accounts.update(lease, { id: 'a' }, { entries: prepend(['p']), tags: union(['z']) }),
    ).toMatchObject({
      item: { entries: ['p', 'e', 1, 2], tags: new Set(['y', 'z']) },
    });
    expect(await accounts.update(lease, { id: 'a' }, { status: ifNotExists('closed') })).toMatchObject({
      item: { status: 'open' },
    });
    const lease2 = granted(account('b'), 7);
    const made = await accounts.update(
      lease2,
      { id: 'b' },
      {
        balance: add(5),
        entries: append(['e']),
        tags: union(['t']),
        status: ifNotExists('open'),
        note: remove(),
      },
      { upsert: true },
    );
    expect(made.ok && made.item).toStrictEqual({
      id: 'b',
      balance: 5,
      entries: ['e'],
      tags: new Set(['t']),
      status: 'open',
    });
  });

  it('may have the names of every word that DynamoDB reserves, and ours', async () => {
    const lease = granted(account('a'), 7);
    const names = ['state', 'status', 'ttl', 'token', 'owner', 'lock', 'count', 'name', 'data', '_x', 'size'];
    const item = Object.fromEntries([
      ['id', 'a'],
      ...names.map((name, n) => [name, n]),
    ]) as unknown as Account;
    await accounts.put(lease, item);
    const changes = Object.fromEntries(names.map((name) => [name, add(1)]));
    const { id: _, ...when } = item;
    const updated = await accounts.update(lease, { id: 'a' }, changes as object, { when });
    const expected = Object.fromEntries([['id', 'a'], ...names.map((name, n) => [name, n + 1])]);
    expect(updated.ok && updated.item).toStrictEqual(expected);
    const { id: __, ...filter } = expected;
    expect(await all(accounts.scan({ filter }))).toStrictEqual([expected]);
  });

  it('by others is read as it is', async () => {
    await table.plant({
      ...live({ id, note: { S: '' }, balance: { N: '9007199254740993' } }),
      data: { M: { none: { NULL: true }, small: { N: '1e-7' } } },
    });
    expect((await accounts.get({ id: 'a' }))?.item).toStrictEqual({
      id: 'a',
      note: '',
      balance: 9007199254740993n,
      data: { none: null, small: 1e-7 },
    });
  });

  it('is not read where a number would lose digits, unless it is said what becomes of it', async () => {
    const text = '0.12345678901234567890123';
    await table.plant(live({ id, data: { N: text } }));
    await expect(accounts.get({ id: 'a' })).rejects.toMatchObject({
      code: 'unreadable-value',
      path: 'item.data',
    });
    const exact = accountsIn(table, { numbers: (digits) => `~${digits}` });
    expect((await exact.get({ id: 'a' }))?.item.data).toBe(`~${text}`);
    const lease = granted(account('a'), 42);
    await expect(accounts.update(lease, { id: 'a' }, { balance: 1 })).rejects.toMatchObject({
      code: 'unreadable-value',
      message: expect.stringContaining('what the request did stays done'),
    });
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '1' }, _fence: { N: '42' } });
  });

  it.each([
    ['a number is added to text', { note: add(1) }],
    ['a list is appended to a number', { balance: append([1]) }],
    ['a set is united with text', { note: union(['x']) }],
  ])('stays as it is where %s, and the service’s error says so', async (_, changes) => {
    await table.plant(live({ id, note: { S: '1' }, balance: { N: '1' } }));
    const before = await table.stored({ id });
    const refused = accounts.update(granted(account('a'), 42), { id: 'a' }, changes as object);
    await expect(refused).rejects.toMatchObject({ name: 'ValidationException' });
    expect(await table.stored({ id })).toEqual(before);
  });

  it('does not follow what the caller changes afterwards', async () => {
    const item = { id: 'a', entries: ['e'], tags: new Set(['x']), data: { list: [1] } };
    const writing = accounts.put(granted(account('a'), 7), item);
    item.entries.push('later');
    item.tags.add('later');
    item.data.list.push(2);
    const result = await writing;
    expect(result.ok && result.item).toStrictEqual({
      id: 'a',
      entries: ['e'],
      tags: new Set(['x']),
      data: { list: [1] },
    });
    expect((await accounts.get({ id: 'a' }))?.item.entries).toEqual(['e']);
  });
});

describe('what cannot be stored', () => {
  const accounts = accountsIn({ client: noWire, tableName: 'accounts' });
  const lease = () => granted(account('a'), 7);
  class Money {
    amount = 1;
  }
  it.each<[string, unknown, RegExp]>([
    ['undefined', undefined, /undefined/],
    ['a Date', new Date(0), /Date/],
    ['a Map', new Map([['a', 1]]), /Map/],
    ['an instance of a class', new Money(), /Money/],
    ['an empty set', new Set(), /empty/],
    ['a mixed set', new Set([1, 'a']), /mixture/],
    ['NaN', Number.NaN, /NaN/],
    ['infinity', Number.NEGATIVE_INFINITY, /Infinity/],
    ['a function', () => 1, /function/],
    ['a symbol', Symbol('x'), /symbol/],
    ['an unsafe integer', 2 ** 53, /2\^53/],
    ['a bigint of 39 digits', 10n ** 38n + 1n, /39 significant digits/],
    ['an operator inside a value', [add(1)], /operator/],
  ])('%s is refused with its place, by all that write it', async (_, value, message) => {
    const item = { id: 'a', data: value } as Account;
    const nested = { id: 'a', data: { list: [0, value] } } as Account;
    const inner = Array.isArray(value) ? '[0]' : '';
    for (const write of [
      () => accounts.put(lease(), item),
      () => accounts.create(lease(), item),
      () => accounts.put(lease(), item, { when: { balance: 1 } }),
    ]) {
      await expect(write()).rejects.toThrow(invalidInput(`item.data${inner}`, message));
    }
    await expect(accounts.put(lease(), nested)).rejects.toThrow(
      invalidInput(`item.data.list[1]${inner}`, message),
    );
    const changes = { data: value } as object;
    for (const upsert of [false, true]) {
      await expect(accounts.update(lease(), { id: 'a' }, changes, { upsert })).rejects.toThrow(
        invalidInput(`changes.data${inner}`, message),
      );
    }
    await expect(accounts.delete(lease(), { id: 'a' }, { when: changes })).rejects.toThrow(
      invalidInput(`when.data${inner}`, message),
    );
  });

  it.each([
    ['nothing', {}, /nothing is changed/],
    ['an empty list of parts', [], /nothing is changed/],
    ['one attribute twice', [{ balance: 1 }, { balance: 2 }], /balance is changed twice/],
    [
      'a part of what it changes',
      [{ data: {} }, raw('SET #d.x = :x', { names: { '#d': 'data' }, values: { ':x': 1 } })],
      /within/,
    ],
    ['its key', { id: 'b' }, /identifies the item/],
    [
      'its key, by an expression',
      raw('SET #k = :b', { names: { '#k': 'id' }, values: { ':b': 'b' } }),
      /identifies/,
    ],
    ['text', 'SET balance = 1', /neither/],
    ['undefined', undefined, /neither/],
  ])('an update that changes %s is refused', async (_, changes, message) => {
    await expect(accounts.update(lease(), { id: 'a' }, changes as object)).rejects.toThrow(
      invalidInput(/^changes/, message),
    );
  });

  it.each([
    ['undefined', undefined],
    ['an array', [{ id: 'a' }]],
    ['an operator', add(1)],
    ['a class instance', Object.assign(new Money(), { id: 'a' })],
  ])('%s is no item', async (_, item) => {
    await expect(async () => accounts.put(lease(), item as never)).rejects.toThrow(
      invalidInput(/^(key|item)/, /./),
    );
  });
});
