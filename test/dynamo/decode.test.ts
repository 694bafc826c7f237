import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { decode, decodeItem } from '../../src/dynamo/decode.ts';
import { encode } from '../../src/dynamo/encode.ts';

const unreadable = (path: string, message: RegExp) =>
  expect.objectContaining({
    code: 'unreadable-value',
    path,
    message: expect.stringMatching(message),
  });

describe('decode', () => {
  it.each([
    ['text', { S: '' }, ''],
    ['booleans', { BOOL: false }, false],
    ['null', { NULL: true }, null],
    ['null with another value beside the tag', { NULL: false }, null],
    ['integers', { N: '42' }, 42],
    ['minus zero', { N: '-0' }, 0],
    ['integers with an exponent', { N: '1.5e3' }, 1500],
    ['the largest safe integer', { N: '9007199254740991' }, 9007199254740991],
    ['larger integers', { N: '9007199254740992' }, 9007199254740992n],
    ['larger integers exactly', { N: '9007199254740993' }, 9007199254740993n],
    ['negative ones', { N: '-9007199254740993' }, -9007199254740993n],
    ['the largest number', { N: `${'9'.repeat(38)}${'0'.repeat(88)}` }, (10n ** 38n - 1n) * 10n ** 88n],
    ['fractions', { N: '0.1' }, 0.1],
    ['fractions with zeros at the end', { N: '-0.500' }, -0.5],
    ['small fractions', { N: `0.${'0'.repeat(129)}1` }, 1e-130],
    ['lists', { L: [{ N: '1' }, { L: [] }] }, [1, []]],
    ['maps', { M: { a: { M: {} } } }, { a: {} }],
    ['binary', { B: Uint8Array.of(1) }, Uint8Array.of(1)],
    ['sets of text', { SS: ['a', 'b'] }, new Set(['a', 'b'])],
    ['sets of numbers', { NS: ['1', '9007199254740993'] }, new Set([1, 9007199254740993n])],
    ['sets of binary', { BS: [Uint8Array.of(1)] }, new Set([Uint8Array.of(1)])],
  ])('reads %s', (_, stored, expected) => {
    expect(decode(stored, 'v')).toStrictEqual(expected);
  });

  it.each(['0.123456789012345678901', '9007199254740991.5', '-0.30000000000000004441'])(
    'does not round %s',
    (text) => {
      const item = { lines: { L: [{ M: { price: { N: text } } }] } };
      expect(() => decodeItem(item)).toThrow(unreadable('item.lines[0].price', /option numbers/));
      expect(decodeItem(item, { numbers: (given) => `«${given}»` })).toEqual({
        lines: [{ price: `«${text}»` }],
      });
    },
  );

  it('asks the hook only where it must', () => {
    const numbers = () => expect.fail('asked for a number that JavaScript holds');
    expect(decode({ NS: ['0.1', '9007199254740993'] }, 'v', { numbers })).toEqual(
      new Set([0.1, 9007199254740993n]),
    );
  });

  it('reads what the hook may have made so that it can be written back', () => {
    const text = '0.123456789012345678901';
    const value = decode({ N: text }, 'v', { numbers: NumberValue.from });
    expect(encode(value, 'v')).toEqual({ N: text });
  });

  it('lets stored data set no prototype', () => {
    const stored = JSON.parse('{"m":{"M":{"__proto__":{"M":{"isAdmin":{"BOOL":true}}}}}}');
    const { m } = decodeItem(stored) as { m: { isAdmin?: boolean } };
    expect(m.isAdmin).toBeUndefined();
    expect(Object.getPrototypeOf(m)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(m, '__proto__')?.value).toEqual({ isAdmin: true });
  });

  it('leaves out what the SDK could not read: a __proto__ at the top of an item', () => {
    const item = Object.defineProperty({ a: { N: '1' } }, '__proto__', {
      value: undefined,
      enumerable: true,
    });
    expect(Object.entries(decodeItem(item))).toEqual([['a', 1]]);
  });

  it.each([
    ['no type at all', {}],
    ['a type of the future', { D: '2026-01-01' }],
  ])('says so where it meets %s', (_, stored) => {
    expect(() => decodeItem({ x: stored } as never)).toThrow(unreadable('item.x', /no type of DynamoDB/));
  });

  it('says so where a number is none', () => {
    expect(() => decodeItem({ x: { N: 'abc' } })).toThrow(unreadable('item.x', /"abc" is no decimal number/));
  });
});
