import { describe, expect, it } from 'vitest';
import { compileChanges } from '../../src/dynamo/changes.ts';
import {
  add,
  append,
  difference,
  gte,
  ifNotExists,
  prepend,
  raw,
  remove,
  union,
} from '../../src/expressions.ts';
import { invalidInput } from './invalid-input.ts';

describe('compileChanges', () => {
  it('makes one clause of each kind, every name aliased, every value encoded', () => {
    const changes = {
      status: 'open',
      balance: add(-30),
      lines: append([1]),
      queue: prepend(['x']),
      createdAtMs: ifNotExists(5n),
      tags: union(['a']),
      labels: difference(new Set([1])),
      note: remove(),
      ttl: null,
    };
    expect(compileChanges(changes)).toEqual({
      UpdateExpression:
        'SET #c0 = :c0, ' +
        '#c2 = list_append(if_not_exists(#c2, :c2), :c3), ' +
        '#c3 = list_append(:c4, if_not_exists(#c3, :c5)), ' +
        '#c4 = if_not_exists(#c4, :c6), ' +
        '#c8 = :c9 ' +
        'REMOVE #c7 ' +
        'ADD #c1 :c1, #c5 :c7 ' +
        'DELETE #c6 :c8',
      ExpressionAttributeNames: {
        '#c0': 'status',
        '#c1': 'balance',
        '#c2': 'lines',
        '#c3': 'queue',
        '#c4': 'createdAtMs',
        '#c5': 'tags',
        '#c6': 'labels',
        '#c7': 'note',
        '#c8': 'ttl',
      },
      ExpressionAttributeValues: {
        ':c0': { S: 'open' },
        ':c1': { N: '-30' },
        ':c2': { L: [] },
        ':c3': { L: [{ N: '1' }] },
        ':c4': { L: [{ S: 'x' }] },
        ':c5': { L: [] },
        ':c6': { N: '5' },
        ':c7': { SS: ['a'] },
        ':c8': { NS: ['1'] },
        ':c9': { NULL: true },
      },
    });
  });

  it('leaves out what would be empty', () => {
    expect(compileChanges({ note: remove() })).toEqual({
      UpdateExpression: 'REMOVE #c0',
      ExpressionAttributeNames: { '#c0': 'note' },
    });
    expect(compileChanges(raw('REMOVE note'))).toEqual({ UpdateExpression: 'REMOVE note' });
  });

  it('takes the operators of another copy of the package', () => {
    const foreign = { [Symbol.for('dynamodb-fenced.operator')]: 'add', value: 1 };
    expect(compileChanges({ n: foreign }).UpdateExpression).toBe('ADD #c0 :c0');
  });

  it('takes no stored object for an operator', () => {
    const { UpdateExpression, ExpressionAttributeValues } = compileChanges({ a: { kind: 'add', value: 1 } });
    expect(UpdateExpression).toBe('SET #c0 = :c0');
    expect(ExpressionAttributeValues).toEqual({ ':c0': { M: { kind: { S: 'add' }, value: { N: '1' } } } });
  });

  it('merges expressions with each other, each with placeholders of its own', () => {
    const part = (name: string, value: number) =>
      raw('set #a.x = :a remove #a.y', { names: { '#a': name }, values: { ':a': value } });
    expect(compileChanges([part('m', 1), { n: add(1) }, part('o', 2)])).toEqual({
      UpdateExpression: 'SET #c0.x = :c0, #c2.x = :c2 REMOVE #c0.y, #c2.y ADD #c1 :c1',
      ExpressionAttributeNames: { '#c0': 'm', '#c1': 'n', '#c2': 'o' },
      ExpressionAttributeValues: { ':c0': { N: '1' }, ':c1': { N: '1' }, ':c2': { N: '2' } },
    });
  });

  it('uses a placeholder of an expression as often as it does', () => {
    expect(
      compileChanges(
        raw('SET #a = #a + :n, b = b - :n, c = :nn', { names: { '#a': 'a' }, values: { ':n': 1, ':nn': 2 } }),
      ),
    ).toEqual({
      UpdateExpression: 'SET #c0 = #c0 + :c0, b = b - :c0, c = :c1',
      ExpressionAttributeNames: { '#c0': 'a' },
      ExpressionAttributeValues: { ':c0': { N: '1' }, ':c1': { N: '2' } },
    });
  });

  it.each([
    ['no attribute', {}, 'changes'],
    ['no part', [], 'changes'],
    ['empty parts', [{}, {}], 'changes'],
  ])('refuses %s', (_, changes, path) => {
    expect(() => compileChanges(changes)).toThrow(invalidInput(path, /nothing is changed/));
  });

  it.each([
    ['twice', [{ a: 1 }, { a: 2 }], /a is changed twice/],
    ['in an expression too', [{ a: 1 }, raw('REMOVE a')], /a is changed twice/],
    [
      'in an expression that aliases it',
      [{ a: 1 }, raw('ADD #x :n', { names: { '#x': 'a' }, values: { ':n': 1 } })],
      /a is changed twice/,
    ],
    [
      'and a part of it',
      [{ m: {} }, raw('SET m.x = :v', { values: { ':v': 1 } })],
      /m and m\.x are both changed/,
    ],
    [
      'within one expression',
      raw('SET m.x = :v REMOVE m', { values: { ':v': 1 } }),
      /m\.x and m are both changed/,
    ],
    [
      'in two expressions',
      [raw('REMOVE l[0]'), raw('REMOVE l[0].x')],
      /l\[0\] and l\[0\]\.x are both changed/,
    ],
  ])('refuses to change an attribute %s', (_, changes, message) => {
    expect(() => compileChanges(changes)).toThrow(invalidInput('changes', message));
  });

  it('changes what only looks like an overlap', () => {
    const dotted = raw('SET m.x = :v', { values: { ':v': 1 } });
    expect(() => compileChanges([{ 'm.x': 1, mx: 1 }, dotted])).not.toThrow();
  });

  it.each([
    ['undefined', { a: undefined }, 'changes.a', /undefined cannot be stored.*remove\(\)/],
    ['values that cannot be stored', { a: [new Date(0)] }, 'changes.a[0]', /a Date/],
    ['such operands', { a: add(Number.NaN) }, 'changes.a', /NaN/],
    ['such elements', { a: append([undefined] as never) }, 'changes.a[0]', /undefined/],
    [
      'such values of an expression',
      raw('SET a = :v', { values: { ':v': new Map() } }),
      'changes.values[":v"]',
      /a Map/,
    ],
    ['the same in an array', [{ b: 1 }, { a: undefined }], 'changes[1].a', /undefined/],
    [
      'operators inside a value',
      { a: { b: remove() } },
      'changes.a.b',
      /an operator stands for a whole attribute/,
    ],
    [
      'text to add',
      { a: add('1' as never) },
      'changes.a',
      /add\(\) cannot take this value.*a number or a bigint/,
    ],
    ['an empty set to unite with', { a: union([]) }, 'changes.a', /the set is empty/],
    ['a mixed set', { a: union([1, 'a']) }, 'changes.a', /no mixture/],
    ['a condition', { a: gte(1) }, 'changes.a', /gte\(\) changes no attribute/],
    ['an expression as an attribute', { a: raw('SET a = b') }, 'changes.a', /raw\(\) changes no attribute/],
    ['an operator without an attribute', add(1), 'changes', /add\(\) does not say which attribute/],
    ['an operator among the parts', [add(1)], 'changes[0]', /add\(\) does not say which attribute/],
    ['null', null, 'changes', /neither an object of attributes nor raw\(\)/],
    ['arrays in arrays', [[{ a: 1 }]], 'changes[0]', /neither/],
    ['class instances', new (class {})(), 'changes', /neither/],
    ['a name that is empty', { '': 1 }, 'changes', /empty text/],
    ['__proto__', JSON.parse('{"__proto__":1}'), 'changes', /named __proto__/],
    ['empty expressions', raw(' '), 'changes', /the raw expression is empty/],
    ['expressions without a clause', raw('a = b'), 'changes', /does not begin with SET/],
    ['expressions of no text', raw(5 as never), 'changes', /is 5, and no text/],
    ['a clause without an action', raw('SET'), 'changes', /SET has nothing to do/],
    ['one of several without an action', raw('REMOVE a SET'), 'changes', /SET has nothing to do/],
    ['a comma with nothing behind it', raw('SET a = b,'), 'changes', /SET has nothing to do/],
    ['a comma with nothing before it', raw('REMOVE , a'), 'changes', /REMOVE has nothing to do/],
    ['parentheses that do not match', raw('SET a = if_not_exists(b, c'), 'changes', /do not match/],
    [
      'faults, and quotes them as they were written',
      raw('SET a = (#b', { names: { '#b': 'b' } }),
      'changes',
      /"SET a = \(#b" do not match/,
    ],
    ['symbols beside names', { a: 1, [Symbol('s')]: 2 }, 'changes[Symbol(s)]', /symbol/],
    [
      'accessors',
      {
        get a() {
          throw new Error('must not run');
        },
      },
      'changes.a',
      /accessor/,
    ],
    ['more than 4 KB', raw(`REMOVE ${'x'.repeat(4090)}`), 'changes', /4097 bytes, and DynamoDB takes 4096/],
    [
      'more than 4 KB together',
      Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`a${n}`, n])),
      'changes',
      /bytes, and DynamoDB takes 4096/,
    ],
    ['names that are not given', raw('REMOVE #a'), 'changes', /#a is used in "REMOVE #a" but not given/],
    ['values that are not given', raw('SET a = :v'), 'changes', /:v is used.*Add it to values/],
    [
      'names that are not used',
      raw('REMOVE a', { names: { '#b': 'b' } }),
      'changes',
      /"#b" is given but not used/,
    ],
    [
      'values that are not used',
      raw('REMOVE a', { values: { ':b': 1 } }),
      'changes',
      /":b" is given but not used/,
    ],
    ['placeholders without their sign', raw('SET a = :b', { values: { b: 1 } }), 'changes', /:b is used/],
    [
      'names of no type',
      raw('REMOVE #a', { names: { '#a': 1 as never } }),
      'changes.names["#a"]',
      /no attribute name/,
    ],
    ['names that are empty', raw('REMOVE #a', { names: { '#a': '' } }), 'changes.names["#a"]', /empty text/],
  ])('refuses %s', (_, changes, path, message) => {
    expect(() => compileChanges(changes)).toThrow(invalidInput(path, message));
  });

  it.each([
    ['union', () => union('abc' as never)],
    ['difference', () => difference(1 as never)],
    ['append', () => append({ length: 1 } as never)],
    ['prepend', () => prepend(null as never)],
  ])('%s wants several elements, where it is called', (name, call) => {
    expect(call).toThrow(invalidInput(`${name}()`, /it takes several values/));
  });
});
