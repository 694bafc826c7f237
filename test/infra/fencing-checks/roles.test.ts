import { Aws, CfnParameter } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, ManagedPolicy, PermissionsBoundary, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';

import { account, allow, l1, rulesOf, type World, world } from './world.ts';

const every = ['ExpiryChange', 'GuardChange', 'TokenReset', 'UnconditionalWrite', 'UnfenceableWrite'];
const ofAws = (name: string) => ManagedPolicy.fromAwsManagedPolicyName(name);
const writes = ['dynamodb:PutItem', 'dynamodb:UpdateItem'];

describe('a role is found that may', () => {
  it.each<[string, string[], (world: World) => unknown]>([
    ['do anything', every, ({ role }) => role.addToPolicy(allow('*'))],
    [
      'do anything but this and that',
      every,
      ({ role }) =>
        role.addToPolicy(new PolicyStatement({ notActions: ['iam:*', 'sts:*'], resources: ['*'] })),
    ],
    [
      'do anything, elsewhere',
      every,
      ({ role }) =>
        role.addToPolicy(new PolicyStatement({ actions: ['dynamodb:*'], notResources: ['arn:aws:s3:::*'] })),
    ],
    [
      'put without naming the fence',
      ['UnconditionalWrite'],
      ({ items, role }) => role.addToPolicy(allow('dynamodb:PutItem', items.tableArn)),
    ],
    [
      'put, if it names some other attribute',
      ['UnconditionalWrite'],
      ({ items, role }) =>
        role.addToPolicy(
          new PolicyStatement({
            actions: ['dynamodb:Put*'],
            resources: [items.tableArn],
            conditions: { 'ForAnyValue:StringLike': { 'dynamodb:attributes': ['bal*'] } },
          }),
        ),
    ],
    [
      'write by what a grant of TableV2 allows',
      ['UnconditionalWrite', 'UnfenceableWrite'],
      ({ items, role }) => (items.node.defaultChild as TableV2).grantWriteData(role),
    ],
    [
      'delete',
      ['UnfenceableWrite'],
      ({ items, role }) => role.addToPolicy(allow('dynamodb:DeleteItem', items.tableArn)),
    ],
    [
      'speak PartiQL',
      ['UnfenceableWrite'],
      ({ items, role }) => role.addToPolicy(allow('dynamodb:PartiQL*', items.tableArn)),
    ],
    [
      'put a lease',
      ['TokenReset'],
      ({ leases, role }) => role.addToPolicy(allow('dynamodb:PutItem', leases.tableArn)),
    ],
    [
      'let items expire',
      ['ExpiryChange'],
      ({ items, role }) => role.addToPolicy(allow('dynamodb:UpdateTimeToLive', items.tableArn)),
    ],
    [
      'do all that a policy of AWS allows',
      every,
      ({ role }) => role.addManagedPolicy(ofAws('job-function/DataScientist')),
    ],
    [
      'write by a policy of AWS that is for a service',
      ['TokenReset', 'UnconditionalWrite', 'UnfenceableWrite'],
      ({ role }) => role.addManagedPolicy(ofAws('service-role/AWSBackupServiceRolePolicyForRestores')),
    ],
    [
      'put by one',
      ['TokenReset', 'UnconditionalWrite'],
      ({ role }) => role.addManagedPolicy(ofAws('service-role/AWSIoTRuleActions')),
    ],
    [
      'tag by one',
      ['GuardChange'],
      ({ role }) => role.addManagedPolicy(ofAws('ResourceGroupsTaggingAPITagUntagSupportedResources')),
    ],
    [
      'write under a condition that is about something else',
      ['UnconditionalWrite'],
      ({ items, role }) =>
        role.addToPolicy(
          new PolicyStatement({
            actions: writes,
            resources: [items.tableArn],
            conditions: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } },
          }),
        ),
    ],
    [
      'write in spite of a denial under a condition',
      ['UnfenceableWrite'],
      ({ items, role }) => {
        role.addToPolicy(allow('dynamodb:DeleteItem', items.tableArn));
        role.addToPolicy(
          new PolicyStatement({
            effect: Effect.DENY,
            actions: ['dynamodb:*'],
            resources: ['*'],
            conditions: { Bool: { 'aws:MultiFactorAuthPresent': 'false' } },
          }),
        );
      },
    ],
    [
      'write where the boundary is not of this app',
      ['UnfenceableWrite'],
      ({ items, role }) => {
        role.addToPolicy(allow('dynamodb:DeleteItem', items.tableArn));
        PermissionsBoundary.of(role).apply(
          ManagedPolicy.fromManagedPolicyArn(role, 'B', `arn:aws:iam::${account}:policy/theirs`),
        );
      },
    ],
    [
      'write by an ARN that is known at deployment',
      ['TokenReset', 'UnfenceableWrite'],
      ({ stack, role }) =>
        role.addToPolicy(allow('dynamodb:BatchWriteItem', new CfnParameter(stack, 'Arn').valueAsString)),
    ],
    [
      'write by a pattern that somebody has typed',
      ['UnfenceableWrite'],
      ({ role }) =>
        role.addToPolicy(
          allow('dynamodb:DeleteItem', `arn:aws:dynamodb:us-east-1:${account}:table/Data-Items*`),
        ),
    ],
    [
      'write by a name that somebody has typed, of a table that was given one',
      ['UnfenceableWrite'],
      ({ items, role }) => {
        l1(items).addPropertyOverride('TableName', 'bank-items');
        role.addToPolicy(allow('dynamodb:DeleteItem', `arn:aws:dynamodb:${Aws.REGION}:*:table/bank-items`));
      },
    ],
  ])('%s', (_, rules, build) => {
    const it = world();
    build(it);
    expect(rulesOf(it.app)).toEqual(rules);
  });
});
