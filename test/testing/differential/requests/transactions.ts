import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { m, n, requestsTo, type Scenario, s, transactGet, transactWrite } from '../request.ts';

const TableName = 'transactions';
const { put, get, query } = requestsTo(TableName);

type Extra = { ConditionExpression?: string; ExpressionAttributeValues?: Record<string, AttributeValue> };
const shows = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
const key = (id: string) => ({ id: s(id) });
const Put = (id: string, extra: Extra & Partial<typeof shows> = {}, members = {}): TransactWriteItem => ({
  Put: { TableName, Item: { id: s(id), ...members }, ...extra },
});
const Delete = (id: string, extra: Extra & Partial<typeof shows> = {}): TransactWriteItem => ({
  Delete: { TableName, Key: key(id), ...extra },
});
const Add = (id: string, amount: number, condition?: string): TransactWriteItem => ({
  Update: {
    TableName,
    Key: key(id),
    UpdateExpression: 'ADD balance :d',
    ...(condition === undefined ? {} : { ConditionExpression: condition }),
    ExpressionAttributeValues: { ':d': n(amount) },
    ...shows,
  },
});
const Check = (
  id: string,
  condition: string,
  values?: Record<string, AttributeValue>,
): TransactWriteItem => ({
  ConditionCheck: {
    TableName,
    Key: key(id),
    ConditionExpression: condition,
    ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
    ...shows,
  },
});
const Get = (id: string, ProjectionExpression?: string) => ({
  Get: { TableName, Key: key(id), ...(ProjectionExpression === undefined ? {} : { ProjectionExpression }) },
});

const both = transactGet('transaction: both accounts', [Get('a'), Get('b')]);
const afterwards = (title: string) => ({ ...both, title: `${title}, afterwards` });
const large = s('x'.repeat(390_000));

