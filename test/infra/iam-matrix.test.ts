import { Stack } from 'aws-cdk-lib';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import { FencedTable } from '../../infra/constructs/fenced-table.ts';
import { LeaseTable } from '../../infra/constructs/lease-table.ts';
import { fence } from '../../src/index.ts';
import { claimInput, entomb, guard, nextStamp } from '../../src/kernel.ts';
import { iamOf, type TestRequest } from './iam.ts';
import { offlineApp } from './offline-app.ts';

const app = offlineApp();
const stack = new Stack(app, 'Stack');
const items = new FencedTable(stack, 'Items', {
  partitionKey: { name: 'id', type: AttributeType.STRING },
  globalSecondaryIndexes: [
    { indexName: 'owner', partitionKey: { name: 'owner', type: AttributeType.STRING } },
  ],
});
const leases = new LeaseTable(stack, 'Leases');
const role = (id: string) => new Role(stack, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
const roles = {
  writer: role('Writer'),
  // Was granted everything besides, by a hand that meant well.
  wide: role('Wide'),
  adopter: role('Adopter'),
  reader: role('Reader'),
  stranger: role('Stranger'),
};
items.grantFencedWrite(roles.writer);
leases.grantLease(roles.writer);
items.grantFencedWrite(roles.wide);
leases.grantLease(roles.wide);
roles.wide.addToPolicy(new PolicyStatement({ actions: ['*'], resources: ['*'] }));
items.grantFencedWrite(roles.adopter, { requireFenceAttribute: false });
items.grantRead(roles.reader);
const iam = iamOf(app);

/** What IAM sees of an input: the names of what it writes, and of what its condition is about. */
function names(input: object): string[] {
  const { Item, Key, ExpressionAttributeNames } = input as Record<string, Record<string, string> | undefined>;
  return [
    ...new Set([...Object.keys({ ...Item, ...Key }), ...Object.values(ExpressionAttributeNames ?? {})]),
  ];
}

const TableName = 'items';
const Key = { id: { S: 'a1' } };
const stamp = () => nextStamp(fence('account/a1', 42, { holder: 'h', seq: 1 }));
const item = { action: 'PutItem', table: items };
const row = { action: 'PutItem', table: leases };
const update = 'UpdateItem';
const change = {
  UpdateExpression: 'SET #b = :b',
  ExpressionAttributeNames: { '#b': 'balance' },
  ExpressionAttributeValues: { ':b': { N: '1' } },
};

// Who may: w = the writer, W = it with everything granted besides, a = one that adopts fences, r = a reader.
const matrix: readonly (readonly [what: string, who: string, request: TestRequest])[] = [
  ['a guarded put', 'wWa', { ...item, attributes: names(guard({ TableName, Item: Key }, stamp())) }],
  [
    'a guarded update',
    'wWa',
    { ...item, action: update, attributes: names(guard({ TableName, Key, ...change }, stamp())) },
  ],
  ['a claim', 'wWa', { ...item, action: update, attributes: names(claimInput({ TableName, Key }, stamp())) }],
  ['a tombstone', 'wWa', { ...item, attributes: names(entomb({ TableName, Key }, stamp())) }],
  ['a check of an item', 'wWa', { ...item, action: 'ConditionCheckItem' }],
  ['a consistent read', 'wWar', { ...item, action: 'GetItem' }],
  ['a query of an index', 'Wr', { ...item, action: 'Query', index: 'owner' }],
  ['a query of an index that it does not have', 'W', { ...item, action: 'Query', index: 'other' }],
  ['a put that names no fence', 'a', { ...item, attributes: ['id', 'balance'] }],
  ['an update that names no fence', 'a', { ...item, action: update, attributes: ['id', 'balance'] }],
  ['a put of which no name is known', 'a', item],
  ['a hard delete, fence or not', '', { ...item, action: 'DeleteItem', attributes: ['id', '_fence'] }],
  ...[
    ...['BatchWriteItem', 'PartiQLInsert', 'PartiQLUpdate', 'PartiQLDelete', 'UpdateTimeToLive'],
    ...['DeleteTable', 'UpdateTable', 'PutResourcePolicy', 'DeleteResourcePolicy'],
    ...['TagResource', 'UntagResource'],
  ].flatMap(
    (action) =>
      [
        [`${action} of items`, '', { ...item, action, attributes: ['id', '_fence'] }],
        [`${action} of leases`, '', { ...row, action, attributes: ['resource', 'token'] }],
      ] as const,
  ),
  ['an update of a lease', 'wW', { ...row, action: update, attributes: ['resource', 'token', 'holder'] }],
  ['a read of a lease', 'wW', { ...row, action: 'GetItem' }],
  ['a check of a lease', 'wW', { ...row, action: 'ConditionCheckItem' }],
  ['a put of a lease', '', { ...row, attributes: ['resource', 'token'] }],
  ['a delete of a lease', '', { ...row, action: 'DeleteItem' }],
  ['what is none of our tables', 'W', { ...item, table: 'Other', attributes: ['id'] }],
];

describe.each([
  ['w', 'writer'],
  ['W', 'wide'],
  ['a', 'adopter'],
  ['r', 'reader'],
  ['-', 'stranger'],
] as const)('%s: the role %s', (sign, name) => {
  it.each(matrix)('%s', (_, who, request) => {
    expect(iam.may(roles[name], request)).toBe(who.includes(sign));
  });
});
