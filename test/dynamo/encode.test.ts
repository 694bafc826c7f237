import vm from 'node:vm';
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { encode, encodeItem } from '../../src/dynamo/encode.ts';
import { encodeKeyScalar } from '../../src/dynamo/key.ts';
import { add, raw } from '../../src/expressions.ts';
import { invalidInput } from './invalid-input.ts';

describe('encode', () => {
  it.each([
    ['null', null, { NULL: true }],
    ['booleans', false, { BOOL: false }],
    ['text', 'x', { S: 'x' }],
    ['empty text', '', { S: '' }],
    ['whole characters beyond the BMP', 'a😀', { S: 'a😀' }],
    ['numbers', -1.5, { N: '-1.5' }],
    ['minus zero as zero', -0, { N: '0' }],
    ['the largest safe integer', Number.MAX_SAFE_INTEGER, { N: '9007199254740991' }],
    ['small numbers', 1e-130, { N: '1e-130' }],
    ['bigints', 9007199254740993n, { N: '9007199254740993' }],
    ['38 digits', -(10n ** 38n - 1n), { N: `-${'9'.repeat(38)}` }],
    ['zeros after 38 digits', 10n ** 125n, { N: `1${'0'.repeat(125)}` }],
    ['the SDK’s NumberValue', NumberValue.from('0.10000000000000000001'), { N: '0.10000000000000000001' }],
    ['sets of text', new Set(['a', '']), { SS: ['a', ''] }],
    ['sets of numbers and bigints', new Set([1, 2n, 0.5]), { NS: ['1', '2', '0.5'] }],
    ['sets with NumberValues', new Set([NumberValue.from('1.5'), 2]), { NS: ['1.5', '2'] }],
    [
      'sets of binary',
      new Set([Uint8Array.of(1), new Uint8Array()]),
      { BS: [Uint8Array.of(1), new Uint8Array()] },
    ],
    ['arrays', [1, [], 'x'], { L: [{ N: '1' }, { L: [] }, { S: 'x' }] }],
    ['objects', { a: { b: 1 } }, { M: { a: { M: { b: { N: '1' } } } } }],
    ['objects without a prototype', Object.assign(Object.create(null), { a: 1 }), { M: { a: { N: '1' } } }],
    [
      'objects of another realm',
      vm.runInNewContext('({ a: [1], s: new Set(["x"]) })'),
      { M: { a: { L: [{ N: '1' }] }, s: { SS: ['x'] } } },
    ],
    [
      'objects that only look like operators',
      { kind: 'add', value: 1 },
      { M: { kind: { S: 'add' }, value: { N: '1' } } },
    ],
    [
      'what is not enumerable as if it were not there',
      Object.defineProperties({ a: 1 }, { b: { value: 2 }, [Symbol('c')]: { value: 3 } }),
      { M: { a: { N: '1' } } },
    ],
  ])('accepts %s', (_, value, expected) => {
    expect(encode(value, 'v')).toEqual(expected);
  });

  it('copies binary, so that a later change does not reach a retried request', () => {
    const bytes = Buffer.from('abc');
    const encoded = encode(bytes, 'v').B;
    bytes[0] = 0;
    expect(encoded).toEqual(new TextEncoder().encode('abc'));
    expect(Object.getPrototypeOf(encoded)).toBe(Uint8Array.prototype);
  });

  const nested = (levels: number): unknown => (levels === 1 ? 'x' : [nested(levels - 1)]);

  it('stores 32 levels, the attribute’s own value being the first', () => {
    expect(() => encode(nested(32), 'v')).not.toThrow();
    expect(() => encode(nested(33), 'v')).toThrow(
      invalidInput(`v${'[0]'.repeat(32)}`, /deeper than 32 levels/),
    );
  });

  it('comes to an end with an object that contains itself', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = [cycle, cycle];
    expect(() => encode(cycle, 'v')).toThrow(invalidInput(/^v\.self\[0\]\.self\[0\]/, /contains itself/));
  });

  const anyInstance = new (class Money {
    amount = 1;
  })();
  const withAccessor = {
    get total() {
      return 1;
    },
  };
  const regExpMatch = /a/.exec('a');

  it.each([
    ['undefined', undefined, /undefined cannot be stored.*remove\(\).*notExists\(\)/],
    ['NaN', Number.NaN, /NaN is no number/],
    ['Infinity', Number.POSITIVE_INFINITY, /Infinity is no number/],
    ['-Infinity', Number.NEGATIVE_INFINITY, /-Infinity is no number/],
    ['integers beyond 2^53 − 1', 2 ** 53, /9007199254740992 is beyond.*bigint/],
    ['negative ones', -(2 ** 53), /-9007199254740992 is beyond.*bigint/],
    ['numbers too small', 9e-131, /9e-131 is not between/],
    ['39 digits', 10n ** 38n + 1n, /39 significant digits/],
    ['bigints too large', 10n ** 126n, /is not between 1e-130 and 9\.99e125/],
    ['NumberValues of 39 digits', NumberValue.from(`0.${'1'.repeat(39)}`), /39 significant digits/],
    ['NumberValues that are no numbers', NumberValue.from('one'), /"one" is no decimal number/],
    ['half a character', 'a😀'.slice(0, 2), /half of a surrogate pair/],
    ['functions', () => 1, /a function cannot be stored/],
    ['symbols', Symbol('s'), /a symbol cannot be stored/],
    ['Dates', new Date(0), /a Date.*toISOString\(\) or date\.getTime\(\)/],
    ['Dates of another realm', vm.runInNewContext('new Date(0)'), /a Date/],
    ['Maps', new Map(), /a Map.*Object\.fromEntries/],
    ['WeakMaps', new WeakMap(), /WeakMap/],
    ['WeakSets', new WeakSet(), /WeakSet/],
    ['WeakRefs', new WeakRef({}), /an instance of WeakRef/],
    ['RegExps', /a/, /an instance of RegExp/],
    ['Errors', new TypeError('x'), /an instance of TypeError/],
    ['Promises', Promise.resolve(1), /a Promise.*Await/],
    ['class instances', anyInstance, /an instance of Money would come back as a plain object/],
    ['instances of nameless classes', new (class {})(), /an instance of a class/],
    ['objects made from others', Object.create({ a: 1 }), /an instance of Object/],
    [
      'objects made from such without a prototype',
      Object.create(Object.create(null)),
      /an instance of a class/,
    ],
    ['instances that answer isPrototypeOf', Object.create({ isPrototypeOf: () => true }), /an instance of/],
    ['boxed numbers', new Number(1), /a boxed Number.*valueOf/],
    ['boxed strings', new String('x'), /a boxed String/],
    ['other typed arrays', new Uint16Array(1), /this is a Uint16Array/],
    ['ArrayBuffers', new ArrayBuffer(1), /this is a ArrayBuffer/],
    ['DataViews', new DataView(new ArrayBuffer(1)), /this is a DataView/],
    ['empty sets', new Set(), /the set is empty/],
    ['mixed sets', new Set([1, 'a']), /no mixture/],
    ['sets of other types', new Set([true]), /no mixture/],
    ['sets of objects', new Set([{ toAttributeValue: () => ({ S: 'x' }) }]), /no mixture/],
    ['sets with undefined', new Set(['a', undefined]), /no mixture/],
    ['sets with half a character', new Set(['\ud83d']), /half of a surrogate pair/],
    ['sets with NaN', new Set([Number.NaN]), /NaN is no number/],
    ['sets with one number twice', new Set([1, 1n]), /one value twice/],
    ['sets with the same bytes twice', new Set([Uint8Array.of(1), Uint8Array.of(1)]), /one value twice/],
    ['operators', add(1), /an operator stands for a whole attribute/],
    ['raw expressions', raw('a'), /an operator stands for a whole attribute/],
  ])('refuses %s, at any depth, with the path', (_, value, message) => {
    const item = { lines: [1, 2, { price: value }] };
    expect(() => encodeItem(item)).toThrow(invalidInput('item.lines[2].price', message));
  });

  // biome-ignore lint/suspicious/noSparseArray: the hole is the point.
  const sparse = [1, , 3];

  it.each([
    ['holes', sparse, 'v[1]', /a hole/],
    ['holes at the end', new Array(1), 'v[0]', /a hole/],
    ['arrays with more than elements', regExpMatch, 'v.index', /no place in a list/],
    ['accessors', withAccessor, 'v.total', /computed by an accessor.*\{ \.\.\.object \}/],
    ['symbols as names', { [Symbol('s')]: 1 }, 'v[Symbol(s)]', /a symbol cannot be a name/],
    ['empty names', { a: { '': 1 } }, 'v.a', /a key that is empty text/],
    ['names cut in half', { '\ud83d': 1 }, 'v', /half of a surrogate pair/],
    ['__proto__ as a name', JSON.parse('{"a":{"__proto__":{"isAdmin":true}}}'), 'v.a', /named __proto__/],
  ])('refuses %s', (_, value, path, message) => {
    expect(() => encode(value, 'v')).toThrow(invalidInput(path, message));
  });

  it('writes paths as JavaScript does', () => {
    const item = { 'first name': { größe: [undefined] } };
    expect(() => encodeItem(item)).toThrow(invalidInput('item["first name"].größe[0]', /./));
  });
});

