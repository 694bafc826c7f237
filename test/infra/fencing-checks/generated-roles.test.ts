import type { CfnElement, CfnResource, Stack } from 'aws-cdk-lib';
import { ManagedPolicy, type PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnFunction, CfnStateMachine } from 'aws-cdk-lib/aws-sam';
import { CfnPermissionSet } from 'aws-cdk-lib/aws-sso';
import { describe, expect, it } from 'vitest';
import { allow, deny, found, type World, world } from './world.ts';

const statement = (Action: string) => ({ Statement: [{ Effect: 'Allow', Action, Resource: '*' }] });
const bad = statement('dynamodb:DeleteItem');

const sam = (stack: Stack, properties: Readonly<Record<string, unknown>>): CfnResource =>
  overridden(new CfnFunction(stack, 'Hand', {}), properties);
const permissionSet = (stack: Stack, properties: Readonly<Record<string, unknown>>): CfnResource =>
  overridden(new CfnPermissionSet(stack, 'Hand', { instanceArn: 'arn', name: 'n' }), properties);

function overridden(resource: CfnResource, properties: Readonly<Record<string, unknown>>): CfnResource {
  for (const [name, value] of Object.entries(properties)) resource.addPropertyOverride(name, value);
  return resource;
}

/** A managed policy of the app, by its name. */
function named(stack: Stack, ...statements: PolicyStatement[]) {
  return new ManagedPolicy(stack, 'Named', { managedPolicyName: 'named', path: '/team/', statements });
}

describe('roles that are made of other resources are looked at as well', () => {
  it.each<[string, (world: World) => CfnElement]>([
    ['a statement of a function of SAM', ({ stack }) => sam(stack, { Policies: [bad] })],
    ['its only policy', ({ stack }) => sam(stack, { Policies: bad })],
    [
      'one under a condition',
      ({ stack }) => sam(stack, { Policies: [{ 'Fn::If': ['C', bad, { Ref: 'AWS::NoValue' }] }] }),
    ],
    ['a policy of AWS, by its name', ({ stack }) => sam(stack, { Policies: ['AmazonDynamoDBFullAccess'] })],
    [
      'a policy of AWS, by its ARN',
      ({ stack }) => sam(stack, { Policies: 'arn:aws:iam::aws:policy/PowerUserAccess' }),
    ],
    [
      'a policy of the app',
      ({ stack }) =>
        sam(stack, {
          Policies: [
            {
              Ref: stack.getLogicalId(
                named(stack, allow('dynamodb:DeleteItem')).node.defaultChild as CfnElement,
              ),
            },
          ],
        }),
    ],
    [
      'a policy template',
      ({ stack, items }) =>
        sam(stack, { Policies: [{ DynamoDBCrudPolicy: { TableName: stack.resolve(items.tableName) } }] }),
    ],
    [
      'a state machine of SAM',
      ({ stack }) => overridden(new CfnStateMachine(stack, 'Hand', {}), { Policies: [bad] }),
    ],
    ['a statement of a permission set', ({ stack }) => permissionSet(stack, { InlinePolicy: bad })],
    ['one that is text', ({ stack }) => permissionSet(stack, { InlinePolicy: JSON.stringify(bad) })],
    [
      'a policy of AWS of one',
      ({ stack }) =>
        permissionSet(stack, { ManagedPolicies: ['arn:aws:iam::aws:policy/AdministratorAccess'] }),
    ],
    [
      'a policy of the app, which is in each account',
      ({ stack }) => {
        named(stack, allow('dynamodb:DeleteItem'));
        return permissionSet(stack, { CustomerManagedPolicyReferences: [{ Name: 'named', Path: '/team/' }] });
      },
    ],
  ])('%s', (_, make) => {
    const it = world();
    make(it);
    expect(found(it.app)).toContainEqual(
      expect.stringMatching(/^UnfenceableWrite: Data\/Hand may.* dynamodb:\w+.* on Data\/Items/),
    );
  });

  it.each<[string, (world: World) => unknown]>([
    [
      'of a function that is given a role',
      ({ stack, role }) => sam(stack, { Policies: [bad], Role: stack.resolve(role.roleArn) }),
    ],
    [
      'of policies that are about something else',
      ({ stack }) =>
        sam(stack, {
          Policies: ['AWSLambda_FullAccess', { SQSPollerPolicy: { QueueName: 'q' } }, statement('s3:*')],
        }),
    ],
    [
      'of a template for another table',
      ({ stack }) => sam(stack, { Policies: [{ DynamoDBCrudPolicy: { TableName: 'other' } }] }),
    ],
    [
      'of a function behind a boundary',
      ({ stack }) => {
        const limit = named(stack, allow('*'), deny(['dynamodb:*']));
        sam(stack, { Policies: [bad], PermissionsBoundary: stack.resolve(limit.managedPolicyArn) });
      },
    ],
    [
      'of a permission set behind one',
      ({ stack }) => {
        named(stack, allow('*'), deny(['dynamodb:*']));
        const reference = { Name: 'named', Path: '/team/' };
        permissionSet(stack, {
          InlinePolicy: bad,
          PermissionsBoundary: { CustomerManagedPolicyReference: reference },
        });
      },
    ],
    ['of text that is no document', ({ stack }) => permissionSet(stack, { InlinePolicy: 'no' })],
  ])('nothing is found %s', (_, make) => {
    const it = world();
    make(it);
    expect(found(it.app)).toEqual([]);
  });
});
