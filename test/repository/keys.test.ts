import { describe, expect, it } from 'vitest';
import { add } from '../../src/expressions.ts';
import { type Fence, FencedRepository, type KeyDefinition } from '../../src/index.ts';
import { nextStamp } from '../../src/kernel.ts';
import type { KeyAttribute } from '../../src/testing/table-definition.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { all } from '../support/all.ts';
import { granted } from '../support/fences.ts';
import { noWire } from '../support/no-wire.ts';
import { testTable } from '../support/test-table.ts';

describeEachEngine('primary keys', (engine) => {
  interface Reading {
    sensor: string;
    at: number;
    value?: number;
  }

  it('of two attributes tell items of one partition apart', async () => {
    const table = await testTable(engine, { partitionKey: 'sensor', sortKey: { name: 'at', type: 'N' } });
    const readings = new FencedRepository<Reading, 'sensor' | 'at'>({
      client: table.client,
      tableName: table.tableName,
      key: ['sensor', 'at'],
      resource: ({ sensor }) => sensor,
    });
    const lease = granted('s1', 7);
    await readings.create(lease, { sensor: 's1', at: 1, value: 10 });
    await readings.create(lease, { sensor: 's1', at: 2, value: 20 });
    expect(await readings.update(lease, { sensor: 's1', at: 2 }, { value: add(1) })).toMatchObject({
      ok: true,
      item: { sensor: 's1', at: 2, value: 21 },
    });
    expect(await readings.delete(lease, { sensor: 's1', at: 1 })).toMatchObject({
      item: { at: 1, value: 10 },
    });
    expect(await readings.get({ sensor: 's1', at: 1 })).toBeUndefined();
    expect(await table.stored({ sensor: { S: 's1' }, at: { N: '1' } })).toEqual({
      sensor: { S: 's1' },
      at: { N: '1' },
      _fence: { N: '7' },
      _fenceHolder: { S: lease.holder },
      _fenceSeq: { N: '4' },
    });
    await expect(async () => readings.get({ sensor: 's1' } as Reading)).rejects.toThrow(
      invalidInput('key.at', /undefined/),
    );
  });

  const scalars: readonly [string, KeyAttribute, unknown, unknown][] = [
    ['a number', { name: 'id', type: 'N' }, 42, 43],
    ['a small fraction, which has several spellings', { name: 'id', type: 'N' }, 1.5e-7, 1.5e-8],
    ['a bigint of 38 digits', { name: 'id', type: 'N' }, 10n ** 37n + 1n, 10n ** 37n + 2n],
    ['binary', { name: 'id', type: 'B' }, new Uint8Array([0, 255, 7]), new Uint8Array([0, 255, 8])],
    ['text with a separator and an emoji', 'id', 'a:b/c#🙂', 'a:b/c#🙃'],
  ];
  it.each(scalars)('may be %s', async (_, partitionKey, id, other) => {
    interface Thing {
      id: unknown;
      n?: number;
    }
    const table = await testTable(engine, { partitionKey });
    const things = new FencedRepository<Thing, 'id'>({
      client: table.client,
      tableName: table.tableName,
      key: ['id'],
      resource: () => 'thing',
    });
    const lease = granted('thing', 7);
    expect(await things.create(lease, { id, n: 1 })).toMatchObject({ ok: true, item: { id, n: 1 } });
    expect(await things.update(lease, { id }, { n: add(1) })).toMatchObject({ ok: true, item: { id, n: 2 } });
    expect(await things.get({ id })).toMatchObject({ item: { id, n: 2 } });
    await things.create(lease, { id: other, n: 7 });
    expect(await things.getMany([{ id }, { id: other }, { id }])).toMatchObject([
      { item: { id, n: 2 } },
      { item: { id: other, n: 7 } },
      { item: { id, n: 2 } },
    ]);
    expect(await things.modify(lease, { id }, () => ({ id, n: 3 }))).toMatchObject({
      ok: true,
      item: { n: 3 },
    });
    await expect(things.modify(lease, { id }, () => ({ id: other, n: 3 }))).rejects.toThrow(
      invalidInput('change', /another key/),
    );
    const first = (await things.scan({ limit: 1 }).pages().next()).value;
    const rest = await all(things.scan({ limit: 1, cursor: first.cursor }));
    expect([...first.items, ...rest].sort((a, b) => a.n - b.n)).toStrictEqual([
      { id, n: 3 },
      { id: other, n: 7 },
    ]);
  });
});

