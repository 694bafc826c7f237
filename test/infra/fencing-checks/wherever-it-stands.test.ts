import { App, NestedStack, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import {
  AccountRootPrincipal,
  AnyPrincipal,
  CfnPolicy,
  CfnRole,
  Effect,
  Group,
  ManagedPolicy,
  PolicyDocument,
  PolicyStatement,
  Role,
  User,
} from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import { FencedTable } from '../../../infra/constructs/fenced-table.ts';
import { cdkJson } from '../offline-app.ts';

import {
  account,
  allow,
  assumedBy,
  env,
  found,
  newApp,
  partitionKey,
  rulesOf,
  type World,
  world,
} from './world.ts';

const unfenceable = ['dynamodb:BatchWriteItem', 'dynamodb:PartiQL*', 'dynamodb:DeleteItem'];

describe('wherever it stands', () => {
  const statement = { Effect: 'Allow', Action: 'dynamodb:DeleteItem', Resource: '*' };
  const policyDocument = { Version: '2012-10-17', Statement: [statement] };

  it.each<[string, RegExp, (world: World) => unknown]>([
    [
      'in the role itself',
      /^.*: Data\/Inline may/,
      ({ stack }) =>
        new Role(stack, 'Inline', {
          assumedBy,
          inlinePolicies: { p: PolicyDocument.fromJson(policyDocument) },
        }),
    ],
    [
      'in a role that is made by hand',
      /: Data\/Hand may/,
      ({ stack }) =>
        new CfnRole(stack, 'Hand', {
          assumeRolePolicyDocument: {},
          policies: [{ policyName: 'p', policyDocument }],
        }),
    ],
    [
      'in a policy that is made by hand, for a role by its name',
      /: Data\/Named may/,
      ({ stack }) => {
        new Role(stack, 'Named', { assumedBy, roleName: 'named' });
        new CfnPolicy(stack, 'Policy', { policyName: 'p', policyDocument, roles: ['named'] });
      },
    ],
    [
      'in an override',
      /: Data\/Role may/,
      ({ items, role }) => {
        items.grantRead(role);
        const policy = role.node.findChild('DefaultPolicy').node.defaultChild as CfnPolicy;
        policy.addPropertyOverride('PolicyDocument.Statement.1', statement);
      },
    ],
    [
      'in a managed policy of another stack',
      /: Data\/Role may/,
      ({ app, role }) => {
        new ManagedPolicy(new Stack(app, 'Other', { env }), 'Managed', {
          document: PolicyDocument.fromJson(policyDocument),
          roles: [role],
        });
      },
    ],
    [
      'in a role of another stack, by a reference',
      /: Other\/Role may dynamodb:DeleteItem on Data\/Items, which/,
      ({ app, items }) => {
        new Role(new Stack(app, 'Other', { env }), 'Role', { assumedBy }).addToPolicy(
          allow('dynamodb:DeleteItem', items.tableArn),
        );
      },
    ],
    [
      'in a nested stack',
      /: Data\/Nested\/Role may dynamodb:DeleteItem on Data\/Items, which/,
      ({ stack, items }) => {
        new Role(new NestedStack(stack, 'Nested'), 'Role', { assumedBy }).addToPolicy(
          allow('dynamodb:DeleteItem', items.tableArn),
        );
      },
    ],
    [
      'of a user',
      /: Data\/User may/,
      ({ stack }) => new User(stack, 'User').addToPolicy(PolicyStatement.fromJson(statement)),
    ],
    [
      'of a group',
      /: Data\/Group may/,
      ({ stack }) => new Group(stack, 'Group').addToPolicy(PolicyStatement.fromJson(statement)),
    ],
    [
      'of a user by the group',
      /: Data\/User may/,
      ({ stack }) => {
        const group = new Group(stack, 'Group');
        group.addToPolicy(PolicyStatement.fromJson(statement));
        new User(stack, 'User').addToGroup(group);
      },
    ],
    [
      'of a role that is imported',
      /: the role theirs, which is not of this app, may/,
      ({ stack }) => {
        Role.fromRoleArn(stack, 'Theirs', `arn:aws:iam::${account}:role/theirs`).addToPrincipalPolicy(
          PolicyStatement.fromJson(statement),
        );
      },
    ],
    [
      'under a condition of the template',
      /: Data\/Role may, depending on what is known at deployment,/,
      ({ items, role }) => {
        items.grantRead(role);
        const policy = role.node.findChild('DefaultPolicy').node.defaultChild as CfnPolicy;
        policy.addPropertyOverride('PolicyDocument.Statement.1', {
          'Fn::If': ['Prod', { Ref: 'AWS::NoValue' }, statement],
        });
      },
    ],
    [
      'in the resource policy of the table',
      /: whoever its resource policy names may/,
      ({ items }) =>
        (items.node.defaultChild as TableV2).addToResourcePolicy(
          new PolicyStatement({
            actions: ['dynamodb:DeleteItem'],
            resources: ['*'],
            principals: [new AccountRootPrincipal()],
          }),
        ),
    ],
    [
      'in the resource policy, for a role',
      /: Data\/Role may/,
      ({ items, role }) =>
        (items.node.defaultChild as TableV2).addToResourcePolicy(
          new PolicyStatement({ actions: ['dynamodb:DeleteItem'], resources: ['*'], principals: [role] }),
        ),
    ],
  ])('%s', (_, description, build) => {
    const it = world();
    build(it);
    expect(found(it.app)).toContainEqual(expect.stringMatching(description));
    expect(rulesOf(it.app)).toContain('UnfenceableWrite');
  });

  it('a resource policy that denies everybody takes away what roles are allowed', () => {
    const { app, items, role } = world();
    role.addToPolicy(allow(unfenceable, items.tableArn));
    (items.node.defaultChild as TableV2).addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        actions: unfenceable,
        resources: ['*'],
        principals: [new AnyPrincipal()],
      }),
    );
    expect(found(app)).toEqual([]);
  });

  it('a role that a resource policy names keeps its own denials', () => {
    const { app, items, role } = world();
    items.grantFencedWrite(role);
    (items.node.defaultChild as TableV2).addToResourcePolicy(
      new PolicyStatement({ actions: ['dynamodb:DeleteItem'], resources: ['*'], principals: [role] }),
    );
    expect(found(app)).toEqual([]);
  });

  it('weak references are followed as strong ones are', () => {
    const context = { ...cdkJson.context, '@aws-cdk/core:defaultCrossStackReferences': 'weak' };
    const app = new App({ context, outdir: newApp().outdir, analyticsReporting: false });
    const items = new FencedTable(new Stack(app, 'Data', { env }), 'Items', { partitionKey });
    const role = new Role(new Stack(app, 'Other', { env }), 'Role', { assumedBy });
    role.addToPolicy(allow('dynamodb:DeleteItem', items.tableArn));
    expect(found(app)).toEqual([
      expect.stringMatching(/^UnfenceableWrite: Other\/Role may dynamodb:DeleteItem on Data\/Items, /),
    ]);
  });

  it('references to another Region are followed', () => {
    const app = newApp();
    const home = { env, crossRegionReferences: true };
    const away = { env: { account, region: 'eu-west-1' }, crossRegionReferences: true };
    const items = new FencedTable(new Stack(app, 'Data', home), 'Items', { partitionKey });
    const other = new Stack(app, 'Other', away);
    items.grantFencedWrite(new Role(other, 'Good', { assumedBy }));
    new Role(other, 'Bad', { assumedBy }).addToPolicy(allow('dynamodb:DeleteItem', items.tableArn));
    expect(found(app)).toEqual([
      expect.stringMatching(/^UnfenceableWrite: Other\/Bad may dynamodb:DeleteItem on Data\/Items, /),
    ]);
  });

  it('and where no account and no Region is known', () => {
    const { app, items, role } = world({});
    items.grantFencedWrite(role);
    const other = new Role(new Stack(app, 'Other'), 'Role', { assumedBy });
    items.grantFencedWrite(other);
    for (const it of [role, other]) it.addToPrincipalPolicy(allow('dynamodb:*', items.tableArn));
    expect(found(app)).toEqual([]);
    new Role(new Stack(app, 'Third'), 'Role', { assumedBy });
    const { app: bad, items: theirs } = world({});
    new Role(new Stack(bad, 'Other'), 'Role', { assumedBy }).addToPolicy(
      allow('dynamodb:DeleteItem', theirs.tableArn),
    );
    expect(rulesOf(bad)).toEqual(['UnfenceableWrite']);
  });
});
