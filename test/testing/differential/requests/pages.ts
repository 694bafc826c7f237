import { PutItemCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { n, type Request, requestsTo, type Scenario, s } from '../request.ts';

const tableName = 'pages';
const { put, update, remove, query, scan } = requestsTo(tableName);

const fill: Request[] = Array.from({ length: 20 }, (_, index) => ({
  title: `page item ${index}`,
  send: (client) =>
    client.send(
      new PutItemCommand({
        TableName: tableName,
        Item: {
          id: s('p'),
          at: n(index - 10),
          kind: s(index % 3 === 0 ? 'third' : 'other'),
          // Unique, so that the order in the index is defined.
          rank: n(100 - index),
          ...(index % 2 === 0 ? { label: s(`label-${String(index).padStart(2, '0')}`) } : {}),
        },
      }),
    ),
}));

const partition = { KeyConditionExpression: 'id = :p', ExpressionAttributeValues: { ':p': s('p') } };

const where = (
  title: string,
  condition: string,
  values: QueryCommandInput['ExpressionAttributeValues'] = {},
  rest: Partial<QueryCommandInput> = {},
) =>
  query(title, {
    KeyConditionExpression: `id = :p AND ${condition}`,
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':p': s('p'), ...values },
    ...rest,
  });

const byRank = {
  IndexName: 'by-rank',
  KeyConditionExpression: 'kind = :k',
  ExpressionAttributeValues: { ':k': s('third') },
};
const byLabel = {
  IndexName: 'by-label',
  KeyConditionExpression: 'id = :p AND begins_with(label, :l)',
  ExpressionAttributeValues: { ':p': s('p'), ':l': s('label-0') },
};

export const pages: Scenario = {
  table: {
    tableName,
    partitionKey: 'id',
    sortKey: { name: 'at', type: 'N' },
    indexes: [
      {
        indexName: 'by-rank',
        partitionKey: 'kind',
        sortKey: { name: 'rank', type: 'N' },
        projection: ['label'],
      },
      { indexName: 'by-label', sortKey: 'label' },
    ],
  },
  requests: [
    ...fill,
    query('query: the whole partition', partition),
    query('query: reverse', { ...partition, ScanIndexForward: false }),
    query('query: a page of 7', { ...partition, Limit: 7 }),
    query('query: the next page', { ...partition, Limit: 7, ExclusiveStartKey: { id: s('p'), at: n(-4) } }),
    query('query: the last page', { ...partition, Limit: 7, ExclusiveStartKey: { id: s('p'), at: n(3) } }),
    query('query: a page that just fits', { ...partition, Limit: 20 }),
    query('query: a page in reverse', { ...partition, Limit: 3, ScanIndexForward: false }),
    query('query: no such partition', { ...partition, ExpressionAttributeValues: { ':p': s('none') } }),
    query('query: counts', { ...partition, Select: 'COUNT' }),
    query('query: limit before filter', {
      ...partition,
      FilterExpression: 'kind = :k',
      ExpressionAttributeValues: { ':p': s('p'), ':k': s('third') },
      Limit: 5,
    }),
    query('query: filter on absence', {
      ...partition,
      FilterExpression: '(attribute_exists(label) OR attribute_not_exists(kind))',
    }),
    query('query: filter on a key', {
      ...partition,
      FilterExpression: '#at > :zero',
      ExpressionAttributeNames: { '#at': 'at' },
      ExpressionAttributeValues: { ':p': s('p'), ':zero': n(0) },
    }),
    query('query: projection', {
      ...partition,
      ProjectionExpression: '#at, label',
      ExpressionAttributeNames: { '#at': 'at' },
    }),
    query('query: capacity', { ...partition, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' }),
    where('query: sort key =', '#at = :v', { ':v': n('0.0') }),
    where('query: sort key <', '#at < :v', { ':v': n(-7) }),
    where('query: sort key >=', '#at >= :v', { ':v': n(8) }),
    where('query: sort key BETWEEN', '#at BETWEEN :v AND :w', { ':v': n(-1), ':w': n(1) }),
    where('query: sort key BETWEEN reversed', '#at BETWEEN :v AND :w', { ':v': n(1), ':w': n(-1) }),
    where('query: sort key of another type', '#at = :v', { ':v': s('0') }),
    where('query: sort key <>', '#at <> :v', { ':v': n(0) }),
    where('query: sort key with OR', '#at = :v OR #at = :w', { ':v': n(0), ':w': n(1) }),
    where(
      'query: reverse from a key',
      '#at > :v',
      { ':v': n(-9) },
      {
        ScanIndexForward: false,
        Limit: 4,
        ExclusiveStartKey: { id: s('p'), at: n(5) },
      },
    ),
    query('query: without the partition key', {
      KeyConditionExpression: '#at = :v',
      ExpressionAttributeNames: { '#at': 'at' },
      ExpressionAttributeValues: { ':v': n(0) },
    }),
    query('query: an attribute that is no key', {
      KeyConditionExpression: 'kind = :k',
      ExpressionAttributeValues: { ':k': s('third') },
    }),
    query('query: limit 0', { ...partition, Limit: 0 }),
    query('query: a start key of another shape', { ...partition, ExclusiveStartKey: { id: s('p') } }),

    query('global index: in order', byRank),
    query('global index: a page', { ...byRank, Limit: 2 }),
    query('global index: the next page', {
      ...byRank,
      Limit: 2,
      ExclusiveStartKey: { kind: s('third'), rank: n(85), id: s('p'), at: n(5) },
    }),
    query('global index: consistent', { ...byRank, ConsistentRead: true }),
    query('local index: sparse', byLabel),
    query('local index: consistent', { ...byLabel, ConsistentRead: true }),
    query('no such index', { ...byRank, IndexName: 'nope' }),
    update(
      'index key moves',
      { id: s('p'), at: n(-10) },
      {
        UpdateExpression: 'SET kind = :k, label = :l',
        ExpressionAttributeValues: { ':k': s('other'), ':l': s('label-0x') },
      },
    ),
    update('index key goes', { id: s('p'), at: n(-8) }, { UpdateExpression: 'REMOVE label' }),
    update(
      'index key of another type',
      { id: s('p'), at: n(-7) },
      {
        UpdateExpression: 'SET #r = :s',
        ExpressionAttributeNames: { '#r': 'rank' },
        ExpressionAttributeValues: { ':s': s('x') },
      },
    ),
    put('index key of another type, put', { id: s('p'), at: n(-7), label: n(1) }),
    remove('indexed item goes', { id: s('p'), at: n(-4) }),
    query('global index: afterwards', byRank),
    query('local index: afterwards', byLabel),

    scan('scan: all'),
    scan('scan: filter', { FilterExpression: 'kind = :k', ExpressionAttributeValues: { ':k': s('third') } }),
    scan('scan: counts', { Select: 'COUNT' }),
    scan('scan: an index', { IndexName: 'by-label' }),
    scan('scan: a segment out of range', { Segment: 2, TotalSegments: 2 }),
    scan('scan: a segment without a total', { Segment: 0 }),
  ],
};