describe('keys that cannot be', () => {
  const things = (key: KeyDefinition<{ id: unknown }, 'id'>) =>
    new FencedRepository<{ id: unknown }, 'id'>({
      client: noWire,
      tableName: 'things',
      key,
      resource: () => 'thing',
    });
  const calls: Record<string, (id: unknown) => Promise<unknown>> = {
    get: (id) => things(['id']).get({ id }),
    getMany: (id) => things(['id']).getMany([{ id: 'a' }, { id }]),
    inspect: (id) => things(['id']).inspect({ id }),
    create: (id) => things(['id']).create(lease(), { id }),
    put: (id) => things(['id']).put(lease(), { id }),
    update: (id) => things(['id']).update(lease(), { id }, {}),
    delete: (id) => things(['id']).delete(lease(), { id }),
    claim: (id) => things(['id']).claim(lease(), { id }),
    modify: (id) => things(['id']).modify(lease(), { id }, (item) => item ?? { id }),
  };
  const lease = (): Fence => granted('thing', 1);

  describe.each(Object.entries(calls))('%s', (_, call) => {
    it.each([
      ['', /empty/],
      [new Uint8Array(), /empty/],
      [undefined, /undefined/],
      [null, /cannot be a key/],
      [true, /cannot be a key/],
      [['a'], /cannot be a key/],
      [new Date(0), /Date/],
      [Number.NaN, /NaN/],
    ])('refuses %o before anything is sent', async (id, message) => {
      await expect(async () => call(id)).rejects.toThrow(invalidInput('key.id', message));
    });
  });

  it.each([
    ['text, in UTF-8', `${'é'.repeat(1024)}x`],
    ['binary', new Uint8Array(2049)],
  ])('is longer than a partition key may be: %s', async (_, id) => {
    await expect(async () => things(['id']).get({ id })).rejects.toThrow(
      invalidInput('key.id', /it has 2049 bytes, and DynamoDB takes 2048/),
    );
  });

  it('is longer than a sort key may be', async () => {
    const made = things(() => ({ pk: 'a', sk: 'x'.repeat(1025) }));
    await expect(async () => made.get({ id: 'a' })).rejects.toThrow(invalidInput('key.sk', /takes 1024/));
  });

  it('no key at all', async () => {
    const accounts = things(['id']);
    for (const identity of [undefined, null, 'a']) {
      await expect(async () => accounts.get(identity as never)).rejects.toThrow(
        invalidInput('key', /no object/),
      );
      await expect(async () => accounts.claim(lease(), identity as never)).rejects.toThrow(
        invalidInput('key', /no object/),
      );
      await expect(async () => accounts.put(lease(), identity as never)).rejects.toThrow(
        invalidInput(/^(key|item)$/, /object/),
      );
    }
  });

  it.each([
    [[], /one partition key/],
    [['a', 'b', 'c'], /one partition key/],
    [['id', 'id'], /one partition key/],
    ['id', /one partition key/],
    [[''], /names no attribute/],
    [[undefined], /names no attribute/],
    [['_fence'], /kept by the fence/],
    [['id', '_fenceVersion'], /kept by the fence/],
  ])('%o as the names of the key attributes', (key, message) => {
    expect(() => things(key as never)).toThrow(invalidInput('key', message));
  });

  it.each([
    [() => ({}), /gave 0/],
    [() => undefined, /gave undefined/],
    [() => 'pk', /gave a string/],
    [() => ['a', 'b'], /gave an array/],
    [async () => ({ pk: 'a' }), /gave a Promise/],
    [() => JSON.parse('{"__proto__":"a","sk":"b"}'), /__proto__/],
    [() => ({ a: '1', b: '2', c: '3' }), /gave 3/],
    [() => ({ _fence: 'a' }), /kept by the fence/],
  ])('what a key function gives: %s', async (key, message) => {
    await expect(async () => things(key as never).get({ id: 'a' })).rejects.toThrow(
      invalidInput('key', message),
    );
  });
});

describe('a key function that keeps a name', () => {
  interface Entry {
    pk: string;
    sk?: string;
    balance?: number;
  }
  const entries = (key: KeyDefinition<Entry, 'pk' | 'sk'>) =>
    new FencedRepository<Entry, 'pk' | 'sk'>({ client: noWire, tableName: 't', key, resource: () => 'r' });
  const calls: Record<string, (pk: string) => Promise<unknown>> = {
    get: (pk) => prefixing.get({ pk }),
    put: (pk) => prefixing.put(granted('r', 1), { pk, balance: 1 }),
    update: (pk) => prefixing.update(granted('r', 1), { pk }, { balance: add(1) }),
    claim: (pk) => prefixing.claim(granted('r', 1), { pk }),
  };
  const prefixing = entries(({ pk }) => ({ pk: `ACCOUNT#${pk}` }));

  it.each(Object.entries(calls))('and not its value is refused: %s would go astray', async (_, call) => {
    await expect(async () => call('a1')).rejects.toThrow(
      invalidInput('key.pk', /changes it, and keeps its name/),
    );
  });

  it('may have defaults, and change nothing', () => {
    const repository = entries(({ pk, sk = 'main' }) => ({ pk, sk: sk.trim() }));
    expect(repository.plan.get({ pk: 'a' }).key).toEqual({ pk: { S: 'a' }, sk: { S: 'main' } });
    expect(repository.plan.get({ pk: 'a', sk: 'b' }).key).toEqual({ pk: { S: 'a' }, sk: { S: 'b' } });
  });
});

it('a key function may read attributes that are called like what every object inherits', () => {
  interface Odd {
    constructor: string;
    valueOf: string;
    n?: number;
  }
  const odd = new FencedRepository<Odd, 'constructor' | 'valueOf'>({
    client: noWire,
    tableName: 't',
    key: (odd) => ({ pk: `P#${odd.constructor}`, sk: `S#${odd.valueOf}` }),
    resource: () => 'odd',
  });
  const identity = { constructor: 'c', valueOf: 'v' } as unknown as Odd;
  const lease = granted('odd', 7);
  const { action } = odd.plan.update(lease, identity, { n: add(1) } as object, { upsert: true });
  expect(action.build(nextStamp(lease))).toMatchObject({
    input: { UpdateExpression: expect.stringMatching(/(if_not_exists.*){2}/) },
  });
  expect(() => odd.plan.update(lease, identity, { constructor: 'd' } as object)).toThrow(
    invalidInput('changes.constructor', /identifies/),
  );
});
