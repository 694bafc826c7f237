import { CfnResource } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { found, l1, world } from './world.ts';

/** What no template should have, and overrides and includes may: CloudFormation is to refuse it, and the checks are not to fall over it. */
const odd: readonly unknown[] = [
  ...[null, 5, 'x', {}, [], [null], [5], [{}], [['x']]],
  ...[
    { Ref: 'Nothing' },
    { 'Fn::If': ['C', null, {}] },
    { 'Fn::If': 'x' },
    { 'Fn::Join': 5 },
    { 'Fn::Sub': [] },
  ],
  ...[{ 'Fn::Select': [] }, { 'Fn::GetAtt': [] }, { 'Fn::GetAtt': 'a' }, { 'Fn::Transform': { Name: 'x' } }],
  ...[{ Statement: null }, { Statement: [null, 5, { Effect: 'Allow' }] }],
  {
    Statement: {
      Effect: 'Allow',
      Action: null,
      Resource: [{}],
      Condition: { StringEquals: null },
      Principal: {},
    },
  },
  { Statement: { Effect: 'Allow', Action: '*', Resource: '*', Condition: 'x', Principal: { AWS: null } } },
  ...[
    [{ PolicyDocument: null }],
    [{ PolicyDocument: { Statement: 'x' } }],
    [{ Key: null }],
    { exports: null },
  ],
];

const properties: Readonly<Record<string, readonly string[]>> = {
  'AWS::IAM::Role': [
    'AssumeRolePolicyDocument',
    'ManagedPolicyArns',
    'PermissionsBoundary',
    'Policies',
    'RoleName',
  ],
  'AWS::IAM::User': ['Groups', 'UserName'],
  'AWS::IAM::Policy': ['PolicyDocument', 'Roles', 'Users'],
  'AWS::IAM::ManagedPolicy': ['ManagedPolicyName', 'PolicyDocument'],
  'AWS::IAM::UserToGroupAddition': ['GroupName', 'Users'],
  'AWS::Serverless::Function': ['PermissionsBoundary', 'Policies'],
  'AWS::SSO::PermissionSet': [
    'InlinePolicy',
    'ManagedPolicies',
    'CustomerManagedPolicyReferences',
    'PermissionsBoundary',
  ],
  'AWS::Serverless::SimpleTable': ['PrimaryKey', 'Tags'],
  'AWS::DynamoDB::Table': ['KeySchema', 'ResourcePolicy', 'TableName', 'Tags'],
  'Custom::DynamoDBReplica': ['TableName'],
  'Custom::CrossRegionExportWriter': ['WriterProps'],
};

it.each(Object.keys(properties))('%s', (type) => {
  const { app, stack, items, role } = world();
  items.grantFencedWrite(role);
  for (const name of properties[type] ?? []) {
    for (const [index, value] of odd.entries()) {
      new CfnResource(stack, `${name}${index}`, { type }).addPropertyOverride(name, value);
    }
  }
  expect(() => found(app)).not.toThrow();
});

it('a table of ours', () => {
  const names = [
    'GlobalSecondaryIndexes',
    'KeySchema',
    'LocalSecondaryIndexes',
    'Replicas',
    'TimeToLiveSpecification',
  ];
  for (const value of odd) {
    const { app, items } = world();
    for (const name of names) l1(items).addPropertyOverride(name, value);
    expect(() => found(app), JSON.stringify(value)).not.toThrow();
  }
});
