import { describe, expect, it } from 'vitest';
import { compileConditions, compileKeyConditions } from '../../src/dynamo/conditions.ts';
import {
  add,
  beginsWith,
  between,
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
import { invalidInput } from './invalid-input.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('compileConditions', () => {
  it.each([
    ['a value', 'open', '#w0 = :w0', [{ S: 'open' }]],
    ['null', null, '#w0 = :w0', [{ NULL: true }]],
    ['an object', { a: 1 }, '#w0 = :w0', [{ M: { a: { N: '1' } } }]],
    ['eq', eq('open'), '#w0 = :w0', [{ S: 'open' }]],
    ['ne', ne(true), '#w0 <> :w0', [{ BOOL: true }]],
    ['gt', gt(1), '#w0 > :w0', [{ N: '1' }]],
    ['gte', gte(1n), '#w0 >= :w0', [{ N: '1' }]],
    ['lt', lt('a'), '#w0 < :w0', [{ S: 'a' }]],
    ['lte', lte(bytes(1)), '#w0 <= :w0', [{ B: bytes(1) }]],
    ['between', between(1, 2), '#w0 BETWEEN :w0 AND :w1', [{ N: '1' }, { N: '2' }]],
    ['oneOf', oneOf(['a', 1, null]), '#w0 IN (:w0, :w1, :w2)', [{ S: 'a' }, { N: '1' }, { NULL: true }]],
    ['beginsWith', beginsWith(''), 'begins_with(#w0, :w0)', [{ S: '' }]],
    ['contains', contains('x'), 'contains(#w0, :w0)', [{ S: 'x' }]],
    ['exists', exists(), 'attribute_exists(#w0)', undefined],
    ['notExists', notExists(), 'attribute_not_exists(#w0)', undefined],
  ])('knows %s', (_, asked, ConditionExpression, values) => {
    expect(compileConditions({ status: asked }, 'when')).toEqual({
      ConditionExpression,
      ExpressionAttributeNames: { '#w0': 'status' },
      ...(values && {
        ExpressionAttributeValues: Object.fromEntries(values.map((value, n) => [`:w${n}`, value])),
      }),
    });
  });

  it('joins all that is asked by AND, expressions in parentheses', () => {
    const either = raw('#a = :x OR #b = :x', { names: { '#a': 'a', '#b': 'b' }, values: { ':x': 1 } });
    expect(compileConditions([{ a: 1, n: between(1, 2) }, either, raw('size(c) < d')], 'when')).toEqual({
      ConditionExpression:
        '#w0 = :w0 AND #w1 BETWEEN :w1 AND :w2 AND (#w0 = :w3 OR #w2 = :w3) AND (size(c) < d)',
      ExpressionAttributeNames: { '#w0': 'a', '#w1': 'n', '#w2': 'b' },
      ExpressionAttributeValues: {
        ':w0': { N: '1' },
        ':w1': { N: '1' },
        ':w2': { N: '2' },
        ':w3': { N: '1' },
      },
    });
  });

  it.each([
    ['numbers', 1, 1],
    ['a number and a bigint', 0.5, 10n ** 30n],
    ['negative ones', -2, -1.5],
    ['text', 'a', 'a'],
    ['text by its bytes, not by its UTF-16 units', '\uffff', '😀'],
    ['binary', bytes(1), bytes(1, 0)],
  ])('takes bounds in order: %s', (_, from, to) => {
    expect(() => compileConditions({ a: between(from, to) }, 'when')).not.toThrow();
  });

  it.each([
    ['numbers', 2, 1],
    ['numbers whose text is in order', 10, 9],
    ['a bigint and a number', 10n ** 30n, 0.5],
    ['negative ones', -1, -2],
    ['text', 'b', 'a'],
    ['text by its bytes', '😀', '\uffff'],
    ['binary', bytes(200), bytes(100)],
  ])('refuses reversed bounds: %s', (_, from, to) => {
    expect(() => compileConditions({ a: between(from, to) }, 'when')).toThrow(
      invalidInput('when.a', /the bounds of between\(\) are reversed/),
    );
  });

  it('takes 100 choices and no more', () => {
    const choices = (count: number) => ({ a: oneOf(Array.from({ length: count }, (_, n) => n)) });
    expect(() => compileConditions(choices(100), 'when')).not.toThrow();
    expect(() => compileConditions(choices(101), 'when')).toThrow(
      invalidInput('when.a', /was given 101 values/),
    );
    expect(() => compileConditions(choices(0), 'when')).toThrow(invalidInput('when.a', /was given 0 values/));
  });

  it.each([
    ['nothing', {}, 'when'],
    ['an empty array', [], 'when'],
    ['an empty part beside others', [{ a: 1 }, {}], 'when[1]'],
  ])('refuses to ask %s, which would let everything pass', (_, conditions, path) => {
    expect(() => compileConditions(conditions, 'when')).toThrow(invalidInput(path, /it asks nothing/));
  });

  it.each([
    ['a = b', 'a = b'],
    ['(a = b)', 'a = b'],
    [' ((a = b OR c = d)) ', 'a = b OR c = d'],
    ['(a = b) OR (c = d)', '(a = b) OR (c = d)'],
    ['((a = b OR c = d) AND e = f)', '(a = b OR c = d) AND e = f'],
    ['size(a) = size(b)', 'size(a) = size(b)'],
  ])('leaves parentheses around an expression to those who combine it: %j', (expression, text) => {
    expect(compileConditions(raw(expression), 'when').ConditionExpression).toBe(text);
    expect(compileConditions([raw(expression), raw('x = y')], 'when').ConditionExpression).toBe(
      `(${text}) AND (x = y)`,
    );
  });

  it.each([
    ['a) OR (b', /do not match/],
    ['a)) OR ((b', /do not match/],
    ['(a', /do not match/],
    ['a)', /do not match/],
    ['', /empty/],
  ])('refuses an expression that would leave its parentheses: %j', (expression, message) => {
    expect(() => compileConditions(raw(expression), 'when')).toThrow(invalidInput('when', message));
  });

  it.each([
    ['undefined', { a: undefined }, 'when.a', /undefined.*notExists\(\)/],
    ['undefined as an operand', { a: gte(undefined as never) }, 'when.a', /undefined/],
    ['undefined as a bound', { a: between(1, undefined as never) }, 'when.a', /undefined/],
    ['undefined as a choice', { a: oneOf([1, undefined] as never) }, 'when.a[1]', /undefined/],
    [
      'undefined in an expression',
      raw('a = :v', { values: { ':v': undefined } }),
      'when.values[":v"]',
      /undefined/,
    ],
    ['values that cannot be stored', { a: eq(new Date(0)) }, 'when.a', /a Date/],
    ['order where there is none', { a: gt(true as never) }, 'when.a', /gt\(\) cannot take this value/],
    ['bounds of two types', { a: between(1, 'a') }, 'when.a', /two bounds of one type/],
    [
      'bounds without order',
      { a: between(true as never, true as never) },
      'when.a',
      /two bounds of one type/,
    ],
    ['numbers as beginnings', { a: beginsWith(1 as never) }, 'when.a', /a string or a Uint8Array/],
    ['a change', { a: add(1) }, 'when.a', /add\(\) asks nothing/],
    ['an expression as an attribute', { a: raw('b') }, 'when.a', /raw\(\) asks nothing/],
    ['an operator without an attribute', gte(1), 'when', /gte\(\) does not say which attribute/],
    ['text', 'a = b', 'when', /neither/],
  ])('refuses %s', (_, conditions, path, message) => {
    expect(() => compileConditions(conditions, 'when')).toThrow(invalidInput(path, message));
  });

  it('oneOf wants several values, where it is called', () => {
    expect(() => oneOf('abc' as never)).toThrow(invalidInput('oneOf()', /one string/));
  });
});