describe('encodeItem', () => {
  it.each([
    ['a list', []],
    ['a class instance', new (class {})()],
    ['an operator', add(1)],
    ['null', null],
    ['undefined', undefined],
    ['text', 'x'],
  ])('refuses %s', (_, value) => {
    expect(() => encodeItem(value, 'item')).toThrow(invalidInput('item', /an item is a plain object/));
  });
});

describe('encodeKeyScalar', () => {
  it.each([
    ['text', 'a1', { S: 'a1' }],
    ['numbers', 1, { N: '1' }],
    ['bigints', 2n ** 60n, { N: '1152921504606846976' }],
    ['binary', Uint8Array.of(1), { B: Uint8Array.of(1) }],
  ])('accepts %s', (_, value, expected) => {
    expect(encodeKeyScalar(value, 'key.id')).toEqual(expected);
  });

  it.each([
    ['empty text', '', /it is empty/],
    ['empty binary', new Uint8Array(), /it is empty/],
    ['NaN', Number.NaN, /no number/],
    ['undefined', undefined, /undefined/],
    ['null', null, /it cannot be a key/],
    ['booleans', true, /it cannot be a key/],
    ['sets', new Set(['a']), /it cannot be a key/],
    ['objects', { S: 'a1' }, /it cannot be a key/],
  ])('refuses %s', (_, value, message) => {
    expect(() => encodeKeyScalar(value, 'key.id')).toThrow(invalidInput('key.id', message));
  });
});

