import { Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { describe, expect, it } from 'vitest';
import { FencingChecks } from '../../infra/policy/fencing-checks.ts';
import { exampleStacks } from '../../infra/stacks/example-stacks.ts';
import { describedApi } from '../support/described-api.ts';
import { iamOf } from './iam.ts';
import { offlineApps } from './offline-app.ts';

const apps = offlineApps();
const app = apps();
app.node.setContext('jwtIssuer', 'https://issuer.example.com');
app.node.setContext('jwtAudience', 'web,app');
const stacks = exampleStacks(app);
const iam = iamOf(app);

/** Without what changes with the code of a function, or belongs to somebody else: where the layers of AWS are. */
function masked(template: Template): unknown {
  const { Mappings: _, ...rest } = template.toJSON();
  return JSON.parse(JSON.stringify(rest).replaceAll(/[0-9a-f]{64}/g, '<hash>'));
}

describe.each([
  ['ledger', stacks.ledger],
  ['booking', stacks.booking],
] as const)('the API of the %s example', (name, stack) => {
  const template = Template.fromStack(stack);
  const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route')).map((it) => it.Properties);

  it('has the routes that are described, and no others', async () => {
    const description = await describedApi(
      new URL(`../../examples/${name}/http/openapi.yaml`, import.meta.url),
    );
    // Nothing was asked yet, so all that is described is unseen.
    const described = new Set(description.unseen().map((operation) => operation.replace(/ \d+$/, '')));
    expect(routes.map(({ RouteKey }) => RouteKey).sort()).toEqual([...described].sort());
  });

  it('lets nobody in without a token of the issuer, who may read or write', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
      AuthorizerType: 'JWT',
      JwtConfiguration: { Issuer: 'https://issuer.example.com', Audience: ['web', 'app'] },
    });
    const [authorizer] = Object.keys(template.findResources('AWS::ApiGatewayV2::Authorizer'));
    for (const { RouteKey, AuthorizationType, AuthorizerId, AuthorizationScopes } of routes) {
      const scope = `${name}/${RouteKey.startsWith('GET ') ? 'read' : 'write'}`;
      expect([AuthorizationType, AuthorizerId, AuthorizationScopes]).toEqual([
        'JWT',
        { Ref: authorizer },
        [scope],
      ]);
    }
  });

  it('is throttled, and logs every request without what it was about', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
      AccessLogSettings: { DestinationArn: Match.anyValue(), Format: Match.anyValue() },
    });
    const [stage] = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'));
    const format = Object.values(JSON.parse(stage?.Properties.AccessLogSettings.Format)) as string[];
    expect(format).toContain('$context.requestId');
    for (const variable of format) expect(variable).not.toMatch(/path|header|querystring/i);
    template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: Match.anyValue() });
  });

  it('I7: writes to its own tables under fences, and to those of nobody else', () => {
    const role = stack.api.fn.role;
    if (role === undefined) throw new Error('a function has a role');
    const own = stacks.data[name];
    const other = stacks.data[name === 'ledger' ? 'booking' : 'ledger'];
    const may = (action: string, table: IConstruct, attributes?: readonly string[]) =>
      iam.may(role, { action, table, ...(attributes && { attributes }) });
    for (const table of Object.values<IConstruct>(own.items)) {
      expect(may('PutItem', table, ['id', '_fence'])).toBe(true);
      expect(may('GetItem', table)).toBe(true);
      expect(may('PutItem', table, ['id'])).toBe(false);
      for (const action of [
        'BatchWriteItem',
        'DeleteItem',
        'PartiQLUpdate',
        'UpdateTimeToLive',
        'DeleteTable',
      ]) {
        expect(may(action, table, ['id', '_fence'])).toBe(false);
      }
    }
    expect(may('UpdateItem', own.leases)).toBe(true);
    expect(may('PutItem', own.leases)).toBe(false);
    for (const table of [other.leases, ...Object.values<IConstruct>(other.items)]) {
      for (const action of ['GetItem', 'PutItem', 'UpdateItem', 'Query']) {
        expect(may(action, table, ['id', '_fence'])).toBe(false);
      }
    }
  });

  it('reads one secret, its own', () => {
    const policies = Object.values(template.findResources('AWS::IAM::Policy'));
    const ofSecrets = policies
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
      .filter(({ Action }) => JSON.stringify(Action).includes('secretsmanager'));
    expect(ofSecrets).toEqual([
      {
        Effect: 'Allow',
        Action: 'secretsmanager:GetSecretValue',
        Resource: { Ref: expect.stringContaining('Seals') },
      },
    ]);
  });

  it('keeps its key where secrets are kept: neither the template nor the environment has it', () => {
    template.hasResourceProperties('AWS::SecretsManager::Secret', {
      SecretString: Match.absent(),
      GenerateSecretString: Match.objectLike({ GenerateStringKey: 'current', PasswordLength: 64 }),
    });
    const [secret] = Object.keys(template.findResources('AWS::SecretsManager::Secret'));
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ SEQUENCER_SECRET_ARN: { Ref: secret } }) },
    });
    expect(JSON.stringify(template.toJSON())).not.toContain('resolve:secretsmanager');
  });

  it('is as it was', () => {
    expect(masked(template)).toMatchSnapshot();
  });
});

it('the tables are as they were', () => {
  expect(masked(Template.fromStack(stacks.data))).toMatchSnapshot();
});

it('is as cdk-nag and our own checks want it', () => {
  expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  expect(new FencingChecks().validate({ appConstruct: app }).violations).toEqual([]);
});

it('the free slots of a day are a query, and the ledger needs none', () => {
  const { data, ledger, booking } = stacks;
  const query = (api: typeof ledger | typeof booking, table: IConstruct, index?: string) =>
    iam.may(api.api.fn.role as IConstruct, { action: 'Query', table, ...(index && { index }) });
  expect(query(booking, data.booking.items.slots, 'free')).toBe(true);
  expect(query(booking, data.booking.items.bookings)).toBe(false);
  expect(query(ledger, data.ledger.items.accounts)).toBe(false);
});

it('nothing is looked up in an account', () => {
  expect(app.synth().manifest.missing ?? []).toEqual([]);
});

it('without an issuer, nobody gets in', () => {
  const closed = apps();
  const { ledger } = exampleStacks(closed);
  // Or each run of this test would print it.
  Validations.of(closed).acknowledge({
    id: 'Annotation::dynamodb-fenced:NoJwtIssuer',
    reason: 'It is asked for.',
  });
  Template.fromStack(ledger).hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
    JwtConfiguration: { Issuer: 'https://issuer.invalid', Audience: ['nobody'] },
  });
});
