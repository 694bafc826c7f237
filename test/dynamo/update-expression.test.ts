import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findOverlap, formatPath } from '../../src/dynamo/document-path.ts';
import {
  clausesOf,
  joinClauses,
  mentionedNames,
  spliceSet,
  writtenPaths,
} from '../../src/dynamo/update-expression.ts';
import { parseUpdate } from './dynalite-parser.ts';
import { invalidInput } from './invalid-input.ts';

const names = {
  '#set': 'set',
  '#REMOVE': 'REMOVE',
  '#add': 'add',
  '#delete': 'delete',
  '#dots': 'a.b',
  '#constructor': 'constructor',
  '#f': '_fence',
};
const values = {
  ':v': { N: '1' },
  ':set': { SS: ['x'] },
  ':l': { L: [] },
  ':df0': { N: '42' },
  ':df1': { S: 'me' },
};
const allNames = { ...names, '#df0': '_fence', '#df1': '_fenceHolder' };
const ours = ['#df0 = :df0', '#df1 = :df1'];
const parse = (expression: string) => parseUpdate(expression, allNames, values);

// An expression is drawn as tokens, and printed with whatever white space may stand between two of them.
type Tokens = readonly string[];
const isWord = (token: string | undefined) => token !== undefined && /\w$/.test(token);
const space = fc.constantFrom('', ' ', '\n', '\t ', '   ');
const printed = (tokens: Tokens) =>
  fc.array(space, { minLength: tokens.length, maxLength: tokens.length }).map((spaces) =>
    tokens
      .map((token, n) => {
        const mustPart = isWord(tokens[n - 1]) && /^[\w#:]/.test(token);
        return (mustPart && spaces[n] === '' ? ' ' : spaces[n]) + token;
      })
      .join(''),
  );
const anyCase = (keyword: string) =>
  fc.constantFrom(keyword, keyword.toLowerCase(), keyword[0] + keyword.slice(1).toLowerCase());

// Each another attribute, none of them ours: what overlaps is refused, here and there.
const roots = ['a', 'B_2', '_c', 'settle', 'toString', ...Object.keys(names).filter((name) => name !== '#f')];
const path = (root: string): fc.Arbitrary<Tokens> =>
  fc
    .array(fc.constantFrom(['.', 'x'], ['.', '#set'], ['.', '#dots'], ['[', '0', ']'], ['[', '12', ']']), {
      maxLength: 3,
    })
    .map((steps) => [root, ...steps.flat()]);
const { operand } = fc.letrec<{ operand: Tokens }>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 2 },
    fc.constant([':v']),
    path('z'),
    fc.tuple(path('y'), tie('operand')).map(([p, o]) => ['if_not_exists', '(', ...p, ',', ...o, ')']),
  ),
}));
const value = fc.oneof(
  operand,
  fc.tuple(path('w'), fc.constantFrom('+', '-'), path('z')).map(([a, sign, b]) => [...a, sign, ...b]),
  fc.tuple(path('w'), fc.constantFrom('+', '-')).map(([a, sign]) => [...a, sign, ':v']),
  path('w').map((p) => ['list_append', '(', ':l', ',', ...p, ')']),
);
const action: Record<string, (root: string) => fc.Arbitrary<Tokens>> = {
  SET: (root) => fc.tuple(path(root), value).map(([p, v]) => [...p, '=', ...v]),
  REMOVE: (root) => path(root),
  ADD: (root) => fc.tuple(path(root), fc.constantFrom(':v', ':set')).map(([p, v]) => [...p, v]),
  DELETE: (root) => path(root).map((p) => [...p, ':set']),
};

const clause = (keyword: string, of: readonly string[]) =>
  fc
    .tuple(anyCase(keyword), ...of.map((root) => action[keyword]!(root)))
    .map(([word, ...actions]) => [word, ...actions.flatMap((a, n) => (n === 0 ? a : [',', ...a]))]);

/** A valid update expression of 1 to 4 clauses, in any order, which write to different attributes. */
const expression = fc
  .tuple(
    fc.shuffledSubarray(Object.keys(action), { minLength: 1 }),
    fc.shuffledSubarray(roots, { minLength: 8 }),
    fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 4, maxLength: 4 }),
  )
  .chain(([keywords, pool, counts]) =>
    fc.tuple(...keywords.map((keyword, n) => clause(keyword, pool.slice(2 * n, 2 * n + counts[n]!)))),
  )
  .chain((clauses) => printed(clauses.flat()));

// biome-ignore lint/suspicious/noExplicitAny: the sections of a parser that has no types.
const sorted = (sections: readonly any[]) =>
  [...sections].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