describe('compileKeyConditions', () => {
  it('compiles what a key may be asked, beside which a filter has placeholders of its own', () => {
    expect(compileKeyConditions({ pk: 'a', sk: between(1, 2) }, 'key')).toEqual({
      ConditionExpression: '#k0 = :k0 AND #k1 BETWEEN :k1 AND :k2',
      ExpressionAttributeNames: { '#k0': 'pk', '#k1': 'sk' },
      ExpressionAttributeValues: { ':k0': { S: 'a' }, ':k1': { N: '1' }, ':k2': { N: '2' } },
    });
  });

  it.each([eq('a'), gt('a'), gte('a'), lt('a'), lte('a'), between('a', 'b'), beginsWith('a')])(
    'takes operator %#',
    (asked) => {
      expect(() => compileKeyConditions({ sk: asked }, 'key')).not.toThrow();
    },
  );

  it.each([
    ['ne', { sk: ne('a') }, /ne\(\) cannot be asked of a key/],
    ['oneOf', { sk: oneOf(['a']) }, /oneOf\(\) cannot/],
    ['contains', { sk: contains('a') }, /contains\(\) cannot/],
    ['exists', { sk: exists() }, /exists\(\) cannot/],
    ['notExists', { sk: notExists() }, /notExists\(\) cannot/],
    ['empty text', { sk: '' }, /it is empty/],
    ['empty beginnings', { sk: beginsWith('') }, /it is empty/],
    ['no scalar', { sk: true }, /cannot be a key/],
    ['undefined', { sk: undefined }, /undefined/],
  ])('refuses %s', (_, key, message) => {
    expect(() => compileKeyConditions(key, 'key')).toThrow(invalidInput('key.sk', message));
  });

  it.each([
    ['expressions', raw('pk = :a'), /raw\(\) cannot stand in the key/],
    ['nothing', {}, /it asks nothing/],
  ])('refuses %s', (_, key, message) => {
    expect(() => compileKeyConditions(key, 'key')).toThrow(invalidInput('key', message));
  });
});

