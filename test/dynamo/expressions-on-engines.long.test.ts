import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileKeyConditions } from '../../src/dynamo/conditions.ts';
import { encodeItem } from '../../src/dynamo/encode.ts';
import {
  add,
  append,
  beginsWith,
  between,
  contains,
  difference,
  eq,
  exists,
  gt,
  gte,
  ifNotExists,
  lt,
  lte,
  ne,
  notExists,
  oneOf,
  prepend,
  raw,
  remove,
  union,
} from '../../src/expressions.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { FencedItems } from './fenced-items.ts';

const reserved = [
  'state',
  'status',
  'ttl',
  'token',
  'owner',
  'lock',
  'count',
  'name',
  'data',
  '_x',
  'size',
  'set',
  'and',
  'between',
  'with space',
  'a.b',
  'c[0]',
  '#d',
  ':e',
  '0',
  'größe',
  'toString',
];

const item = {
  text: 'abc',
  number: 10,
  yes: true,
  nothing: null,
  list: [1, 'a', { x: 1 }],
  map: { a: 1, b: { c: 'd' } },
  texts: new Set(['a', 'b']),
  numbers: new Set([1, 2]),
  bytes: Uint8Array.of(1, 2, 3),
  large: 9007199254740993n,
};

describeEachEngine('expressions', (engine) => {
  let items: FencedItems;
  beforeAll(async () => {
    items = new FencedItems(engine.client(), await engine.table({ partitionKey: 'id' }));
  });

  describe('an attribute of any name', () => {
    it.each(reserved)('%s: is set, asked, filtered by, and dropped', async (name) => {
      const id = await items.put({});
      expect(await items.change(id, { [name]: 1 })).toBe(true);
      expect(await items.change(id, { [name]: add(1) }, { [name]: 2 })).toBe(false);
      expect(await items.change(id, { [name]: add(1) }, { [name]: 1 })).toBe(true);
      expect(await items.read(id)).toEqual({ [name]: 2 });
      expect(await items.filter({ [name]: 2 })).toEqual([id]);
      expect(await items.filter({ [name]: gt(2) })).toEqual([]);
      expect(await items.change(id, { [name]: remove() }, { [name]: exists() })).toBe(true);
      expect(await items.read(id)).toEqual({});
    });

    it('together with all others', async () => {
      const id = await items.put({});
      const all = Object.fromEntries(reserved.map((name, n) => [name, n]));
      expect(await items.change(id, all)).toBe(true);
      expect(await items.change(id, { done: true }, all)).toBe(true);
      expect(await items.filter(all)).toEqual([id]);
      expect(await items.read(id)).toEqual({ ...all, done: true });
    });
  });

  describe('a change', () => {
    it.each([
      ['a value', {}, 'x', 'x'],
      ['empty text', {}, '', ''],
      ['add', { a: 10 }, add(-30), -20],
      ['add to a large integer', { a: 9007199254740993n }, add(1), 9007199254740994n],
      ['add a bigint', { a: 1 }, add(9007199254740992n), 9007199254740993n],
      ['add where there is nothing', {}, add(-1), -1],
      ['append', { a: [1] }, append([2, 3]), [1, 2, 3]],
      ['append where there is nothing', {}, append([1]), [1]],
      ['append nothing', {}, append([]), []],
      ['prepend', { a: [1] }, prepend([2, 3]), [2, 3, 1]],
      ['prepend where there is nothing', {}, prepend([1]), [1]],
      ['ifNotExists where there is something', { a: null }, ifNotExists(1), null],
      ['ifNotExists where there is nothing', {}, ifNotExists(1), 1],
      ['union', { a: new Set(['x']) }, union(['x', 'y']), new Set(['x', 'y'])],
      ['union where there is nothing', {}, union([1n, 2]), new Set([1, 2])],
      ['union of binary', {}, union([Uint8Array.of(1)]), new Set([Uint8Array.of(1)])],
      ['difference', { a: new Set([1, 2]) }, difference([2, 3]), new Set([1])],
      ['difference that takes all', { a: new Set(['x']) }, difference(['x']), undefined],
      ['difference where there is nothing', {}, difference(['x']), undefined],
      ['remove', { a: 1 }, remove(), undefined],
      ['remove where there is nothing', {}, remove(), undefined],
    ])('%s', async (_, before, change, after) => {
      const expected = after === undefined ? { b: 1 } : { a: after, b: 1 };
      const id = await items.put({ ...before, b: 1 });
      expect(await items.change(id, { a: change })).toBe(true);
      expect(await items.read(id)).toEqual(expected);
    });

    it.each([
      ['add to text', { a: '1' }, add(1)],
      ['append to text', { a: '1' }, append([1])],
      ['unite text with a number', { a: 1 }, union(['a'])],
    ])('of the wrong type is an error, no refusal: %s', async (_, before, change) => {
      const id = await items.put(before);
      await expect(items.change(id, { a: change })).rejects.toThrow(
        expect.objectContaining({ name: 'ValidationException' }),
      );
      expect(await items.read(id)).toEqual(before);
    });

    it('is made with all others at once, or not at all', async () => {
      const id = await items.put({ n: 1, drop: 1, tags: new Set(['a', 'b']) });
      const changes = [
        { n: add(1), drop: remove(), tags: difference(['a']), l: append([1]) },
        raw('SET #m = :m REMOVE #z ADD #k :one', {
          names: { '#m': 'm', '#z': 'z', '#k': 'k' },
          values: { ':m': { x: 1 }, ':one': 1 },
        }),
        raw('SET seen = :m', { values: { ':m': 'another :m' } }),
      ];
      expect(await items.change(id, changes, { n: 2 })).toBe(false);
      expect(await items.read(id)).toEqual({ n: 1, drop: 1, tags: new Set(['a', 'b']) });
      expect(await items.change(id, changes, { n: 1 })).toBe(true);
      expect(await items.read(id)).toEqual({
        n: 2,
        tags: new Set(['b']),
        l: [1],
        m: { x: 1 },
        k: 1,
        seen: 'another :m',
      });
    });

    it('reaches nested paths by an expression', async () => {
      const id = await items.put({ lines: [{ price: 1 }, { price: 2 }], m: { x: { y: 1 } } });
      expect(
        await items.change(
          id,
          raw('SET #l[1].price = :p REMOVE m.#x.y', {
            names: { '#l': 'lines', '#x': 'x' },
            values: { ':p': 3 },
          }),
        ),
      ).toBe(true);
      expect(await items.read(id)).toEqual({ lines: [{ price: 1 }, { price: 3 }], m: { x: {} } });
    });

    // DynamoDB documents it so; dynoxide fills the gap with nulls.
    it.runIf(engine.name !== 'dynoxide')('beyond the end of a list appends', async () => {
      const id = await items.put({ l: ['a'] });
      expect(await items.change(id, raw('SET l[9] = :v', { values: { ':v': 'b' } }))).toBe(true);
      expect(await items.read(id)).toEqual({ l: ['a', 'b'] });
    });

    it('keeps placeholders apart that a caller took from ours', async () => {
      const id = await items.put({ y: 1 });
      const theirs = raw('SET #c0 = :c0, x = :df0, #df0 = :w0', {
        names: { '#c0': 'y', '#df0': 'z' },
        values: { ':c0': 1, ':df0': 'hello', ':w0': 7 },
      });
      expect(
        await items.change(
          id,
          [{ a: 1 }, theirs],
          [{ y: 1 }, raw('#w0 = :w0', { names: { '#w0': 'y' }, values: { ':w0': 1 } })],
        ),
      ).toBe(true);
      expect(await items.read(id)).toEqual({ a: 1, x: 'hello', y: 1, z: 7 });
      expect((await items.readRaw(id))._fence).toEqual({ N: '42' });
    });
  });

  describe('a condition', () => {
    let id: string;
    beforeAll(async () => {
      id = await items.put(item);
    });

    it.each([
      ['a value', { text: 'abc' }, { text: 'abd' }],
      ['a value of another type', { number: 10 }, { number: '10' }],
      ['equal numbers of two types', { large: 9007199254740993n }, { large: 9007199254740992n }],
      ['null', { nothing: null }, { text: null }],
      ['a list', { list: item.list }, { list: [1, 'a'] }],
      ['a map', { map: { b: { c: 'd' }, a: 1 } }, { map: { a: 1 } }],
      ['a set in any order', { texts: new Set(['b', 'a']) }, { texts: new Set(['a']) }],
      ['binary', { bytes: item.bytes }, { bytes: Uint8Array.of(1) }],
      ['eq', { yes: eq(true) }, { yes: eq(false) }],
      ['ne', { text: ne('x') }, { text: ne('abc') }],
      ['ne of another type', { text: ne(1) }, { text: ne('abc') }],
      ['ne of an absent attribute', { absent: ne(1) }, { number: ne(10) }],
      ['gt, by value and not by text', { number: gt(9) }, { number: gt(10) }],
      ['gt of an absent attribute', { number: gt(1) }, { absent: gt(1) }],
      ['gt of another type', { number: gt(1) }, { text: gt(1) }],
      ['gt beyond 2^53', { large: gt(9007199254740992n) }, { large: gt(9007199254740993n) }],
      ['gte', { number: gte(10) }, { number: gte(10.5) }],
      ['lt', { text: lt('abd') }, { text: lt('abc') }],
      ['lte', { bytes: lte(Uint8Array.of(1, 2, 3)) }, { bytes: lte(Uint8Array.of(1, 2)) }],
      ['between', { number: between(10, 11) }, { number: between(11, 12) }],
      [
        'between, beside another',
        [{ number: between(9, 11), text: 'abc' }],
        [{ number: between(9, 11), text: 'x' }],
      ],
      ['oneOf', { text: oneOf(['x', 'abc']) }, { text: oneOf(['x']) }],
      ['beginsWith', { text: beginsWith('ab') }, { text: beginsWith('bc') }],
      [
        'beginsWith of binary',
        { bytes: beginsWith(Uint8Array.of(1)) },
        { bytes: beginsWith(Uint8Array.of(2)) },
      ],
      ['contains, of text', { text: contains('bc') }, { text: contains('x') }],
      ['contains, of a set', { numbers: contains(2) }, { numbers: contains(3) }],
      ['contains, of a list', { list: contains('a') }, { list: contains('b') }],
      ['exists', { nothing: exists() }, { absent: exists() }],
      ['notExists', { absent: notExists() }, { nothing: notExists() }],
      [
        'an expression',
        raw('size(#t) = :n', { names: { '#t': 'text' }, values: { ':n': 3 } }),
        raw('size(#t) = :n', { names: { '#t': 'text' }, values: { ':n': 4 } }),
      ],
      [
        'an expression on a nested path',
        raw('#m.b.c = :d', { names: { '#m': 'map' }, values: { ':d': 'd' } }),
        raw('#m.b.c = :d', { names: { '#m': 'map' }, values: { ':d': 'e' } }),
      ],
    ])('%s: holds, or does not', async (title, holds, fails) => {
      expect(await items.change(id, { seen: 1 }, holds)).toBe(true);
      expect(await items.change(id, { seen: 2 }, fails)).toBe(false);
      expect((await items.read(id)).seen).toBe(1);
      // The local engine decides equality of lists and maps in writes alone.
      if (engine.name !== 'dynoxide' && ['a list', 'a map'].includes(title)) return;
      expect(await items.filter([{ text: 'abc' }, ...[holds].flat()])).toEqual([id]);
      expect(await items.filter([{ text: 'abc' }, ...[fails].flat()])).toEqual([]);
    });

    it('with an OR cannot escape from what stands beside it', async () => {
      const either = raw('#n = :ten OR attribute_exists(#n)', {
        names: { '#n': 'number' },
        values: { ':ten': 10 },
      });
      expect(await items.change(id, { seen: 3 }, [{ text: 'x' }, either])).toBe(false);
      expect(await items.change(id, { seen: 1 }, [{ text: 'abc' }, either])).toBe(true);
    });
  });

  it.each([
    '(n = :n)',
    '((n = :n OR m = :n))',
    '(n = :n OR m = :n) AND (n = :n)',
    '((n = :n OR m = :n) AND n = :n)',
  ])('parentheses around an expression are none too many: %s', async (expression) => {
    const id = await items.put({ n: 1 });
    const asked = raw(expression, { values: { ':n': 1 } });
    expect(await items.change(id, { seen: 1 }, asked)).toBe(true);
    expect(await items.change(id, { seen: 2 }, [asked, { seen: 1 }])).toBe(true);
    expect(await items.filter([asked, { seen: 2 }])).toEqual([id]);
    expect(await items.change(id, { n: 2 }, asked)).toBe(true);
    expect(await items.change(id, { seen: 3 }, asked)).toBe(false);
  });

  it('every change goes with every kind of condition and without one', async () => {
    const changes = {
      v: 1,
      add: add(1),
      append: append([1]),
      prepend: prepend([1]),
      if: ifNotExists(1),
      union: union([1]),
      difference: difference([1]),
      remove: remove(),
      raw: raw('SET z = :z', { values: { ':z': 1 } }),
    };
    const conditions = [
      undefined,
      { k: 1 },
      { k: exists() },
      { absent: notExists() },
      raw('k = absent OR attribute_exists(k)'),
      { k: oneOf([1, 2]) },
    ];
    for (const [name, change] of Object.entries(changes)) {
      for (const when of conditions) {
        const id = await items.put({ k: 1 });
        const made = await items.change(id, name === 'raw' ? change : { a: change }, when);
        expect(made, `${name} when ${JSON.stringify(when)}`).toBe(true);
      }
    }
  });
});

