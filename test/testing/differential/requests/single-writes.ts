import { b, l, m, n, nothing, requestsTo, type Scenario, s, yes } from '../request.ts';

const { put, update, remove, get } = requestsTo('single-writes');

const everyType = {
  id: s('types'),
  text: s('é😀'),
  empty: s(''),
  number: n('-1.50'),
  bytes: b('\u0000\u00ff'),
  truth: yes,
  nothing,
  map: m({ inner: m({ list: l(n(1), s('a'), m({})) }) }),
  emptyMap: m({}),
  emptyList: l(),
  texts: { SS: ['b', 'a'] },
  numbers: { NS: ['3', '1.0', '2'] },
  blobs: { BS: [Buffer.from('x'), Buffer.from('y')] },
};

export const singleWrites: Scenario = {
  table: { tableName: 'single-writes', partitionKey: 'id' },
  requests: [
    put('put: new', { id: s('a'), v: n(1) }),
    put('put: replaces', { id: s('a'), w: n(2) }),
    get('put: read back', 'a'),
    put('put: old image', { id: s('a'), x: n(3) }, { ReturnValues: 'ALL_OLD' }),
    put('put: old image of nothing', { id: s('b') }, { ReturnValues: 'ALL_OLD' }),
    put('put: new image is not offered', { id: s('b') }, { ReturnValues: 'ALL_NEW' }),
    put('put: updated image is not offered', { id: s('b') }, { ReturnValues: 'UPDATED_OLD' }),
    put('put: every type', everyType),
    get('put: every type read back', 'types'),
    put('put: capacity', { id: s('cost') }, { ReturnConsumedCapacity: 'TOTAL' }),
    put(
      'put: capacity of 3 KB',
      { id: s('cost'), v: s('x'.repeat(2_500)) },
      { ReturnConsumedCapacity: 'TOTAL' },
    ),
    put('put: capacity of the larger image', { id: s('cost') }, { ReturnConsumedCapacity: 'INDEXES' }),

    update('update: creates', 'u', {
      UpdateExpression: 'SET a = :one',
      ExpressionAttributeValues: { ':one': n(1) },
    }),
    update('update: no change asked for creates', 'bare', {}),
    get('update: no change read back', 'bare'),
    update('update: only REMOVE on nothing', 'ghost', { UpdateExpression: 'REMOVE a' }),
    get('update: only REMOVE read back', 'ghost'),
    update('update: only DELETE on nothing', 'ghost', {
      UpdateExpression: 'DELETE a :set',
      ExpressionAttributeValues: { ':set': { SS: ['x'] } },
    }),
    get('update: only DELETE read back', 'ghost'),
    ...(['NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW'] as const).map((ReturnValues) =>
      update(`update: ${ReturnValues}`, 'u', {
        UpdateExpression: 'SET a = a + :one, b = :text',
        ExpressionAttributeValues: { ':one': n(1), ':text': s(ReturnValues) },
        ReturnValues,
      }),
    ),
    update('update: UPDATED_NEW of a removal', 'u', {
      UpdateExpression: 'REMOVE b',
      ReturnValues: 'UPDATED_NEW',
    }),
    update('update: UPDATED_OLD of what was not there', 'u', {
      UpdateExpression: 'SET fresh = :one',
      ExpressionAttributeValues: { ':one': n(1) },
      ReturnValues: 'UPDATED_OLD',
    }),
    update('update: the key', 'u', {
      UpdateExpression: 'SET id = :x',
      ExpressionAttributeValues: { ':x': s('x') },
    }),
    update('update: capacity', 'u', {
      UpdateExpression: 'SET a = :one',
      ExpressionAttributeValues: { ':one': n(1) },
      ReturnConsumedCapacity: 'TOTAL',
    }),

    remove('delete: nothing', 'none'),
    remove('delete: old image of nothing', 'none', { ReturnValues: 'ALL_OLD' }),
    remove('delete: old image', 'u', { ReturnValues: 'ALL_OLD' }),
    remove('delete: new image is not offered', 'b', { ReturnValues: 'ALL_NEW' }),
    remove('delete: gone', 'b'),
    get('delete: read back', 'b'),
    remove('delete: capacity', 'cost', { ReturnConsumedCapacity: 'TOTAL' }),

    get('get: nothing', 'none'),
    get('get: consistent', 'a', { ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' }),
    get('get: eventual', 'a', { ReturnConsumedCapacity: 'TOTAL' }),
    get('get: projection', 'types', {
      ProjectionExpression: '#m.#i.#l[1], texts',
      ExpressionAttributeNames: { '#m': 'map', '#i': 'inner', '#l': 'list' },
    }),
    get('get: projection of nothing there', 'a', { ProjectionExpression: 'missing' }),
    get('get: overlapping projection', 'types', {
      ProjectionExpression: '#m, #m.x',
      ExpressionAttributeNames: { '#m': 'map' },
    }),
  ],
};
