import {
  CompositePrincipal,
  PolicyStatement,
  type PolicyStatementProps,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import { guardChanges } from '../../../infra/policy/fenced-actions.ts';
import { allow, assumedBy, found, rulesOf, world } from './world.ts';

const cloudFormation = new ServicePrincipal('cloudformation.amazonaws.com');

describe('who may take away what keeps the fences is found', () => {
  it.each(guardChanges)('%s', (action) => {
    const it = world();
    it.role.addToPolicy(allow(action, [it.items.tableArn, it.leases.tableArn]));
    const tables = ['Data/Items', 'Data/Leases'].join(', ');
    expect(found(it.app)).toEqual([
      `GuardChange: Data/Role may ${action} on ${tables}, which can take away what keeps its fences`,
    ]);
  });

  it('but not of tables that are made, restored or imported anew, nor of backups', () => {
    const it = world();
    const others = ['CreateTable', 'RestoreTable*', 'ImportTable', 'CreateBackup', 'UpdateContinuousBackups'];
    it.role.addToPolicy(allow(others.map((name) => `dynamodb:${name}`)));
    expect(found(it.app)).toEqual([]);
  });

  it.each<[string, string[], PolicyStatementProps['conditions']]>([
    ['other tags alone', [], { 'ForAllValues:StringEquals': { 'aws:TagKeys': ['team', 'cost'] } }],
    [
      'all tags but this one',
      [],
      { 'ForAllValues:StringNotEquals': { 'aws:TagKeys': ['dynamodb-fenced:role'] } },
    ],
    ['any tag', ['GuardChange'], {}],
    ['our tag', ['GuardChange'], { 'ForAllValues:StringLike': { 'aws:TagKeys': ['dynamodb-*'] } }],
  ])('who may set %s: %j', (_, rules, conditions) => {
    const it = world();
    const actions = ['dynamodb:TagResource', 'dynamodb:UntagResource'];
    it.role.addToPolicy(
      new PolicyStatement({ actions, resources: ['*'], ...(conditions && { conditions }) }),
    );
    expect(rulesOf(it.app)).toEqual(rules);
  });
});

describe('a role that deploys', () => {
  it.each<[string, string[], ServicePrincipal | CompositePrincipal]>([
    ['CloudFormation alone', [], cloudFormation],
    [
      'CloudFormation and somebody else',
      ['ExpiryChange', 'GuardChange'],
      new CompositePrincipal(cloudFormation, assumedBy),
    ],
    ['somebody else', ['ExpiryChange', 'GuardChange'], assumedBy],
  ])('for %s may change tables: %j', (_, rules, principal) => {
    const it = world();
    const actions = [
      'dynamodb:*Table',
      'dynamodb:UpdateTimeToLive',
      'dynamodb:*agResource',
      'dynamodb:*ResourcePolicy',
    ];
    new Role(it.stack, 'Deploys', { assumedBy: principal }).addToPolicy(allow(actions));
    expect(rulesOf(it.app)).toEqual(rules);
  });

  it('for CloudFormation, and in a second statement for somebody else, is found', () => {
    const it = world();
    const role = new Role(it.stack, 'Deploys', { assumedBy: cloudFormation });
    role.assumeRolePolicy?.addStatements(
      new PolicyStatement({ actions: ['sts:AssumeRole', 'sts:TagSession'], principals: [assumedBy] }),
    );
    role.addToPolicy(allow('dynamodb:DeleteTable'));
    expect(rulesOf(it.app)).toEqual(['GuardChange']);
  });

  it('may not write items, even so', () => {
    const it = world();
    new Role(it.stack, 'Deploys', { assumedBy: cloudFormation }).addToPolicy(allow('dynamodb:*'));
    expect(rulesOf(it.app)).toEqual(['TokenReset', 'UnconditionalWrite', 'UnfenceableWrite']);
  });
});
