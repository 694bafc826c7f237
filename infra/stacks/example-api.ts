import { fileURLToPath } from 'node:url';
import { CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import { HttpApi, type HttpMethod, HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { environmentVariables } from '../../src/lambda/environment.ts';
import { FencedFunction } from '../constructs/fenced-function.ts';
import type { FencedTable } from '../constructs/fenced-table.ts';
import { accessLog } from './access-log.ts';
import type { ExampleTables } from './example-tables.ts';
import { sealsSecret, secretsExtension } from './seals.ts';

/** Whose tokens an API takes. */
export interface JwtProps {
  /** Who issues them, as `https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_a1b2c3`. */
  readonly jwtIssuer: string;
  /** Whom they must be issued for, at least one of these. */
  readonly jwtAudience: readonly string[];
}

/** What clients may ask for, and which scope their token must have for it. */
export interface Route {
  readonly method: HttpMethod;
  readonly path: string;
  readonly scope: string;
}

/** What an API is made of. */
export interface ExampleApiProps extends JwtProps {
  /** The file of the handler, from the root of the project. */
  readonly entry: string;
  readonly tables: ExampleTables<string>;
  /** The tables that it queries, beside those single items that it reads under its grant of writes. */
  readonly queries?: Readonly<Record<string, FencedTable>>;
  readonly routes: readonly Route[];
}

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** An HTTP API and the one function that answers it: nobody gets through without a token, nobody floods it, and every request is logged. */
export class ExampleApi extends Construct {
  readonly api: HttpApi;
  readonly fn: FencedFunction;

  constructor(scope: Construct, id: string, props: ExampleApiProps) {
    super(scope, id);
    const secret = sealsSecret(this, 'Seals');
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'A rotation in one step would turn away fences that functions with the other key have sealed; it is changed in two, by hand.',
    });
    // #region function
    this.fn = new FencedFunction(this, 'Function', {
      entry: root(props.entry),
      depsLockFilePath: root('package-lock.json'),
      leases: props.tables.leases,
      writes: props.tables.items,
      reads: props.queries ?? {},
      environment: { [environmentVariables.sequencerSecret]: secret.secretArn },
      paramsAndSecrets: secretsExtension,
    });
    // #endregion function
    Grant.addToPrincipal({
      grantee: this.fn,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [secret.secretArn],
    });

    this.api = new HttpApi(this, 'Http', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
    });
    const authorizer = new HttpJwtAuthorizer('Jwt', props.jwtIssuer, {
      jwtAudience: [...props.jwtAudience],
    });
    const integration = new HttpLambdaIntegration('Function', this.fn);
    for (const { method, path, scope: needed } of props.routes) {
      this.api.addRoutes({ path, methods: [method], integration, authorizer, authorizationScopes: [needed] });
    }
    // Not called Default: an id of that name would be that of the API itself.
    new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: 50, burstLimit: 100 },
      accessLogSettings: accessLog(this, 'AccessLog'),
    });
    new CfnOutput(this, 'Url', { value: this.api.apiEndpoint });
  }
}
