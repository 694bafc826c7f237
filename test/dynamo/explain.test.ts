import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/dynamo/attributes.ts';
import { type ExplainOptions, explain } from '../../src/dynamo/explain.ts';
import { stampOf, storedStates } from '../kernel/stored-states.ts';
import { invalidInput } from './invalid-input.ts';

const lease = stampOf('lease');
const refusal = (Item?: Item) =>
  Object.assign(new Error('The conditional request failed'), {
    name: 'ConditionalCheckFailedException',
    ...(Item === undefined ? {} : { Item }),
  });
const earlier: Item = {
  id: { S: 'a' },
  _fence: { N: '41' },
  _fenceHolder: { S: 'them' },
  _fenceSeq: { N: '1' },
  _fenceVersion: { S: '41.1.them' },
};
const newer: Item = { ...earlier, _fence: { N: '43' } };
const { _fenceVersion: _, ...deleted } = earlier;
const sealed: Item = {
  id: { S: 'a' },
  _fence: { N: '42' },
  _fenceHolder: { S: 'me' },
  _fenceSeq: { N: '5.5' },
};
const is = (error: unknown, options: ExplainOptions) => explain(error, lease, options).is;

describe('a refusal that shows its item', () => {
  it('says what was seen', () => {
    expect(explain(refusal(newer), lease, { as: 'put' })).toEqual({
      is: 'fenced',
      seen: { lastToken: 43, lastHolder: 'them' },
    });
  });

  it('says that the write was applied, and who has fenced us since', () => {
    const own = { ...earlier, _fenceVersion: { S: '42.5.me' } };
    expect(explain(refusal({ ...own, _fence: { N: '42' } }), lease, { as: 'put' })).toEqual({
      is: 'applied',
      newer: undefined,
    });
    expect(explain(refusal({ ...own, _fence: { N: '43' } }), lease, { as: 'put' })).toEqual({
      is: 'applied',
      newer: { lastToken: 43, lastHolder: 'them' },
    });
  });

  it.each([
    ['update of a live item', earlier, { as: 'update' }, 'condition'],
    ['put over a live item', earlier, { as: 'put' }, 'condition'],
    ['update of a deleted item', deleted, { as: 'update' }, 'not-found'],
    ['put over a deleted item', deleted, { as: 'put' }, 'not-found'],
    ['delete of a deleted item', deleted, { as: 'delete' }, 'not-found'],
    ['delete of what a seal of ours left', sealed, { as: 'delete' }, 'superseded'],
    ['update of what a seal of ours left', sealed, { as: 'update' }, 'not-found'],
    ['create over a live item', earlier, { as: 'create' }, 'exists'],
    ['create over an unfenced item', { id: { S: 'a' } }, { as: 'create' }, 'exists'],
    ['create over a deleted item', deleted, { as: 'create' }, 'condition'],
    ['another version', earlier, { as: 'update', ifVersion: '40.1.x' }, 'version'],
    ['the version, so something else', earlier, { as: 'update', ifVersion: '41.1.them' }, 'condition'],
    ['claim of an unfenced item', { id: { S: 'a' } }, { as: 'claim' }, 'unfenced'],
    ['unfenced, where those are refused', { id: { S: 'a' } }, { as: 'put', unfenced: 'refuse' }, 'unfenced'],
  ] as const)('%s: what is left to blame is the content', (_, item, options, wanted) => {
    expect(is(refusal(item), options)).toBe(wanted);
  });

  it('is believed rather than a later read: it is what the condition was judged on', () => {
    expect(is(refusal(newer), { as: 'put', item: earlier })).toBe('fenced');
  });

  it('with other names for the hidden attributes', () => {
    const attributes = { fence: 'f', holder: 'h', seq: 's', version: 'v' };
    const item = { id: { S: 'a' }, f: { N: '43' }, h: { S: 'them' }, s: { N: '1' }, _fence: { N: '1' } };
    expect(is(refusal(item), { as: 'put', attributes })).toBe('fenced');
  });
});

