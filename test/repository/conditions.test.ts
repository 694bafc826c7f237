import { beforeEach, describe, expect, it } from 'vitest';
import {
  beginsWith,
  between,
  type Conditions,
  contains,
  eq,
  exists,
  gt,
  gte,
  lt,
  lte,
  ne,
  notExists,
  oneOf,
  raw,
} from '../../src/expressions.ts';
import type { ConditionalWriteOptions, Fence } from '../../src/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type Account, type Accounts, account, accountsIn } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { noWire } from '../support/no-wire.ts';
import { live, tombstone } from '../support/planted.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

type Options = ConditionalWriteOptions<Account>;

const verbs = {
  put: (to: Accounts, fence: Fence, options: Options) => to.put(fence, { id: 'a', note: 'new' }, options),
  update: (to: Accounts, fence: Fence, options: Options) =>
    to.update(fence, { id: 'a' }, { note: 'new' }, options),
  upsert: (to: Accounts, fence: Fence, options: Options) =>
    to.update(fence, { id: 'a' }, { note: 'new' }, { ...options, upsert: true }),
  delete: (to: Accounts, fence: Fence, options: Options) => to.delete(fence, { id: 'a' }, options),
};

const everyVerb = Object.keys(verbs) as (keyof typeof verbs)[];

const id = { S: 'a' };
const states = {
  live: live({ id, balance: { N: '30' }, note: { S: 'old' } }),
  unfenced: { id, balance: { N: '30' }, note: { S: 'old' } },
  tombstone: tombstone({ id }),
  absent: undefined,
};

describeEachEngine('a write on a condition', (engine) => {
  let table: TestTable;
  let accounts: Accounts;
  beforeEach(async () => {
    table = await testTable(engine);
    accounts = accountsIn(table);
  });
  const plant = async (state: keyof typeof states) => {
    if (states[state] !== undefined) await table.plant(states[state]);
  };
  const seen = { item: { id: 'a', balance: 30, note: 'old' } };
  const rich = { when: { balance: gte(30) } } satisfies Options;
  const poor = { when: { balance: gt(30) } } satisfies Options;
  const right = { ifVersion: '41.7.before' };
  const wrong = { ifVersion: '41.6.before' };
  const unfenced = { ifVersion: 'unfenced' };
  const notFound = { ok: false, reason: 'not-found' };
  const version = { ok: false, reason: 'version', ...seen };
  const condition = { ok: false, reason: 'condition', ...seen };

  const cases: readonly [keyof typeof states, string, Options, object | 'ok'][] = [
    ['live', 'a condition that holds', rich, 'ok'],
    ['live', 'a condition that does not hold', poor, { ...condition, ...{ version: '41.7.before' } }],
    ['live', 'its version', right, 'ok'],
    ['live', 'another version', wrong, { ...version, version: '41.7.before' }],
    ['live', 'the version of what was never fenced', unfenced, { ...version, version: '41.7.before' }],
    ['live', 'its version and a condition that holds', { ...right, ...rich }, 'ok'],
    [
      'live',
      'its version and another condition',
      { ...right, ...poor },
      { ...condition, version: '41.7.before' },
    ],
    [
      'live',
      'another version and another condition',
      { ...wrong, ...poor },
      { ...version, version: '41.7.before' },
    ],
    ['unfenced', 'a condition that holds', rich, 'ok'],
    ['unfenced', 'a condition that does not hold', poor, { ...condition, version: 'unfenced' }],
    ['unfenced', 'its version', unfenced, 'ok'],
    ['unfenced', 'another version', right, { ...version, version: 'unfenced' }],
    ['tombstone', 'a condition', rich, notFound],
    ['tombstone', 'a version', right, notFound],
    ['tombstone', 'the version of what was never fenced', unfenced, notFound],
    ['absent', 'a condition', rich, notFound],
    ['absent', 'a version', right, notFound],
    ['absent', 'the version of what was never fenced', unfenced, notFound],
  ];
  describe.each(everyVerb)('%s', (verb) => {
    it.each(cases)('on one that is %s, with %s', async (state, _, options, expected) => {
      await plant(state);
      const lease = granted(account('a'), 42);
      const result = await verbs[verb](accounts, lease, options);
      if (expected === 'ok') {
        expect(result).toMatchObject({ ok: true, token: 42, replayed: false });
        const { note, ...stored } = (await table.stored({ id })) ?? {};
        expect(stored).toMatchObject({ _fence: { N: '42' }, _fenceSeq: { N: '1' } });
        expect(note).toEqual(verb === 'delete' ? undefined : { S: 'new' });
      } else {
        expect(result).toStrictEqual(expected);
        expect(await table.stored({ id })).toEqual(states[state]);
      }
    });

    it('is fenced before its condition is asked', async () => {
      await plant('live');
      expect(await verbs[verb](accounts, granted(account('a'), 40), { ...poor, ...wrong })).toMatchObject({
        reason: 'fenced',
        lastToken: 41,
      });
    });
  });

  // A condition is asked of nothing too, as DynamoDB does.
  it.each<[string, Conditions<Account>]>([
    ['notExists()', { note: notExists() }],
    ['ne()', { note: ne('old') }],
  ])(
    '%s holds of what is not there, so a put and an upsert make it, and a delete has nothing to delete',
    async (_, when) => {
      expect(await verbs.put(accounts, granted(account('a'), 42), { when })).toMatchObject({ ok: true });
      await accounts.delete(granted(account('a'), 43), { id: 'a' });
      expect(await verbs.upsert(accounts, granted(account('a'), 44), { when })).toMatchObject({ ok: true });
      await accounts.delete(granted(account('a'), 45), { id: 'a' });
      const lease = granted(account('a'), 46);
      expect(await verbs.update(accounts, lease, { when })).toStrictEqual(notFound);
      expect(await verbs.delete(accounts, lease, { when })).toStrictEqual(notFound);
    },
  );

  it('may ask everything at once', async () => {
    const lease = granted(account('a'), 42);
    const tags = new Set(['x', 'y']);
    await accounts.put(lease, {
      id: 'a',
      balance: 30,
      note: 'hello',
      status: 'open',
      entries: ['e', 1],
      tags,
    });
    const all: Conditions<Account> = [
      {
        id: 'a',
        balance: gt(29),
        note: beginsWith('he'),
        status: oneOf(['open', 'closed']),
        tags: contains('x'),
      },
      {
        balance: gte(30),
        note: contains('ell'),
        status: ne('closed'),
        entries: contains(1),
        data: notExists(),
      },
      { balance: lt(31), note: between('a', 'z'), status: eq('open'), entries: exists() },
      { balance: lte(30), tags },
      raw('size(tags) = :two AND (#n = :never OR #n = :hello)', {
        names: { '#n': 'note' },
        values: { ':two': 2, ':never': 'never', ':hello': 'hello' },
      }),
    ];
    expect(await accounts.update(lease, { id: 'a' }, { balance: 1 }, { when: all })).toMatchObject({
      ok: true,
    });
    expect(await accounts.update(lease, { id: 'a' }, { balance: 2 }, { when: all })).toMatchObject({
      reason: 'condition',
      item: { balance: 1 },
    });
  });
});

