import { describe, expect, it } from 'vitest';
import { createTablesOf } from '../../../examples/local/create-tables-of.ts';
import { functionOf } from '../../../examples/local/function-of.ts';
import { routesOf } from '../../../examples/local/routes-of.ts';

const table = {
  Type: 'AWS::DynamoDB::GlobalTable',
  Properties: {
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    Replicas: [{ Region: { Ref: 'AWS::Region' }, DeletionProtectionEnabled: true }],
    SSESpecification: { SSEEnabled: true },
  },
};

it('a table is made by what a local engine knows of it, under its logical id', () => {
  const { AttributeDefinitions, BillingMode, KeySchema } = table.Properties;
  expect(createTablesOf({ Resources: { Accounts1A2B: table, Role: { Type: 'AWS::IAM::Role' } } })).toEqual([
    { TableName: 'Accounts1A2B', AttributeDefinitions, BillingMode, KeySchema },
  ]);
});

describe('routes', () => {
  const route = (RouteKey: string, AuthorizationScopes?: readonly string[]) => ({
    ...{ Type: 'AWS::ApiGatewayV2::Route', Properties: { RouteKey, AuthorizationScopes } },
  });
  const [show, lend] = routesOf({
    Resources: { A: route('GET /accounts/{id}', ['read']), B: route('POST /v1.0/{id}/lease') },
  });

  it.each([
    ['GET', '/accounts/ann', true],
    ['GET', '/accounts/room-1@2026-03-02T09:00Z', true],
    ['POST', '/accounts/ann', false],
    ['GET', '/accounts/', false],
    ['GET', '/accounts/ann/lease', false],
    ['GET', '/accounts', false],
  ])('%s %s: %s', (method, path, matches) => {
    expect(show?.matches(method, path)).toBe(matches);
  });

  it('have literal parts, and scopes', () => {
    expect(lend?.matches('POST', '/v1.0/ann/lease')).toBe(true);
    expect(lend?.matches('POST', '/v1x0/ann/lease')).toBe(false);
    expect([show?.scopes, lend?.scopes]).toEqual([['read'], []]);
  });
});

describe('a function', () => {
  const made = (Variables: object) => ({
    Resources: {
      Function: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          Handler: 'index.handler',
          Code: { S3Key: 'abc123.zip' },
          Environment: { Variables },
        },
      },
    },
  });
  const exporting = {
    Outputs: { Export: { Value: { Ref: 'Accounts1A2B' }, Export: { Name: 'Data:Accounts' } } },
  };

  it('has its environment, with logical ids for what it refers to', () => {
    const variables = { A: 'text', B: { Ref: 'Seals' }, C: { 'Fn::ImportValue': 'Data:Accounts' } };
    expect(functionOf(made(variables), exporting)).toEqual({
      ...{ handler: 'index.handler', assetHash: 'abc123' },
      env: { A: 'text', B: 'Seals', C: 'Accounts1A2B' },
    });
  });

  it.each([{ 'Fn::ImportValue': 'Data:Nothing' }, { 'Fn::GetAtt': ['Accounts1A2B', 'Arn'] }])(
    'with %j is none that can be run here',
    (value) => {
      expect(() => functionOf(made({ A: value }), exporting)).toThrow('stands for nothing here');
    },
  );

  it('has to be one', () => {
    expect(() => functionOf({}, exporting)).toThrow('There has to be one function.');
  });
});