describe('spliceSet', () => {
  it('adds our assignments and changes nothing else, to the judgement of another parser', () => {
    fc.assert(
      fc.property(expression, (callers) => {
        const expected = [...parse(callers).sections, ...parse(`SET ${ours.join(', ')}`).sections];
        expect(sorted(parse(spliceSet(callers, ours)).sections)).toEqual(sorted(expected));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['no expression', undefined, 'SET #df0 = :df0, #df1 = :df1'],
    ['blank ones', '  \n', 'SET #df0 = :df0, #df1 = :df1'],
    ['a SET', 'SET a = :v', 'SET #df0 = :df0, #df1 = :df1, a = :v'],
    [
      'a set between others',
      'remove b\nset a=:v add c :v',
      'remove b\nset #df0 = :df0, #df1 = :df1, a=:v add c :v',
    ],
    ['no SET', 'REMOVE b', 'REMOVE b SET #df0 = :df0, #df1 = :df1'],
    [
      'keywords as names',
      'REMOVE m.set, #set ADD #add :v',
      'REMOVE m.set, #set ADD #add :v SET #df0 = :df0, #df1 = :df1',
    ],
  ])('works on %s', (_, callers, expected) => {
    expect(spliceSet(callers, ours)).toBe(expected);
  });

  it.each(['a = :v', '#set = :v', ':v', 'x SET a = :v', ', SET a = :v', 'SETa = :v'])(
    'refuses %j',
    (callers) => {
      expect(() => spliceSet(callers, ours)).toThrow(
        invalidInput('UpdateExpression', /does not begin with SET/),
      );
    },
  );
});

describe('clauses', () => {
  it('mean the same after they were taken apart and joined, to the judgement of another parser', () => {
    fc.assert(
      fc.property(expression, (callers) => {
        const joined = joinClauses(clausesOf(callers, 'raw'));
        expect(sorted(parse(joined).sections)).toEqual(sorted(parse(callers).sections));
      }),
      { numRuns: 1000 },
    );
  });

  it('of several expressions are joined, each keyword once', () => {
    const all = ['SET a = :v', 'remove b, c', 'Set d = if_not_exists(d, :v), e = :v REMOVE f'];
    expect(joinClauses(all.flatMap((one) => clausesOf(one, 'raw')))).toBe(
      'SET a = :v, d = if_not_exists(d, :v), e = :v REMOVE b, c, f',
    );
  });
});

describe('writtenPaths', () => {
  it('finds what another parser finds', () => {
    fc.assert(
      fc.property(expression, (callers) => {
        expect(writtenPaths(callers, names)).toEqual(parse(callers).paths);
      }),
      { numRuns: 1000 },
    );
  });

  it('takes names of Object.prototype for what they are', () => {
    expect(writtenPaths('SET constructor = :v, toString.valueOf = :v')).toEqual([
      ['constructor'],
      ['toString', 'valueOf'],
    ]);
  });
});

describe('mentionedNames', () => {
  it.each([
    ['bare', 'SET a = _fence'],
    ['beside a hyphen', 'SET a = _fence-:v'],
    ['behind one', 'SET a = b-_fence'],
    ['aliased', 'SET a = #f-:v'],
    ['nested', 'REMOVE m[0]._fence'],
    ['in a function', 'SET a = if_not_exists(_fence,:v)'],
  ])('finds a name %s', (_, callers) => {
    expect(mentionedNames(callers, names)).toContain('_fence');
  });

  it('finds names, no values', () => {
    expect([...mentionedNames('a = :b AND #set = :v', names)]).toEqual(expect.arrayContaining(['a', 'set']));
    expect(mentionedNames('a = :_fence', names)).not.toContain('_fence');
    expect([...mentionedNames('constructor = :v')].every((name) => typeof name === 'string')).toBe(true);
  });
});

describe('paths', () => {
  it.each([
    ['the same', [['a'], ['a']]],
    ['one within another', [['a', 'b'], ['x'], ['a']]],
    ['an element of a list', [['l'], ['l', 0, 'x']]],
  ])('overlap: %s', (_, paths) => {
    expect(findOverlap(paths)).toEqual(paths.filter(([root]) => root !== 'x'));
  });

  it.each([
    ['different attributes', [['a'], ['ab']]],
    [
      'different elements',
      [
        ['l', 0],
        ['l', 1],
      ],
    ],
    ['a name with a dot in it', [['a.b'], ['a', 'b']]],
    [
      'an index and a name of the same digits',
      [
        ['m', 0],
        ['m', '0'],
      ],
    ],
  ])('do not overlap: %s', (_, paths) => {
    expect(findOverlap(paths)).toBeUndefined();
  });

  it('are written as people write them', () => {
    expect(formatPath(['lines', 2, 'price'])).toBe('lines[2].price');
  });
});
