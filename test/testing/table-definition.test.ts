import { expect, it } from 'vitest';
import { createTableInput } from '../../src/testing/table-definition.ts';

it('is the shortest table', () => {
  expect(createTableInput({ tableName: 'accounts', partitionKey: 'id' })).toEqual({
    TableName: 'accounts',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  });
});

it('is a table with a sort key, a global and a local index; shared keys are defined once', () => {
  const input = createTableInput({
    tableName: 'seats',
    partitionKey: 'show',
    sortKey: { name: 'row', type: 'N' },
    indexes: [
      {
        indexName: 'by-guest',
        partitionKey: 'guest',
        sortKey: 'show',
        projection: ['_fence', '_fenceVersion'],
      },
      { indexName: 'by-price', sortKey: { name: 'price', type: 'N' }, projection: 'keys-only' },
    ],
  });
  expect(input.KeySchema).toEqual([
    { AttributeName: 'show', KeyType: 'HASH' },
    { AttributeName: 'row', KeyType: 'RANGE' },
  ]);
  expect(input.AttributeDefinitions).toEqual([
    { AttributeName: 'show', AttributeType: 'S' },
    { AttributeName: 'row', AttributeType: 'N' },
    { AttributeName: 'guest', AttributeType: 'S' },
    { AttributeName: 'price', AttributeType: 'N' },
  ]);
  expect(input.GlobalSecondaryIndexes).toEqual([
    {
      IndexName: 'by-guest',
      KeySchema: [
        { AttributeName: 'guest', KeyType: 'HASH' },
        { AttributeName: 'show', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['_fence', '_fenceVersion'] },
    },
  ]);
  expect(input.LocalSecondaryIndexes).toEqual([
    {
      IndexName: 'by-price',
      KeySchema: [
        { AttributeName: 'show', KeyType: 'HASH' },
        { AttributeName: 'price', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ]);
});

it('leaves the input of a command alone', () => {
  const input = { TableName: 'plain', KeySchema: [], AttributeDefinitions: [] };
  expect(createTableInput(input)).toBe(input);
});
