import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { l, m, n, type Request, requestsTo, type Scenario, s } from '../request.ts';

const TableName = 'errors';
const { put, update, remove, get } = requestsTo(TableName);
const elsewhere = requestsTo('no-such-table');

const definition = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
} satisfies CreateTableCommandInput;

// A description has dates and identifiers: whether it was answered is what counts here.
const outcome =
  (send: Request['send']): Request['send'] =>
  async (client) => {
    await send(client);
    return {};
  };

const ttl = (
  title: string,
  Enabled: boolean,
  AttributeName: string,
  tableName: string = TableName,
): Request => ({
  title,
  send: (client) =>
    client.send(
      new UpdateTimeToLiveCommand({
        TableName: tableName,
        TimeToLiveSpecification: { Enabled, AttributeName },
      }),
    ),
});
const ttlNow = (title: string, tableName: string = TableName): Request => ({
  title,
  send: (client) => client.send(new DescribeTimeToLiveCommand({ TableName: tableName })),
});

/** A text inside this many lists. */
const nested = (lists: number): AttributeValue =>
  Array.from({ length: lists }).reduce<AttributeValue>((inner) => l(inner), s('x'));
const sized = (id: string, bytes: number) => ({
  id: s(id),
  v: s('x'.repeat(bytes - 'id'.length - id.length - 'v'.length)),
});

