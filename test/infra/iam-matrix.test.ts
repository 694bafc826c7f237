import { type CfnElement, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { AccountPrincipal, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import { FencedTable } from '../../infra/constructs/fenced-table.ts';
import { LeaseTable } from '../../infra/constructs/lease-table.ts';
import { fence } from '../../src/index.ts';
import { claimInput, entomb, guard, nextStamp } from '../../src/kernel.ts';
import { allowed, arnOf, type IamRequest, statementsOf } from './iam.ts';
import { offlineApp } from './offline-app.ts';

const stack = new Stack(offlineApp(), 'Stack');
const items = new FencedTable(stack, 'Items', {
  partitionKey: { name: 'id', type: AttributeType.STRING },
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
roles.wide.addToPolicy(new PolicyStatement({ actions: ['dynamodb:*'], resources: ['*'] }));
items.grantFencedWrite(roles.adopter, { requireFenceAttribute: false });
items.grantRead(roles.reader);
const template = Template.fromStack(stack);
const logicalId = (construct: { node: { defaultChild?: unknown } }) =>
  stack.getLogicalId(construct.node.defaultChild as CfnElement);
const tableArn = (table: FencedTable | LeaseTable) =>
  arnOf(logicalId(table.node.defaultChild as unknown as FencedTable));

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
const item = { action: 'dynamodb:PutItem', resource: tableArn(items) };
const row = { ...item, resource: tableArn(leases) };
const update = 'dynamodb:UpdateItem';
const change = {
  UpdateExpression: 'SET #b = :b',
  ExpressionAttributeNames: { '#b': 'balance' },
  ExpressionAttributeValues: { ':b': { N: '1' } },
};

// Who may: w = the writer, W = it with everything granted besides, a = one that adopts fences, r = a reader.
const matrix: readonly (readonly [what: string, who: string, request: IamRequest])[] = [
  ['a guarded put', 'wWa', { ...item, attributes: names(guard({ TableName, Item: Key }, stamp())) }],
  [
    'a guarded update',
    'wWa',
    { ...item, action: update, attributes: names(guard({ TableName, Key, ...change }, stamp())) },
  ],
  ['a claim', 'wWa', { ...item, action: update, attributes: names(claimInput({ TableName, Key }, stamp())) }],
  ['a tombstone', 'wWa', { ...item, attributes: names(entomb({ TableName, Key }, stamp())) }],
  ['a check of an item', 'wWa', { ...item, action: 'dynamodb:ConditionCheckItem' }],
  ['a consistent read', 'wWar', { ...item, action: 'dynamodb:GetItem' }],
  ['a query of an index', 'Wr', { action: 'dynamodb:Query', resource: `${item.resource}/index/owner` }],
  ['a put that names no fence', 'a', { ...item, attributes: ['id', 'balance'] }],
  ['an update that names no fence', 'a', { ...item, action: update, attributes: ['id', 'balance'] }],
  ['a put of which no name is known', 'a', item],
  [
    'a hard delete, fence or not',
    '',
    { ...item, action: 'dynamodb:DeleteItem', attributes: ['id', '_fence'] },
  ],
  ...['BatchWriteItem', 'PartiQLInsert', 'PartiQLUpdate', 'PartiQLDelete', 'UpdateTimeToLive'].flatMap(
    (name) => {
      const action = `dynamodb:${name}`;
      return [
        [`${name} of items`, '', { ...item, action, attributes: ['id', '_fence'] }],
        [`${name} of leases`, '', { ...row, action, attributes: ['resource', 'token'] }],
      ] as const;
    },
  ),
  ['an update of a lease', 'wW', { ...row, action: update, attributes: ['resource', 'token', 'holder'] }],
  ['a read of a lease', 'wW', { ...row, action: 'dynamodb:GetItem' }],
  ['a check of a lease', 'wW', { ...row, action: 'dynamodb:ConditionCheckItem' }],
  ['a put of a lease', '', { ...row, attributes: ['resource', 'token'] }],
  ['a delete of a lease', '', { ...row, action: 'dynamodb:DeleteItem' }],
  ['what is none of our tables', 'W', { ...item, resource: arnOf('Other'), attributes: ['id'] }],
];

describe.each([
  ['w', 'writer'],
  ['W', 'wide'],
  ['a', 'adopter'],
  ['r', 'reader'],
  ['-', 'stranger'],
] as const)('%s: the role %s', (sign, name) => {
  const statements = statementsOf(template, logicalId(roles[name]));

  it.each(matrix)('%s', (_, who, request) => {
    expect(allowed(statements, request)).toBe(who.includes(sign));
  });
});

it('a role that takes no denials is refused', () => {
  const other = new AccountPrincipal('111122223333');
  const error = expect.objectContaining({ code: 'FencedTableDenyNotAttached', path: 'Stack/Items' });
  expect(() => items.grantFencedWrite(other)).toThrow(error);
});

it('what the evaluation does not know, it does not pass over', () => {
  const statement = { Effect: 'Allow', Action: '*', Resource: '*' } as const;
  for (const unknown of [{ NotAction: '*' }, { Condition: { Bool: { 'aws:SecureTransport': 'true' } } }]) {
    expect(() => allowed([{ ...statement, ...unknown }], item)).toThrow('not evaluated here');
  }
});
