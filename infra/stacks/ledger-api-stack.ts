import { Stack, type StackProps } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import type { DataStack } from './data-stack.ts';
import { ExampleApi, type JwtProps, type Route } from './example-api.ts';

/** What the API of the ledger is given. */
export interface LedgerApiStackProps extends StackProps, JwtProps {
  readonly tables: DataStack['ledger'];
}

// As examples/ledger/http/openapi.yaml describes them.
const account = '/accounts/{id}';
const routes: readonly Route[] = [
  { method: HttpMethod.GET, path: account, scope: 'ledger/read' },
  { method: HttpMethod.POST, path: `${account}/lease`, scope: 'ledger/write' },
  { method: HttpMethod.POST, path: `${account}/transfers`, scope: 'ledger/write' },
];

/** The ledger behind HTTP. */
export class LedgerApiStack extends Stack {
  readonly api: ExampleApi;

  constructor(
    scope: Construct,
    id: string,
    { tables, jwtIssuer, jwtAudience, ...props }: LedgerApiStackProps,
  ) {
    super(scope, id, props);
    this.api = new ExampleApi(this, 'Ledger', {
      entry: 'examples/ledger/http/lambda.ts',
      ...{ tables, routes, jwtIssuer, jwtAudience },
    });
  }
}
