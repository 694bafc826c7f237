import { n, requestsTo, type Scenario, s, transactWrite } from '../request.ts';

const TableName = 'tokens';
const { get } = requestsTo(TableName);

const add = (id: string, amount: number) => [
  {
    Update: {
      TableName,
      Key: { id: s(id) },
      UpdateExpression: 'ADD balance :d',
      ExpressionAttributeValues: { ':d': n(amount) },
    },
  },
];
const refused = [
  { ConditionCheck: { TableName, Key: { id: s('none') }, ConditionExpression: 'attribute_exists(id)' } },
  ...add('c', 1),
];

export const tokens: Scenario = {
  table: { tableName: TableName, partitionKey: 'id' },
  requests: [
    transactWrite('token: first', add('a', 1), { ClientRequestToken: 'one' }),
    transactWrite('token: again', add('a', 1), { ClientRequestToken: 'one' }),
    get('token: applied once', 'a'),
    transactWrite('token: again, with the cost', add('a', 1), {
      ClientRequestToken: 'one',
      ReturnConsumedCapacity: 'TOTAL',
    }),
    transactWrite('token: again, with another amount', add('a', 2), { ClientRequestToken: 'one' }),
    transactWrite('token: again, for another item', add('b', 1), { ClientRequestToken: 'one' }),
    get('token: still applied once', 'a'),
    transactWrite('token: another', add('a', 1), { ClientRequestToken: 'two' }),
    get('token: applied twice', 'a'),
    transactWrite('token: a refusal', refused, { ClientRequestToken: 'three' }),
    transactWrite('token: a refusal is not remembered', add('c', 1), { ClientRequestToken: 'three' }),
    get('token: after the refusal', 'c'),
    transactWrite('token: 36 characters', add('d', 1), { ClientRequestToken: 'x'.repeat(36) }),
    transactWrite('token: 37 characters', add('d', 1), { ClientRequestToken: 'x'.repeat(37) }),
    transactWrite('token: none, twice', add('e', 1)),
    transactWrite('token: none, twice (2)', add('e', 1)),
    get('token: none applies twice', 'e'),
  ],
};
