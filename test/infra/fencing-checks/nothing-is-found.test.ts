import { Stack } from 'aws-cdk-lib';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { CfnPolicy, ManagedPolicy, PermissionsBoundary, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, it } from 'vitest';

import { allow, assumedBy, deny, found, partitionKey, type World, world } from './world.ts';

describe('nothing is found', () => {
  it.each<[string, (world: World) => unknown]>([
    ['without any grant', () => {}],
    [
      'with our grants',
      ({ items, leases, role }) => [
        items.grantFencedWrite(role),
        items.grantRead(role),
        leases.grantLease(role),
      ],
    ],
    [
      'where denials take away what is granted besides',
      ({ items, leases, role }) => {
        items.grantFencedWrite(role);
        leases.grantLease(role);
        role.addToPolicy(allow('dynamodb:*'));
        role.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName('AdministratorAccess'));
      },
    ],
    [
      'where the denials are spread over several policies of the role',
      ({ stack, items, role }) => {
        role.addToPolicy(
          allow(['dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:BatchWriteItem'], items.tableArn),
        );
        new ManagedPolicy(stack, 'Guard', { roles: [role], statements: [deny(['dynamodb:BatchWriteItem'])] });
        new CfnPolicy(stack, 'More', {
          policyName: 'More',
          roles: [role.roleName],
          policyDocument: {
            Statement: [
              { Effect: 'Deny', Action: ['dynamodb:DeleteItem', 'dynamodb:Put*'], Resource: items.tableArn },
            ],
          },
        });
      },
    ],
    [
      'where the boundary denies',
      ({ stack, role }) => {
        role.addToPolicy(allow('*'));
        const statements = [
          allow('*'),
          deny(['dynamodb:*Item', 'dynamodb:PartiQL*', 'dynamodb:Update*', 'dynamodb:*Table']),
          deny(['dynamodb:*agResource', 'dynamodb:*ResourcePolicy']),
        ];
        PermissionsBoundary.of(role).apply(new ManagedPolicy(stack, 'Boundary', { statements }));
      },
    ],
    [
      'where the boundary does not allow',
      ({ stack, role }) => {
        role.addToPolicy(allow('*'));
        PermissionsBoundary.of(role).apply(
          new ManagedPolicy(stack, 'Boundary', { statements: [allow('s3:*')] }),
        );
      },
    ],
    [
      'for tables of others',
      ({ stack, role }) => new Table(stack, 'Other', { partitionKey }).grantReadWriteData(role),
    ],
    [
      'for tables of others by name',
      ({ stack, role }) => Table.fromTableName(stack, 'Other', 'other').grantWriteData(role),
    ],
    ['for what is no table', ({ stack, role }) => new Bucket(stack, 'Bucket').grantReadWrite(role)],
    [
      'for policies of AWS that do not write',
      ({ role }) => {
        for (const name of ['AmazonDynamoDBReadOnlyAccess', 'service-role/AWSLambdaDynamoDBExecutionRole'])
          role.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName(name));
      },
    ],
    ['for other actions', ({ role }) => role.addToPolicy(allow(['dynamodb:Get*', 'dynamodb:Query', 's3:*']))],
    [
      'for writes that have to name the fence',
      ({ items, role }) =>
        role.addToPolicy(
          new PolicyStatement({
            actions: ['dynamodb:PutItem'],
            resources: [items.tableArn],
            conditions: { 'ForAnyValue:StringEquals': { 'dynamodb:Attributes': ['_fence'] } },
          }),
        ),
    ],
    [
      'for a role of another account, whom nothing in this one lets in',
      ({ app, items }) => {
        const other = new Stack(app, 'Other', { env: { account: '444455556666', region: 'us-east-1' } });
        void items;
        new Role(other, 'Role', { assumedBy }).addToPolicy(allow('dynamodb:*'));
      },
    ],
  ])('%s', (_, build) => {
    const it = world();
    build(it);
    expect(found(it.app)).toEqual([]);
  });
});