describe('a refusal that shows none', () => {
  it('needs a read', () => {
    expect(explain(refusal(), lease, { as: 'update' })).toEqual({ is: 'needs-read' });
  });

  it.each([
    ['nothing', null, { as: 'update' }, 'not-found'],
    ['nothing, where nothing is needed', null, { as: 'put' }, 'unexplained'],
    ['nothing, with a condition', null, { as: 'put', conditional: true }, 'not-found'],
    ['a newer fence', newer, { as: 'update' }, 'fenced'],
    ['an item that would not have been refused', earlier, { as: 'update' }, 'unexplained'],
    ['an item, with a condition', earlier, { as: 'update', conditional: true }, 'condition'],
    ['an item, for a delete with a condition', deleted, { as: 'delete', conditional: true }, 'not-found'],
    ['an item, for a delete', deleted, { as: 'delete' }, 'unexplained'],
    ['an item, for a claim', earlier, { as: 'claim', conditional: true }, 'unexplained'],
    ['an unfenced item, for a claim', { id: 'a' }, { as: 'claim' }, 'unfenced'],
    ['nothing, for a claim', null, { as: 'claim' }, 'unexplained'],
  ] as const)('after a read of %s', (_, item, options, wanted) => {
    expect(is(refusal(), { ...options, item })).toBe(wanted);
  });

  it.each([
    ['number', 43],
    ['bigint', 43n],
    ['NumberValue', { value: '43', type: 'NumberValue' }],
  ])('takes an item as the document client reads it: %s', (_, _fence) => {
    const item = { id: 'a', _fence, _fenceHolder: 'them', _fenceSeq: 1, _fenceVersion: '43.1.them' };
    expect(explain(refusal(), lease, { as: 'update', item })).toEqual({
      is: 'fenced',
      seen: { lastToken: 43, lastHolder: 'them' },
    });
    const ours = { ...item, _fence: 42, _fenceHolder: 'me', _fenceSeq: 5 };
    expect(is(refusal(), { as: 'update', item: ours })).toBe('applied');
  });

  it.each([
    ['text', '43'],
    ['null', null],
    ['a list', [43]],
    ['a truth', true],
  ])('a fence that is %s is damaged', (_, _fence) => {
    expect(is(refusal(), { as: 'update', item: { id: 'a', _fence } })).toBe('corrupt');
  });
});

describe('every state that an item can be in', () => {
  it.each(storedStates)('$what', ({ item, lease: admittedLease, bare: admittedBare }) => {
    for (const [kind, admitted] of [
      ['lease', admittedLease],
      ['numbered', admittedLease],
      ['bare', admittedBare],
    ] as const) {
      const verdict = explain(refusal(), stampOf(kind), { as: 'put', item: item ?? null });
      expect([kind, verdict.is]).toEqual([kind, admitted === true ? 'unexplained' : admitted]);
    }
  });
});

describe('a transaction', () => {
  const canceled = (...CancellationReasons: object[]) =>
    Object.assign(new Error('Transaction cancelled'), {
      name: 'TransactionCanceledException',
      CancellationReasons,
    });

  it('is explained action by action', () => {
    const error = canceled(
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Item: newer },
      { Code: 'ConditionalCheckFailed' },
      { Code: 'TransactionConflict' },
      {},
    );
    expect([0, 1, 2, 3, 4].map((index) => explain(error, lease, { as: 'update', index }))).toEqual([
      { is: 'not-refused', code: 'None' },
      { is: 'fenced', seen: { lastToken: 43, lastHolder: 'them' } },
      { is: 'needs-read' },
      { is: 'not-refused', code: 'TransactionConflict' },
      { is: 'not-refused', code: 'None' },
    ]);
    expect(is(error, { as: 'update', index: 2, item: null })).toBe('not-found');
  });

  it.each([undefined, 2, -1, 0.5])('has no action %s', (index) => {
    const options = { as: 'update', ...(index === undefined ? {} : { index }) } as const;
    const attempt = () => explain(canceled({ Code: 'None' }, { Code: 'None' }), lease, options);
    expect(attempt).toThrow(invalidInput('index', /no action of this transaction, which had 2/));
  });

  it('without reasons is not explained', () => {
    const error = Object.assign(new Error(), { name: 'TransactionCanceledException' });
    expect(() => explain(error, lease, { as: 'update', index: 0 })).toThrow(invalidInput('index', /had 0/));
  });
});

describe('what is no refusal', () => {
  it.each([
    Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' }),
    Object.assign(new Error(), { name: 'InternalServerError', $metadata: { httpStatusCode: 500 } }),
    Object.assign(new Error(), { name: 'ProvisionedThroughputExceededException' }),
    Object.assign(new Error(), { name: 'TransactionConflictException' }),
    new TypeError('mine'),
    'text',
    undefined,
  ])('is thrown on as it is: %s', (error) => {
    let thrown: unknown = 'nothing';
    try {
      explain(error, lease, { as: 'update', item: newer, index: 0 });
    } catch (caught) {
      thrown = caught;
    }
    expect(thrown).toBe(error);
  });

  it.each([
    { name: 'ConditionalCheckFailedException' },
    { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException' },
  ])('errors are told by name, whoever made them: %j', (error) => {
    expect(is(error, { as: 'update' })).toBe('needs-read');
  });
});