export const errors: Scenario = {
  table: { tableName: TableName, partitionKey: 'id' },
  requests: [
    elsewhere.put('no such table: put', { id: s('a') }),
    elsewhere.update('no such table: update', 'a', {}),
    elsewhere.remove('no such table: delete', 'a'),
    elsewhere.get('no such table: get', 'a'),
    elsewhere.scan('no such table: scan'),
    put('key: missing', { v: n(1) }),
    put('key: of another type', { id: n(1) }),
    put('key: empty', { id: s('') }),
    put('key: 2,048 bytes', { id: s('k'.repeat(2_048)) }),
    put('key: 2,049 bytes', { id: s('k'.repeat(2_049)) }),
    get('key: of another type, get', { id: n(1) }),
    get('key: one too many, get', { id: s('a'), x: s('b') }),
    get('key: of another name, get', { nope: s('a') }),
    update('key: of another type, update', { id: n(1) }, { UpdateExpression: 'REMOVE a' }),
    remove('key: of another type, delete', { id: n(1) }),
    put('item: 400 KB', sized('large', 409_600)),
    put('item: 400 KB and a byte', sized('large', 409_601)),
    put('item: text counts in UTF-8', { id: s('u'), v: s('é'.repeat(204_800)) }),
    put('item: just fits', sized('grows', 409_600 - 10)),
    update('item: grows too large', 'grows', {
      UpdateExpression: 'SET more = :m',
      ExpressionAttributeValues: { ':m': s('0123456789') },
    }),
    put('item: 32 levels', { id: s('deep'), v: nested(31) }),
    put('item: 33 levels', { id: s('deep'), v: nested(32) }),
    update('item: grows to 33 levels', 'deep', {
      UpdateExpression: 'SET v = :v',
      ExpressionAttributeValues: { ':v': nested(32) },
    }),
    put('item: an empty set', { id: s('set'), v: { SS: [] } }),
    put('item: a set with the same text twice', { id: s('set'), v: { SS: ['a', 'a'] } }),
    put('item: a null that is false', { id: s('nil'), v: { NULL: false } as unknown as AttributeValue }),
    put('item: an empty name', { id: s('name'), '': n(1) }),
    put('item: empty text in a map', { id: s('empty'), v: m({ a: s('') }) }),
    put(
      'parameters: old and new style',
      { id: s('a') },
      {
        Expected: { v: { Exists: false } },
        ConditionExpression: 'attribute_not_exists(id)',
      },
    ),
    put(
      'parameters: values without an expression',
      { id: s('a') },
      { ExpressionAttributeValues: { ':v': n(1) } },
    ),
    put(
      'parameters: names without an expression',
      { id: s('a') },
      { ExpressionAttributeNames: { '#v': 'v' } },
    ),
    put('parameters: an illegal ReturnValues', { id: s('a') }, { ReturnValues: 'SOME' as 'NONE' }),
    put('old style: expected absent', { id: s('old') }, { Expected: { id: { Exists: false } } }),
    put('old style: expected absent, present', { id: s('old') }, { Expected: { id: { Exists: false } } }),
    put(
      'old style: expected greater',
      { id: s('old'), v: n(5) },
      {
        Expected: { v: { ComparisonOperator: 'GT', AttributeValueList: [n(1)] } },
      },
    ),

    {
      title: 'batch: writes',
      send: (client) =>
        client.send(
          new BatchWriteItemCommand({
            RequestItems: {
              [TableName]: [
                { PutRequest: { Item: { id: s('b1') } } },
                { DeleteRequest: { Key: { id: s('b2') } } },
              ],
            },
          }),
        ),
    },
    {
      title: 'batch: one item twice',
      send: (client) =>
        client.send(
          new BatchWriteItemCommand({
            RequestItems: {
              [TableName]: [
                { PutRequest: { Item: { id: s('b1') } } },
                { DeleteRequest: { Key: { id: s('b1') } } },
              ],
            },
          }),
        ),
    },
    {
      title: 'batch: 26 writes',
      send: (client) =>
        client.send(
          new BatchWriteItemCommand({
            RequestItems: {
              [TableName]: Array.from({ length: 26 }, (_, index) => ({
                PutRequest: { Item: { id: s(`w${index}`) } },
              })),
            },
          }),
        ),
    },
    {
      title: 'batch: reads',
      send: (client) =>
        client.send(
          new BatchGetItemCommand({
            RequestItems: { [TableName]: { Keys: [{ id: s('b1') }, { id: s('none') }] } },
          }),
        ),
    },
    {
      title: 'batch: one key twice',
      send: (client) =>
        client.send(
          new BatchGetItemCommand({
            RequestItems: { [TableName]: { Keys: [{ id: s('b1') }, { id: s('b1') }] } },
          }),
        ),
    },

    {
      title: 'table: exists already',
      send: outcome((client) => client.send(new CreateTableCommand(definition))),
    },
    {
      title: 'table: a key without a definition',
      send: outcome((client) =>
        client.send(
          new CreateTableCommand({ ...definition, TableName: 'errors-2', AttributeDefinitions: [] }),
        ),
      ),
    },
    {
      title: 'table: describe',
      send: outcome((client) => client.send(new DescribeTableCommand({ TableName }))),
    },
    {
      title: 'table: describe nothing',
      send: outcome((client) => client.send(new DescribeTableCommand({ TableName: 'no-such-table' }))),
    },
    {
      title: 'table: delete nothing',
      send: outcome((client) => client.send(new DeleteTableCommand({ TableName: 'no-such-table' }))),
    },

    {
      title: 'table: a new index, billed per request',
      send: outcome((client) =>
        client.send(
          new UpdateTableCommand({
            TableName,
            AttributeDefinitions: [{ AttributeName: 'kind', AttributeType: 'S' }],
            GlobalSecondaryIndexUpdates: [
              {
                Create: {
                  IndexName: 'by-kind',
                  KeySchema: [{ AttributeName: 'kind', KeyType: 'HASH' }],
                  Projection: { ProjectionType: 'ALL' },
                },
              },
            ],
          }),
        ),
      ),
    },

    ttlNow('time to live: at first'),
    ttl('time to live: enable', true, 'expires'),
    ttlNow('time to live: enabled'),
    ttl('time to live: enable again', true, 'expires'),
    ttl('time to live: enable another attribute', true, 'other'),
    ttl('time to live: disable', false, 'expires'),
    ttlNow('time to live: disabled'),
    ttl('time to live: disable again', false, 'expires'),
    ttl('time to live: no attribute', true, ''),
    ttl('time to live: no such table', true, 'expires', 'no-such-table'),
    ttlNow('time to live: no such table, describe', 'no-such-table'),

    { title: 'table: delete', send: outcome((client) => client.send(new DeleteTableCommand({ TableName }))) },
    get('table: deleted', 'a'),
  ],
};
