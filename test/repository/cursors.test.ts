import { describe, expect, it } from 'vitest';
import { beginsWith, between, gt, raw } from '../../src/expressions.ts';
import { FencedRepository } from '../../src/index.ts';
import { encodeCursor } from '../../src/repository/cursor.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { noWire } from '../support/no-wire.ts';

interface Entry {
  account: string;
  at: number;
  owner?: string;
}

const entries = new FencedRepository<Entry, 'account' | 'at'>({
  client: noWire,
  tableName: 'entries',
  key: ['account', 'at'],
  resource: ({ account }) => account,
});
const derived = new FencedRepository<Entry, 'account' | 'at', { pk: string; sk: string }>({
  client: noWire,
  tableName: 'entries',
  key: ({ account, at }) => ({ pk: account, sk: `${at}` }),
  resource: ({ account }) => account,
});

const account = { S: 'a' };
const at = { N: '7' };

describe('the cursor of another query is refused before anything is sent', () => {
  it.each<[string, (cursor: string) => unknown, string]>([
    [
      'of another partition',
      (cursor) => entries.query({ key: { account: 'b' }, cursor }),
      encodeCursor({ account, at }),
    ],
    [
      'of another place',
      (cursor) => entries.query({ key: { account: 'a', at: 8 }, cursor }),
      encodeCursor({ account, at }),
    ],
    [
      'of another table',
      (cursor) => entries.query({ key: { account: 'a' }, cursor }),
      encodeCursor({ account }),
    ],
    ['of an index', (cursor) => entries.scan({ cursor }), encodeCursor({ account, at, owner: { S: 'o' } })],
    [
      'of the table',
      (cursor) => entries.query({ index: 'by-owner', key: { owner: 'o' }, cursor }),
      encodeCursor({ account, at }),
    ],
    [
      'of another type',
      (cursor) => entries.query({ key: { account: 'a', at: gt(1) }, cursor }),
      encodeCursor({ account, at: { S: '7' } }),
    ],
    ['with no number', (cursor) => entries.scan({ cursor }), encodeCursor({ account, at: { N: 'x' } })],
    ['with empty text', (cursor) => entries.scan({ cursor }), encodeCursor({ account: { S: '' }, at })],
    ['of made keys', (cursor) => derived.query({ key: { pk: 'a' }, cursor }), encodeCursor({ account, at })],
    ['of too many names', (cursor) => derived.scan({ cursor }), encodeCursor({ account, at, x: at })],
  ])('%s', (_, call, cursor) => {
    expect(() => call(cursor)).toThrow(invalidInput('cursor', /another query|no cursor/));
  });

  it('and its own is not, in whatever spelling', () => {
    const cursor = encodeCursor({ account, at: { N: '7.0' } });
    expect(() => entries.scan({ cursor })).not.toThrow();
    for (const asked of [7, gt(1), between(1, 9)]) {
      expect(() => entries.query({ key: { account: 'a', at: asked as never }, cursor })).not.toThrow();
    }
    const made = encodeCursor({ pk: { S: 'a' }, sk: { S: '7' } });
    expect(() => derived.query({ key: { pk: 'a', sk: beginsWith('7') }, cursor: made })).not.toThrow();
    const ofIndex = encodeCursor({ account, at, owner: { S: 'o' } });
    expect(() => entries.query({ index: 'by-owner', key: { owner: 'o' }, cursor: ofIndex })).not.toThrow();
  });
});

it.each<[string, () => unknown]>([
  ['its partition key', () => entries.query({ key: { account: 'a' }, filter: { account: 'a' } })],
  ['the sort key of the table', () => entries.query({ key: { account: 'a' }, filter: { at: gt(1) } })],
  ['the key of its index', () => entries.query({ index: 'i', key: { owner: 'o' }, filter: { owner: 'o' } })],
])('the filter of a query may not ask of %s', (_, call) => {
  expect(call).toThrow(invalidInput('filter', /part of the key/));
});

it('a filter has room for what hides deleted items', () => {
  const filter = raw(`owner = ${'x'.repeat(4060)}`);
  expect(() => entries.scan({ filter })).toThrow(
    invalidInput('filter', /together with what hides deleted items/),
  );
});