describe('bytes, numbers and arrays of a strange kind', () => {
  const detached = () => {
    const bytes = new Uint8Array([1]);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    return bytes;
  };

  it('bytes whose buffer was transferred are refused', () => {
    expect(() => encode(detached(), 'item.a')).toThrow(invalidInput('item.a', /bytes are gone/));
    expect(() => encode(new Set([detached()]), 'item.a')).toThrow(invalidInput('item.a', /bytes are gone/));
  });

  it('a message holds a line of a number, however long it is', () => {
    for (const value of [
      BigInt('7'.repeat(10_000)),
      { toAttributeValue: () => ({ N: 'x'.repeat(10_000) }) },
    ]) {
      const refused = (() => {
        try {
          return encode(value, 'item.a');
        } catch (error) {
          return error as Error;
        }
      })();
      expect(refused).toMatchObject({ code: 'invalid-input' });
      expect((refused as Error).message.length).toBeLessThan(400);
    }
  });

  it('a subclass of Array cannot say what its elements become', () => {
    class Odd extends Array<number> {
      static override get [Symbol.species](): ArrayConstructor {
        return class {} as never;
      }
    }
    expect(encode(Odd.of(1, 2), 'item.a')).toEqual({ L: [{ N: '1' }, { N: '2' }] });
  });
});
