import { fileURLToPath } from 'node:url';
import { Duration, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { describe, expect, it } from 'vitest';
import { FencedFunction, type FencedFunctionProps } from '../../infra/constructs/fenced-function.ts';
import { FencedTable } from '../../infra/constructs/fenced-table.ts';
import { LeaseTable } from '../../infra/constructs/lease-table.ts';
import { offlineApps } from './offline-app.ts';

const app = offlineApps();
const entry = fileURLToPath(new URL('../../examples/ledger/http/lambda.ts', import.meta.url));

function tables() {
  const stack = new Stack(app(), 'Stack');
  const partitionKey = { name: 'id', type: AttributeType.STRING };
  return {
    stack,
    leases: new LeaseTable(stack, 'Leases'),
    accounts: new FencedTable(stack, 'Accounts', { partitionKey }),
    rates: new FencedTable(stack, 'Rates', {
      partitionKey,
      globalSecondaryIndexes: [
        { indexName: 'currency', partitionKey: { name: 'currency', type: AttributeType.STRING } },
      ],
    }),
  };
}
type Tables = ReturnType<typeof tables>;

function deployed(props: (tables: Tables) => Partial<FencedFunctionProps> = () => ({})) {
  const made = tables();
  const fn = new FencedFunction(made.stack, 'Teller', { entry, ...props(made) });
  const template = Template.fromStack(made.stack);
  const [properties] = Object.values(template.findResources('AWS::Lambda::Function')).map(
    (it) => it.Properties,
  );
  return { ...made, fn, template, properties };
}

/** What its role is allowed, on what. */
function allowed(template: Template): [actions: string[], resource: string][] {
  return Object.values(template.findResources('AWS::IAM::Policy'))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap(({ Action, Resource }) =>
      [Resource].flat().map((it): [string[], string] => [[Action].flat(), nameOf(it)]),
    );
}

function nameOf(resource: { 'Fn::GetAtt'?: [string]; 'Fn::Join'?: [string, unknown[]] }): string {
  const { 'Fn::GetAtt': attribute, 'Fn::Join': join } = resource;
  if (join !== undefined)
    return join[1].map((it) => (typeof it === 'string' ? it : nameOf(it as object))).join('');
  return (attribute?.[0] ?? JSON.stringify(resource)).replace(/[0-9A-F]{8}$/, '');
}

const writes = [
  'dynamodb:ConditionCheckItem',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
].sort();

describe('a function', () => {
  it('is small, quick and told apart from nothing: Node 24 on arm64, as a module, with logs as JSON', () => {
    const { template } = deployed();
    template.hasResourceProperties('AWS::Lambda::Function', {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: 1024,
      Timeout: 29,
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: Match.stringLikeRegexp('^TellerLogs') } },
    });
    template.hasResourceProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 });
  });

  it('may do nothing but log, until it is given tables', () => {
    const { template, properties } = deployed();
    expect(allowed(template)).toEqual([[['logs:CreateLogStream', 'logs:PutLogEvents'], 'TellerLogs']]);
    template.allResourcesProperties('AWS::IAM::Role', { ManagedPolicyArns: Match.absent() });
    expect(properties.Environment.Variables).toEqual({
      FENCING_METRICS_NAMESPACE: 'DynamoDBFenced',
    });
  });

  it('is told of its tables, and granted each as it is used', () => {
    const { template, properties, stack, leases, accounts, rates } = deployed((given) => ({
      leases: given.leases,
      writes: { accounts: given.accounts },
      reads: { exchangeRates: given.rates },
      metricsNamespace: 'bank',
    }));
    const name = (table: { readonly tableName: string }) => stack.resolve(table.tableName);
    expect(properties.Environment.Variables).toMatchObject({
      LEASES_TABLE: name(leases),
      ACCOUNTS_TABLE: name(accounts),
      EXCHANGE_RATES_TABLE: name(rates),
      FENCING_METRICS_NAMESPACE: 'bank',
    });
    const reads = ['BatchGetItem', 'DescribeTable', 'GetItem', 'Query', 'Scan'].map((it) => `dynamodb:${it}`);
    const grants = allowed(template).map(([actions, resource]) => [actions.sort(), resource]);
    expect(grants.slice(1)).toEqual([
      [writes.filter((action) => action !== 'dynamodb:PutItem'), 'Leases'],
      [writes, 'Accounts'],
      [reads, 'Rates'],
      [reads, 'Rates/index/currency'],
    ]);
    const denied = Match.objectLike({ Effect: 'Deny', Action: Match.arrayWith(['dynamodb:BatchWriteItem']) });
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: { Statement: Match.arrayWith([denied]) },
    });
  });

  it('a table that is written and queried is one, under one name', () => {
    const { properties } = deployed(({ accounts }) => ({ writes: { accounts }, reads: { accounts } }));
    expect(Object.keys(properties.Environment.Variables).filter((it) => it.endsWith('_TABLE'))).toEqual([
      'ACCOUNTS_TABLE',
    ]);
  });

  it('takes a role of another stack, which writes logs by a policy of its own stack', () => {
    const { stack, accounts } = tables();
    const [app, assumedBy] = [stack.node.root, new ServicePrincipal('lambda.amazonaws.com')];
    const role = new Role(new Stack(app, 'Roles'), 'Role', { assumedBy });
    const own = new Stack(app, 'Functions');
    new FencedFunction(own, 'Teller', { entry, role, writes: { accounts } });
    expect(allowed(Template.fromStack(own))).toEqual([
      [['logs:CreateLogStream', 'logs:PutLogEvents'], 'TellerLogs'],
    ]);
    expect(allowed(Template.fromStack(Stack.of(role))).map(([actions]) => actions.sort())).toEqual([writes]);
  });

  it('takes all that functions take', () => {
    const { template } = deployed(({ stack }) => ({
      runtime: Runtime.NODEJS_22_X,
      timeout: Duration.minutes(5),
      environment: { STAGE: 'test', NODE_OPTIONS: '--no-deprecation' },
      logGroup: new LogGroup(stack, 'Own'),
    }));
    template.hasResourceProperties('AWS::Lambda::Function', {
      Runtime: 'nodejs22.x',
      Timeout: 300,
      Environment: { Variables: { STAGE: 'test', NODE_OPTIONS: '--no-deprecation' } },
    });
    template.resourceCountIs('AWS::Logs::LogGroup', 1);
  });
});

