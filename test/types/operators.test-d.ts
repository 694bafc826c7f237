import { describe, expect, test } from 'tstyche';
import {
  type AttributeChanges,
  type AttributeConditions,
  add,
  append,
  beginsWith,
  between,
  type Changes,
  type Conditions,
  contains,
  difference,
  eq,
  exists,
  gt,
  gte,
  ifNotExists,
  type KeyConditions,
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

interface Line {
  sku: string;
  quantity: number;
  labels?: string[];
}

interface Order {
  balance: number;
  total: bigint;
  status: 'free' | 'booked';
  note?: string;
  bookedBy: string | undefined;
  lines: Line[];
  events: { kind: 'a' | 'b'; names: string[] }[];
  readonly history?: readonly string[];
  tags: ReadonlySet<string>;
  sizes?: Set<number>;
  checksum: Uint8Array;
  open: boolean;
  level: 1 | 2 | 3;
  rating: number | null;
  either: number | string;
  address: { street: string; value?: number };
  anything: unknown;
}

declare const change: (changes: Changes<Order>) => void;
declare const when: (conditions: Conditions<Order>) => void;

describe('changes', () => {
  test('take new values', () => {
    change({ balance: 1, total: 2n, status: 'free', note: 'x', lines: [{ sku: 'a', quantity: 1 }] });
    change({ tags: new Set(['a']), sizes: new Set([1]), checksum: new Uint8Array(), open: true, level: 2 });
    change({ rating: null, either: 'x', address: { street: 's', value: 1 } });
  });

  test('take operators that fit the type', () => {
    change({ balance: add(-30), total: add(1n), level: add(1) });
    change({ balance: add(1n), total: add(1) });
    change({ lines: append([{ sku: 'a', quantity: 1 }]), history: prepend(['a']) });
    change({ lines: append([{ sku: 'a', quantity: 1, labels: ['x'] }]) });
    change({ tags: union(['a']), sizes: difference([1]) });
    change({ tags: union(new Set(['a'])) });
    change({
      balance: ifNotExists(0),
      status: ifNotExists('free'),
      note: ifNotExists('x'),
      rating: ifNotExists(null),
    });
    change({ note: remove(), history: remove(), sizes: remove(), bookedBy: remove() });
    change({ anything: add(1) });
  });

  test('take literals of a union, also inside operators', () => {
    expect<AttributeChanges<{ s: ReadonlySet<'a' | 'b'> }>>().type.toBeAssignableFrom({ s: union(['a']) });
    change({ events: append([{ kind: 'a', names: ['x'] }]) });
    const changes: Changes<{ s: ReadonlySet<'a' | 'b'>; l: ('a' | 'b')[] }> = {
      s: union(['a']),
      l: append(['b']),
    };
    expect(changes).type.toBeAssignableTo<object>();
  });

  test('take an expression, or several of both', () => {
    change(raw('SET a = :v', { values: { ':v': 1 } }));
    change([{ balance: add(1) }, raw('REMOVE a'), { note: remove() }]);
    change([]);
  });

  test('refuse what does not fit, and say what was given and what would fit', () => {
    // @ts-expect-error Op<"add", number | bigint>' is not assignable to type 'Op<"ifNotExists", "free" | "booked">
    change({ status: add(1) });
    // @ts-expect-error Op<"append", readonly 1[]>' is not assignable
    change({ balance: append([1]) });
    // @ts-expect-error is not assignable to type 'string'
    change({ history: append([1]) });
    // @ts-expect-error is missing in type
    change({ lines: append([{ sku: 'a' }]) });
    // @ts-expect-error is not assignable to type 'string'
    change({ tags: union([1]) });
    // @ts-expect-error Op<"union", ReadonlySet<"a">>' is not assignable
    change({ history: union(['a']) });
    // @ts-expect-error Op<"append", readonly "a"[]>' is not assignable
    change({ tags: append(['a']) });
    // @ts-expect-error is not assignable to type '"free" | "booked"
    change({ status: ifNotExists('gone') });
    // @ts-expect-error Op<"add", number | bigint>' is not assignable
    change({ either: add(1) });
    // @ts-expect-error Op<"add", number | bigint>' is not assignable
    change({ rating: add(1) });
    // @ts-expect-error Op<"add", number | bigint>' is not assignable
    change({ address: add(1) });
    // @ts-expect-error Op<"gte", 1>' is not assignable
    change({ balance: gte(1) });
    // @ts-expect-error '"gone"' is not assignable
    change({ status: 'gone' });
    // @ts-expect-error 'unknownAttribute' does not exist
    change({ unknownAttribute: 1 });
    // @ts-expect-error Op<"add", number | bigint>' is not assignable to type 'Raw'
    change(add(1));
  });

  test('refuse to remove what must be there', () => {
    // @ts-expect-error Op<"remove", undefined>' is not assignable to type
    change({ balance: remove() });
  });

  test('refuse undefined, which would not remove anything', () => {
    // @ts-expect-error '{ note: undefined; }' is
    change({ note: undefined });
  });

  test('refuse the letters of a string as elements', () => {
    // @ts-expect-error Argument of type 'string' is not assignable
    union('abc');
    // @ts-expect-error Argument of type 'string' is not assignable
    difference('abc');
  });

  test('an operator is no value of an attribute inside', () => {
    // @ts-expect-error Op<"add", number | bigint>' is not assignable to type 'number
    change({ address: { street: 's', value: add(1) } });
  });
});

describe('conditions', () => {
  test('take values', () => {
    when({
      balance: 1,
      status: 'free',
      note: 'x',
      lines: [],
      tags: new Set(['a']),
      open: false,
      rating: null,
    });
  });

  test('take operators that fit the type', () => {
    when({ balance: gte(30), total: lt(3), level: gt(1), checksum: lte(new Uint8Array()), status: gt('a') });
    when({ balance: between(1, 2n), note: between('a', 'b') });
    when({ status: oneOf(['free', 'booked']), balance: oneOf(new Set([1, 2])) });
    when({ status: eq('free'), open: ne(true), address: eq({ street: 's' }), rating: eq(null) });
    when({ note: beginsWith('a'), checksum: beginsWith(new Uint8Array()) });
    when({ note: contains('a'), history: contains('a'), tags: contains('a'), sizes: contains(1) });
    when({ lines: contains({ sku: 'a', quantity: 1 }) });
    when({ balance: exists(), note: notExists(), bookedBy: notExists() });
    when({ rating: gte(1), either: gt('a') });
  });

  test('take an expression, or several of both', () => {
    when(raw('size(tags) > :n', { values: { ':n': 1 } }));
    when([{ open: true }, raw('a = b')]);
  });

  test('refuse what does not fit', () => {
    // @ts-expect-error Op<"gte", string>' is not assignable
    when({ balance: gte('a' as string) });
    // @ts-expect-error Op<"gt", number>' is not assignable
    when({ open: gt(1 as number) });
    // @ts-expect-error Op<"beginsWith", string>' is not assignable
    when({ balance: beginsWith('1' as string) });
    // @ts-expect-error is not assignable
    when({ balance: contains(1) });
    // @ts-expect-error is not assignable
    when({ history: contains(1) });
    // @ts-expect-error is not assignable
    when({ status: oneOf(['gone']) });
    // @ts-expect-error is not assignable
    when({ status: eq('gone') });
    // @ts-expect-error Op<"add", number | bigint>' is not assignable
    when({ balance: add(1) });
    // @ts-expect-error is not assignable
    when({ note: remove() });
    // @ts-expect-error '{ note: undefined; }' is
    when({ note: undefined });
    // @ts-expect-error is not assignable to parameter of type 'Comparable'
    gt(true);
    // @ts-expect-error Argument of type 'string' is not assignable
    oneOf('abc');
    // @ts-expect-error Op<"gte", 1>' is not assignable to type 'Raw'
    when(gte(1));
  });
});

describe('the key of a query', () => {
  interface Entry {
    pk: string;
    sk: number;
    other?: string;
  }

  test('takes values, orders and beginnings', () => {
    expect<KeyConditions<Entry>>().type.toBeAssignableFrom({ pk: 'a', sk: gte(1) });
    expect<KeyConditions<Entry>>().type.toBeAssignableFrom({ pk: eq('a'), sk: between(1, 2) });
    expect<KeyConditions<Entry>>().type.toBeAssignableFrom({ pk: beginsWith('a') });
  });

  test('takes nothing else', () => {
    expect<KeyConditions<Entry>>().type.not.toBeAssignableFrom({ pk: ne('a') });
    expect<KeyConditions<Entry>>().type.not.toBeAssignableFrom({ pk: oneOf(['a']) });
    expect<KeyConditions<Entry>>().type.not.toBeAssignableFrom({ other: exists() });
    expect<KeyConditions<Entry>>().type.not.toBeAssignableFrom({ sk: beginsWith('a') });
    expect<KeyConditions<Entry>>().type.not.toBeAssignableFrom(raw('pk = :a'));
  });
});

describe('an unknown or open type', () => {
  test('keeps its operators', () => {
    expect<AttributeChanges<Record<string, unknown>>>().type.toBeAssignableFrom({ a: add(1), b: 'x' });
    expect<AttributeConditions<Record<string, number>>>().type.toBeAssignableFrom({ a: gte(1) });
    expect<AttributeConditions<Record<string, number>>>().type.not.toBeAssignableFrom({ a: beginsWith('1') });
  });
});
