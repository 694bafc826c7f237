import { Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { exampleStacks } from '../../infra/stacks/example-stacks.ts';
import { describedApi } from '../support/described-api.ts';
import { offlineApps } from './offline-app.ts';

const apps = offlineApps();
const app = apps();
app.node.setContext('jwtIssuer', 'https://issuer.example.com');
app.node.setContext('jwtAudience', 'web,app');
const stacks = exampleStacks(app);

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

  it('touches its own tables alone, and of secrets its own', () => {
    const policies = Object.values(template.findResources('AWS::IAM::Policy'));
    const allowed = policies
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
      .filter(({ Effect }) => Effect === 'Allow');
    const own =
      name === 'ledger'
        ? 'LedgerAccounts|LedgerEntries|LedgerLines'
        : 'BookingSlots|BookingBookings|BookingMarkers';
    for (const { Action, Resource } of allowed) {
      expect(JSON.stringify(Action)).not.toContain('*');
      for (const resource of [Resource].flat().map((it) => JSON.stringify(it))) {
        expect(resource).not.toBe('"*"');
        if (JSON.stringify(Action).includes('dynamodb:')) {
          expect(resource).toMatch(
            new RegExp(`GetAtt(${own}|${name === 'ledger' ? 'Ledger' : 'Booking'}Leases)`),
          );
        }
      }
    }
    const ofSecrets = allowed.filter(({ Action }) => JSON.stringify(Action).includes('secretsmanager'));
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

it('AWS Solutions finds nothing that has no reason', () => {
  expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
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