export const transactions: Scenario = {
  table: {
    tableName: TableName,
    partitionKey: 'id',
    indexes: [{ indexName: 'by-owner', partitionKey: 'holder', sortKey: 'id' }],
  },
  requests: [
    transactWrite('transaction: two puts', [
      Put('a', {}, { balance: n(100), holder: s('ann') }),
      Put('b', {}, { balance: n(100), holder: s('bob') }),
    ]),
    both,
    transactWrite('transaction: a transfer', [Add('a', -30), Add('b', 30)]),
    afterwards('transaction: a transfer'),
    transactWrite('transaction: refused by one', [Add('a', -30), Add('b', 30, 'balance < :d')]),
    afterwards('transaction: refused by one'),
    transactWrite('transaction: refused by both', [
      Add('a', -30, 'balance < :d'),
      Add('b', 30, 'balance < :d'),
    ]),
    transactWrite('transaction: the item only where it is asked for', [
      Put('a', { ConditionExpression: 'attribute_not_exists(id)' }),
      Put('b', { ConditionExpression: 'attribute_not_exists(id)', ...shows }),
      Put('none', { ConditionExpression: 'attribute_exists(id)', ...shows }),
      Put('c'),
    ]),
    transactWrite('transaction: every kind of action', [
      Put('c', { ConditionExpression: 'attribute_not_exists(id)' }, { v: m({ x: n(1) }) }),
      Add('d', 1),
      Delete('none'),
      Check('a', 'balance > :z', { ':z': n(0) }),
    ]),
    get('transaction: its put', 'c'),
    get('transaction: its update', 'd'),
    transactWrite('transaction: a check fails', [
      Add('d', 1),
      Check('a', 'balance > :z', { ':z': n(1_000) }),
    ]),
    transactWrite('transaction: a check on nothing', [
      Check('none', 'attribute_not_exists(id)'),
      Add('d', 1),
    ]),
    get('transaction: a check stores nothing', 'none'),
    transactWrite('transaction: checks alone', [
      Check('a', 'attribute_exists(id)'),
      Check('none', 'attribute_exists(id)'),
    ]),
    transactWrite('transaction: a condition on a map', [
      Check('c', 'v = :v', { ':v': m({ x: n('1.0') }) }),
      Delete('d', { ConditionExpression: 'balance = :b', ExpressionAttributeValues: { ':b': n(2) } }),
    ]),
    get('transaction: its delete', 'd'),

    transactWrite('transaction: index keys move', [
      {
        Update: {
          TableName,
          Key: key('a'),
          UpdateExpression: 'SET holder = :h',
          ExpressionAttributeValues: { ':h': s('bob') },
        },
      },
      Put('e', {}, { holder: s('bob') }),
    ]),
    query('transaction: the index follows', {
      IndexName: 'by-owner',
      KeyConditionExpression: 'holder = :h',
      ExpressionAttributeValues: { ':h': s('bob') },
    }),
    transactWrite('transaction: index keys stay', [
      { Update: { TableName, Key: key('a'), UpdateExpression: 'REMOVE holder' } },
      Check('none', 'attribute_exists(id)'),
    ]),
    query('transaction: the index does not follow what failed', {
      IndexName: 'by-owner',
      KeyConditionExpression: 'holder = :h',
      ExpressionAttributeValues: { ':h': s('bob') },
    }),

    transactWrite('transaction: empty', []),
    transactWrite(
      'transaction: 100 puts',
      Array.from({ length: 100 }, (_, index) => Put(`many-${index}`)),
    ),
    transactWrite(
      'transaction: 101 puts',
      Array.from({ length: 101 }, (_, index) => Put(`more-${index}`)),
    ),
    get('transaction: 101 puts stored nothing', 'more-0'),
    transactWrite('transaction: one item twice', [Add('a', 1), Check('a', 'attribute_exists(id)')]),
    transactWrite('transaction: two actions in one member', [{ ...Put('two'), ...Delete('three') }]),
    transactWrite('transaction: a member without an action', [{}]),
    transactWrite('transaction: no such table', [
      Add('a', 1),
      { Delete: { TableName: 'no-such-table', Key: key('a') } },
    ]),
    transactWrite('transaction: a key of another shape', [
      Add('a', 1),
      { Delete: { TableName, Key: { nope: s('a') } } },
    ]),
    transactWrite('transaction: a key of another type', [
      Add('a', 1),
      { Put: { TableName, Item: { id: n(1) } } },
    ]),
    transactWrite('transaction: a missing operand', [
      Add('a', 1),
      { Update: { TableName, Key: key('b'), UpdateExpression: 'SET x = nope' } },
    ]),
    transactWrite('transaction: a text is added to', [
      {
        Update: {
          TableName,
          Key: key('a'),
          UpdateExpression: 'ADD holder :n',
          ExpressionAttributeValues: { ':n': n(1) },
        },
      },
      Check('b', 'attribute_not_exists(id)'),
    ]),
    transactWrite('transaction: the key is updated', [
      {
        Update: {
          TableName,
          Key: key('a'),
          UpdateExpression: 'SET id = :n',
          ExpressionAttributeValues: { ':n': n(1) },
        },
      },
    ]),
    transactWrite('transaction: an expression without sense', [Add('a', 1), Check('b', 'balance balance')]),
    transactWrite('transaction: an unused value', [Check('b', 'attribute_exists(id)', { ':unused': n(1) })]),
    transactWrite('transaction: an update without an expression', [
      { Update: { TableName, Key: key('a') } as unknown as TransactWriteItem['Update'] },
    ]),
    transactWrite('transaction: a check without a condition', [
      { ConditionCheck: { TableName, Key: key('a') } as unknown as TransactWriteItem['ConditionCheck'] },
    ]),
    transactWrite('transaction: an illegal ReturnValuesOnConditionCheckFailure', [
      { Put: { TableName, Item: key('a'), ReturnValuesOnConditionCheckFailure: 'ALL_NEW' as 'ALL_OLD' } },
    ]),
    transactWrite('transaction: an item too large', [Put('big', {}, { v: s('x'.repeat(410_000)) })]),
    transactWrite(
      'transaction: more than 4 MB',
      Array.from({ length: 11 }, (_, index) => Put(`big-${index}`, {}, { v: large })),
    ),
    get('transaction: more than 4 MB stored nothing', 'big-0'),
    transactWrite('transaction: capacity', [Add('a', 1), Add('b', -1)], { ReturnConsumedCapacity: 'TOTAL' }),
    transactWrite('transaction: capacity in detail', [Put('f'), Check('a', 'attribute_exists(id)')], {
      ReturnConsumedCapacity: 'INDEXES',
    }),

    put('transaction get: the item', { id: s('g'), x: n(1), y: n(2) }),
    transactGet('transaction get: present and absent', [Get('g'), Get('none')]),
    transactGet('transaction get: projection', [Get('g', 'x'), Get('a', 'balance')]),
    transactGet('transaction get: capacity', [Get('g'), Get('none')], { ReturnConsumedCapacity: 'TOTAL' }),
    transactGet('transaction get: empty', []),
    transactGet('transaction get: one item twice', [Get('g'), Get('g', 'x')]),
    transactGet('transaction get: a member without an action', [{} as ReturnType<typeof Get>]),
    transactGet('transaction get: no such table', [
      Get('g'),
      { Get: { TableName: 'no-such-table', Key: key('a') } },
    ]),
    transactGet('transaction get: a key of another shape', [
      Get('g'),
      { Get: { TableName, Key: { nope: s('a') } } },
    ]),
    transactGet('transaction get: an expression without sense', [Get('g', 'x y')]),
    transactGet(
      'transaction get: 101 items',
      Array.from({ length: 101 }, (_, index) => Get(`many-${index}`)),
    ),
  ],
};