describe('is refused', () => {
  const error = (message: string) => expect.objectContaining({ message: expect.stringContaining(message) });

  it.each<[string, (tables: Tables) => Partial<FencedFunctionProps>]>([
    ['of two tables', ({ accounts, rates }) => ({ writes: { accounts }, reads: { accounts: rates } })],
    ['of leases', ({ leases, accounts }) => ({ leases, writes: { leases: accounts } })],
  ])('one name %s', (_, props) => {
    expect(() => deployed(props)).toThrow(error('Stack/Teller: two tables are called'));
  });

  it.each<[string, (tables: Tables) => object, string]>([
    ['a table that there is not', () => ({ writes: { accounts: undefined } }), 'accounts is no table'],
    ['a table that is null', () => ({ writes: { accounts: null } }), 'accounts is no table'],
    ['a table by its name', () => ({ reads: { accounts: 'accounts' } }), 'accounts is no table'],
    [
      'a table that is none of ours',
      () => ({ reads: { accounts: { tableName: 'a' } } }),
      'accounts is no table',
    ],
    [
      'a name that no variable can have',
      ({ accounts }) => ({ writes: { 'my accounts': accounts } }),
      'name: "my accounts" cannot be',
    ],
    ['no file', () => ({ entry: undefined }), 'entry is missing'],
  ])('%s', (_, props, message) => {
    expect(() => deployed(props)).toThrow(error(`Stack/Teller: ${message}`));
  });

  it('an environment that says something else', () => {
    const other = { environment: { ACCOUNTS_TABLE: 'other' } };
    expect(() => deployed(({ accounts }) => ({ writes: { accounts }, ...other }))).toThrow(
      error('Stack/Teller: ACCOUNTS_TABLE is made of the props'),
    );
  });
});
