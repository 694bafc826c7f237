import { type App, Stack } from 'aws-cdk-lib';
import { AttributeType, type CfnGlobalTable } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { expect } from 'vitest';
import { FencedTable } from '../../../infra/constructs/fenced-table.ts';
import { LeaseTable } from '../../../infra/constructs/lease-table.ts';
import { FencingChecks } from '../../../infra/policy/fencing-checks.ts';
import { offlineApps } from '../offline-app.ts';

export const newApp = offlineApps();
export const account = '111122223333';
export const env = { account, region: 'us-east-1' };
export const partitionKey = { name: 'id', type: AttributeType.STRING };
export const assumedBy = new ServicePrincipal('lambda.amazonaws.com');

export interface World {
  readonly app: App;
  readonly stack: Stack;
  readonly items: FencedTable;
  readonly leases: LeaseTable;
  readonly role: Role;
}

export function world(options: { env?: typeof env; props?: object } = { env }): World {
  const app = newApp();
  const stack = new Stack(app, 'Data', options.env && { env: options.env });
  const items = new FencedTable(stack, 'Items', { partitionKey, ...options.props });
  const leases = new LeaseTable(stack, 'Leases');
  return { app, stack, items, leases, role: new Role(stack, 'Role', { assumedBy }) };
}

/** What is found, as `rule description`. */
export function found(app: App): string[] {
  app.synth();
  const { violations, success } = new FencingChecks().validate({ appConstruct: app });
  expect(success).toBe(violations.length === 0);
  return violations.map(({ ruleName, description }) => `${ruleName}: ${description}`);
}

export const rulesOf = (app: App) => [...new Set(found(app).map((it) => it.split(':')[0]))].sort();
export const allow = (actions: string | string[], resources: string | string[] = '*') =>
  new PolicyStatement({ actions: [actions].flat(), resources: [resources].flat() });
export const deny = (actions: string[], resources = ['*']) =>
  new PolicyStatement({ effect: Effect.DENY, actions, resources });
export const l1 = (table: FencedTable | LeaseTable) =>
  table.node.defaultChild!.node.defaultChild as unknown as CfnGlobalTable;
