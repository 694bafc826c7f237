import { Stack } from 'aws-cdk-lib';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import { FencedTable } from '../../infra/constructs/fenced-table.ts';
import { FencingBoundary } from '../../infra/constructs/fencing-boundary.ts';
import { LeaseTable } from '../../infra/constructs/lease-table.ts';
import { FencingChecks } from '../../infra/policy/fencing-checks.ts';
import { iamOf, type TestRequest } from './iam.ts';
import { offlineApps } from './offline-app.ts';

const newApp = offlineApps();

function worldOf(fenceAttribute?: string) {
  const app = newApp();
  const stack = new Stack(app, 'Stack');
  const items = new FencedTable(stack, 'Items', {
    partitionKey: { name: 'id', type: AttributeType.STRING },
    ...(fenceAttribute !== undefined && { attributes: { fence: fenceAttribute } }),
  });
  const leases = new LeaseTable(stack, 'Leases');
  const functions = new Stack(app, 'Functions');
  const assumedBy = new ServicePrincipal('lambda.amazonaws.com');
  new FencingBoundary(stack, 'Boundary', fenceAttribute === undefined ? {} : { fenceAttribute }).applyTo(
    functions,
  );
  const wide = new Role(functions, 'Wide', { assumedBy });
  const idle = new Role(functions, 'Idle', { assumedBy });
  wide.addToPolicy(new PolicyStatement({ actions: ['*'], resources: ['*'] }));
  return { app, items, leases, wide, idle };
}

describe('a role that was granted everything, behind the boundary', () => {
  const { app, items, leases, wide, idle } = worldOf();
  const iam = iamOf(app);
  const named = ['id', '_fence'];

  it.each<[string, boolean, TestRequest]>([
    ['a put that names the fence', true, { action: 'PutItem', table: items, attributes: named }],
    ['an update that names the fence', true, { action: 'UpdateItem', table: items, attributes: named }],
    ['a read', true, { action: 'GetItem', table: items }],
    [
      'an update of a lease',
      true,
      { action: 'UpdateItem', table: leases, attributes: ['resource', 'token'] },
    ],
    ['a delete in a table that is none of ours', true, { action: 'DeleteItem', table: 'other' }],
    ['a put in one', true, { action: 'PutItem', table: 'other', attributes: ['id'] }],
    ['a put that names it nowhere', false, { action: 'PutItem', table: items, attributes: ['id'] }],
    ['an update that names it nowhere', false, { action: 'UpdateItem', table: items, attributes: ['id'] }],
    ['a put of which no name is known', false, { action: 'PutItem', table: items }],
    ['a put of a lease', false, { action: 'PutItem', table: leases, attributes: ['resource', '_fence'] }],
    ...[
      ...[
        'BatchWriteItem',
        'PartiQLInsert',
        'PartiQLUpdate',
        'PartiQLDelete',
        'DeleteItem',
        'UpdateTimeToLive',
      ],
      ...[
        'TagResource',
        'UntagResource',
        'DeleteTable',
        'UpdateTable',
        'PutResourcePolicy',
        'DeleteResourcePolicy',
      ],
    ].flatMap((action): [string, boolean, TestRequest][] => [
      [`${action} of items`, false, { action, table: items, attributes: named }],
      [`${action} of leases`, false, { action, table: leases, attributes: named }],
    ]),
  ])('%s: %s', (_, may, request) => {
    expect(iam.may(wide, request)).toBe(may);
  });

  it('and one that was granted nothing has nothing from it', () => {
    expect(iam.may(idle, { action: 'GetItem', table: items })).toBe(false);
  });

  it('is not found by the checks where tags are known to count', () => {
    const known = new FencingChecks({ abac: true }).validate({ appConstruct: app });
    expect(known.violations).toEqual([]);
  });

  it('is found by them otherwise: where they do not, nothing is denied', () => {
    for (const options of [undefined, {}, { abac: false }]) {
      const { violations } = new FencingChecks(options).validate({ appConstruct: app });
      const rules = new Set(violations.map(({ ruleName }) => ruleName));
      expect([...rules].sort()).toEqual([
        ...['ExpiryChange', 'GuardChange', 'TokenReset', 'UnconditionalWrite', 'UnfenceableWrite'],
      ]);
      expect(violations[0]?.description).toContain('may, depending on what is known at deployment,');
    }
  });
});

it('the name of the fence may be another', () => {
  const { app, items, wide } = worldOf('_f');
  const may = (name: string) =>
    iamOf(app).may(wide, { action: 'PutItem', table: items, attributes: ['id', name] });
  expect([may('_f'), may('_fence')]).toEqual([true, false]);
});