describe('conditions that DynamoDB would refuse', () => {
  const deep = (levels: number) => `${'('.repeat(levels)}a = b${')'.repeat(levels)}`;

  it.each<[string, unknown, string, RegExp]>([
    ['none but parentheses', raw('( () )'), 'when', /do not match|asks nothing/],
    ['empty parentheses', raw('()'), 'when', /asks nothing/],
    ['empty ones in a list', [{ a: 1 }, raw(' ( ) ')], 'when[1]', /asks nothing/],
    ['no text', raw(5 as never), 'when', /is 5, and no text/],
    [
      'text that is quoted as it was written',
      raw('(#a = :a', { names: { '#a': 'a' }, values: { ':a': 1 } }),
      'when',
      /"\(#a = :a" do not match/,
    ],
    ['symbols beside names', { a: 1, [Symbol('s')]: 2 }, 'when[Symbol(s)]', /symbol/],
    [
      'accessors',
      {
        get a() {
          throw new Error('must not run');
        },
      },
      'when.a',
      /accessor/,
    ],
    ['more than 4 KB', raw(`a = ${'x'.repeat(4093)}`), 'when', /4097 bytes, and DynamoDB takes 4096/],
    ['more than 4 KB of parentheses', raw(deep(100_000)), 'when', /200005 bytes/],
    [
      'more than 4 KB together',
      Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`a${n}`, n])),
      'when',
      /bytes, and DynamoDB takes 4096/,
    ],
  ])('are refused first: %s', (_, conditions, path, message) => {
    expect(() => compileConditions(conditions, 'when')).toThrow(invalidInput(path, message));
  });

  it('lose any number of parentheses', () => {
    expect(compileConditions(raw(deep(2_000)), 'when').ConditionExpression).toBe('a = b');
  });

  it.each<[string, unknown, RegExp]>([
    ['three attributes', { a: 1, b: 2, c: 3 }, /of 3 attributes/],
    ['one attribute twice', [{ a: 1 }, { a: gt(2) }], /two things of one attribute/],
    ['a sort key twice', [{ a: 1, b: gt(1) }, { b: lt(5) }], /two things of one attribute/],
  ])('as the key of a query: %s', (_, key, message) => {
    expect(() => compileKeyConditions(key, 'key')).toThrow(invalidInput('key', message));
  });
});