describeEachEngine('the key of a query', (engine) => {
  it.each([
    ['a value', { pk: 'p', sk: 2 }, [2]],
    ['eq', { pk: eq('p'), sk: eq(2) }, [2]],
    ['nothing of the sort key', { pk: 'p' }, [1, 2, 10]],
    ['gt', { pk: 'p', sk: gt(2) }, [10]],
    ['gte', { pk: 'p', sk: gte(2) }, [2, 10]],
    ['lt', { pk: 'p', sk: lt(2) }, [1]],
    ['lte', { pk: 'p', sk: lte(2) }, [1, 2]],
    ['between', { sk: between(2, 10n), pk: 'p' }, [2, 10]],
    ['beginsWith', { pk: 'p', sk: beginsWith('ab') }, ['ab', 'abc']],
  ])('takes %s', async (_, key, expected) => {
    const type = typeof expected[0] === 'string' ? 'S' : 'N';
    const client = engine.client();
    const TableName = await engine.table({ partitionKey: 'pk', sortKey: { name: 'sk', type } });
    const items = new FencedItems(client, TableName);
    for (const sk of type === 'S' ? ['a', 'ab', 'abc', 'b'] : [1, 2, 10])
      await items.putRaw(encodeItem({ pk: 'p', sk }));
    const { ConditionExpression, ...maps } = compileKeyConditions(key, 'key');
    const { Items = [] } = await client.send(
      new QueryCommand({ TableName, KeyConditionExpression: ConditionExpression, ...maps }),
    );
    expect(Items.map(({ sk }) => sk?.S ?? Number(sk?.N))).toEqual(expected);
  });
});
