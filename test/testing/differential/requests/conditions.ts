import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { b, l, m, n, nothing, type Request, requestsTo, type Scenario, s, yes } from '../request.ts';

const { put, update, remove, scan } = requestsTo('conditions');

const item = {
  id: s('i'),
  fence: n(9),
  mistyped: s('9'),
  nil: nothing,
  text: s('hello world'),
  bytes: b('hello'),
  truth: yes,
  list: l(n(1), s('a'), m({ x: n(1) })),
  map: m({ a: n(1), l: l(s('x'), { SS: ['p', 'q'] }) }),
  emptyMap: m({}),
  emptyList: l(),
  tags: { SS: ['x', 'y'] },
  numbers: { NS: ['1', '2'] },
};

const names: Record<string, string> = { '#l': 'list', '#m': 'map', '#t': 'text', '#b': 'bytes' };

/** Whether a condition holds on the item: asked by an update that changes nothing that matters. */
const holds = (ConditionExpression: string, values: Record<string, AttributeValue> = {}): Request => {
  const used = Object.entries(names).filter(([alias]) => ConditionExpression.includes(alias));
  return update(ConditionExpression, 'i', {
    UpdateExpression: 'SET touched = :touched',
    ConditionExpression,
    ExpressionAttributeValues: { ':touched': yes, ...values },
    ...(used.length > 0 ? { ExpressionAttributeNames: Object.fromEntries(used) } : {}),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
};

const fences = ['8', '9', '10', '9.0'].flatMap((value) =>
  ['=', '<>', '<', '<=', '>', '>='].map((operator) => ({
    ...holds(`fence ${operator} :f`, { ':f': n(value) }),
    title: `fence ${operator} ${value}`,
  })),
);

const documents: [string, Record<string, AttributeValue>][] = [
  ['#m = :same', { ':same': m({ l: l(s('x'), { SS: ['q', 'p'] }), a: n('1.0') }) }],
  ['#m = :other', { ':other': m({ a: n(1) }) }],
  ['#m <> :same2', { ':same2': m({ a: n(1), l: l(s('x'), { SS: ['p', 'q'] }) }) }],
  ['#m <> :other2', { ':other2': m({}) }],
  ['emptyMap = :none', { ':none': m({}) }],
  ['emptyList = :none', { ':none': l() }],
  ['emptyList = :map', { ':map': m({}) }],
  ['#l = :list', { ':list': l(n(1), s('a'), m({ x: n(1) })) }],
  ['#l = :order', { ':order': l(s('a'), n(1), m({ x: n(1) })) }],
  ['NOT #l = :list2', { ':list2': l(n(1), s('a'), m({ x: n(1) })) }],
  ['#l IN (:no, :list3)', { ':no': n(1), ':list3': l(n(1), s('a'), m({ x: n(1) })) }],
  ['emptyMap IN (:no, :list3)', { ':no': n(1), ':list3': m({ x: n(1) }) }],
  ['contains(#l, :map)', { ':map': m({ x: n(1) }) }],
  ['contains(#l, :map2)', { ':map2': m({ x: n(2) }) }],
  ['contains(#l, :truth)', { ':truth': yes }],
  ['#m.l[0] = :x', { ':x': s('x') }],
  ['#m.l = :l', { ':l': l(s('x'), { SS: ['p', 'q'] }) }],
  ['(fence = :f OR #m = :m) AND attribute_exists(id)', { ':f': n(1), ':m': m({}) }],
  ['nope = :m', { ':m': m({}) }],
  ['nope <> :m', { ':m': m({}) }],
];

const others: [string, Record<string, AttributeValue>?][] = [
  ['attribute_exists(fence)'],
  ['attribute_not_exists(fence)'],
  ['attribute_exists(nope)'],
  ['attribute_not_exists(nope)'],
  ['attribute_exists(nil)'],
  ['attribute_not_exists(#m.a)'],
  ['attribute_exists(#l[2].x)'],
  ['attribute_exists(#l[7])'],
  ['attribute_type(fence, :t)', { ':t': s('N') }],
  ['attribute_type(mistyped, :t)', { ':t': s('N') }],
  ['attribute_type(nope, :t)', { ':t': s('N') }],
  ['attribute_type(fence, :wrong)', { ':wrong': s('Z') }],
  ['mistyped <= :n', { ':n': n(10) }],
  ['mistyped <> :n', { ':n': n(9) }],
  ['nil <= :n', { ':n': n(10) }],
  ['nope < :n', { ':n': n(10) }],
  ['nope <> :n', { ':n': n(10) }],
  ['NOT nope > :n', { ':n': n(10) }],
  ['NOT mistyped > :n', { ':n': n(1) }],
  ['fence BETWEEN :a AND :b', { ':a': n(8), ':b': n(10) }],
  ['fence BETWEEN :b AND :a', { ':a': n(8), ':b': n(10) }],
  ['fence BETWEEN :a AND :t', { ':a': n(8), ':t': s('x') }],
  ['fence IN (:a, :b)', { ':a': n(8), ':b': n(9) }],
  ['fence IN (:a, :b, :c)', { ':a': n(8), ':b': s('9'), ':c': n(10) }],
  ['begins_with(#t, :p)', { ':p': s('hello') }],
  ['begins_with(#t, :q)', { ':q': s('world') }],
  ['begins_with(#b, :p)', { ':p': b('hel') }],
  ['begins_with(fence, :p)', { ':p': s('9') }],
  ['contains(#t, :p)', { ':p': s('o w') }],
  ['contains(tags, :p)', { ':p': s('x') }],
  ['contains(numbers, :p)', { ':p': n('1.0') }],
  ['contains(#l, :p)', { ':p': s('a') }],
  ['contains(fence, :p)', { ':p': s('9') }],
  ['contains(nope, :p)', { ':p': s('9') }],
  ['size(#t) = :p', { ':p': n(11) }],
  ['size(#b) = :p', { ':p': n(5) }],
  ['size(#l) = :p', { ':p': n(3) }],
  ['size(tags) > :p', { ':p': n(1) }],
  ['size(emptyMap) = :p', { ':p': n(0) }],
  ['size(fence) = :p', { ':p': n(1) }],
  ['size(nope) = :p', { ':p': n(0) }],
  ['tags = :set', { ':set': { SS: ['y', 'x'] } }],
  ['tags = :set2', { ':set2': { SS: ['y'] } }],
  ['truth = :true', { ':true': yes }],
  ['nil = :nil', { ':nil': nothing }],
  ['#b > :p', { ':p': b('hella') }],
  ['#t < :p', { ':p': s('hello wörld') }],
  ['fence = :a OR fence = :b AND nope = :b', { ':a': n(9), ':b': n(1) }],
  ['(fence = :a OR fence = :b) AND nope = :b', { ':a': n(9), ':b': n(1) }],
  ['NOT fence = :a AND fence = :b', { ':a': n(1), ':b': n(9) }],
  ['NOT (fence = :a AND fence = :b)', { ':a': n(1), ':b': n(9) }],
  [':a < fence', { ':a': n(1) }],
  ['fence = mistyped'],
  ['size(tags) = size(numbers)'],
  ['attribute_exists(:a)', { ':a': n(1) }],
  ['fence', {}],
  ['fence = :nope'],
  ['(fence = :a', { ':a': n(9) }],
  ['unknown(fence)'],
  ['status = :a', { ':a': n(9) }],
  ['_fence = :a', { ':a': n(9) }],
  ['fence == :a', { ':a': n(9) }],
  ['fence in (:a)', { ':a': n(9) }],
  ['', {}],
];

export const conditions: Scenario = {
  table: { tableName: 'conditions', partitionKey: 'id' },
  requests: [
    put('conditions: the item', item),
    ...fences,
    ...documents.map(([condition, values]) => holds(condition, values)),
    ...others.map(([condition, values]) => holds(condition, values)),
    scan('filter: a number in a list', {
      FilterExpression: 'contains(#l, :one)',
      ExpressionAttributeNames: { '#l': 'list' },
      ExpressionAttributeValues: { ':one': n(1) },
    }),
    scan('filter: a whole map', {
      FilterExpression: 'emptyMap = :none',
      ExpressionAttributeValues: { ':none': m({}) },
    }),
    put('create-if-absent, present', item, {
      ConditionExpression: 'attribute_not_exists(id)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    put('create-if-absent, absent', { id: s('new') }, { ConditionExpression: 'attribute_not_exists(id)' }),
    put('refused without asking for the item', item, { ConditionExpression: 'attribute_not_exists(id)' }),
    put(
      'refused, nothing there',
      { id: s('none') },
      {
        ConditionExpression: 'attribute_exists(id)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    ),
    update('refused update leaves no ghost', 'ghost', {
      UpdateExpression: 'SET a = :a',
      ConditionExpression: 'a = :a',
      ExpressionAttributeValues: { ':a': n(1) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    remove('refused delete', 'i', {
      ConditionExpression: 'fence > :f',
      ExpressionAttributeValues: { ':f': n(9) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    remove('delete under a condition on nothing', 'none', {
      ConditionExpression: 'attribute_not_exists(fence)',
    }),
    remove('delete under a condition', 'i', {
      ConditionExpression: 'fence <= :f',
      ExpressionAttributeValues: { ':f': n(9) },
    }),
    put(
      'an illegal ReturnValuesOnConditionCheckFailure',
      { id: s('i') },
      {
        ReturnValuesOnConditionCheckFailure: 'ALL_NEW' as 'ALL_OLD',
      },
    ),
  ],
};