describe('before anything is sent', () => {
  const accounts = accountsIn({ client: noWire, tableName: 'accounts' });

  describe.each(everyVerb)('%s', (verb) => {
    it.each<[object, string, RegExp]>([
      [{ ifVersion: undefined }, 'ifVersion', /undefined is no version/],
      [{ ifVersion: '' }, 'ifVersion', /no version/],
      [{ ifVersion: 7 }, 'ifVersion', /7 is no version/],
      [{ ifVersion: null }, 'ifVersion', /null is no version/],
      [{ when: undefined }, 'when', /undefined/],
      [{ when: {} }, 'when', /asks nothing/],
      [{ when: [] }, 'when', /asks nothing/],
      [{ when: { balance: undefined } }, 'when.balance', /undefined/],
      [{ when: { _fence: lt(100) } }, 'when', /_fence is kept by the fence/],
      [{ when: raw('_fence < :n', { values: { ':n': 100 } }) }, 'when', /kept by the fence/],
      [
        {
          when: [{ balance: 1 }, raw('#v = :v', { names: { '#v': '_fenceVersion' }, values: { ':v': 'x' } })],
        },
        'when',
        /kept by/,
      ],
      [{ when: raw('a = b) OR (a = b') }, 'when', /parentheses/],
    ])('refuses %o', async (options, path, message) => {
      const refused = verbs[verb](accounts, granted(account('a'), 42), options as Options);
      await expect(refused).rejects.toThrow(invalidInput(path, message));
    });
  });

  it.each(['when', 'ifVersion'])('%s has no meaning for a create, which is refused', async (name) => {
    const options = { [name]: name === 'when' ? { balance: 1 } : 'v' };
    await expect(accounts.create(granted(account('a'), 42), { id: 'a' }, options)).rejects.toThrow(
      invalidInput(name, /no condition/),
    );
  });
});
