import { type App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AttributeType, MultiRegionConsistency } from 'aws-cdk-lib/aws-dynamodb';
import { AccountPrincipal, type IGrantable, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Function as AnyFunction } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { FencedTable, type FencedTableProps } from '../../infra/constructs/fenced-table.ts';
import { LeaseTable } from '../../infra/constructs/lease-table.ts';
import { offlineApps } from './offline-app.ts';

const app = offlineApps();
const account = '111122223333';
const partitionKey = { name: 'id', type: AttributeType.STRING };
const inRegion = () => new Stack(app(), 'Stack', { env: { account, region: 'us-east-1' } });
const roleIn = (stack: Stack) =>
  new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
const strong = {
  replicas: [{ region: 'us-east-2' }, { region: 'us-west-2' }],
  multiRegionConsistency: MultiRegionConsistency.STRONG,
};

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
}

function statementsIn(stack: Stack): Statement[] {
  const policies = Template.fromStack(stack).findResources('AWS::IAM::Policy');
  return Object.values(policies).flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
}

describe('who takes no denials is refused', () => {
  const refused = (grantee: (stack: Stack) => IGrantable) => {
    const stack = inRegion();
    const items = new FencedTable(stack, 'Items', { partitionKey });
    const leases = new LeaseTable(stack, 'Leases');
    const error = (path: string) => expect.objectContaining({ code: 'FencedTableDenyNotAttached', path });
    const to = grantee(stack);
    expect(() => items.grantFencedWrite(to)).toThrow(error('Stack/Items'));
    expect(() => leases.grantLease(to)).toThrow(error('Stack/Leases'));
    // Neither did half of it stay.
    expect(statementsIn(stack)).toEqual([]);
  };
  const imported = (of: string, mutable: boolean) => (stack: Stack) =>
    Role.fromRoleArn(stack, 'Imported', `arn:aws:iam::${of}:role/theirs`, { mutable });

  it.each<[string, (stack: Stack) => IGrantable]>([
    ['an account', () => new AccountPrincipal('444455556666')],
    ['a role that is imported as immutable', imported(account, false)],
    ['a role of another account', imported('444455556666', true)],
    ['a role by name, as immutable', (stack) => Role.fromRoleName(stack, 'R', 'theirs', { mutable: false })],
    ['a role without policy updates', (stack) => roleIn(stack).withoutPolicyUpdates()],
    [
      'a function that is imported without its role',
      (stack) => AnyFunction.fromFunctionName(stack, 'Theirs', 'theirs'),
    ],
  ])('%s', (_, grantee) => refused(grantee));

  it('so is a role of another account, whom only a resource policy could let in', () => {
    const stack = inRegion();
    const other = new Stack(Stack.of(stack).node.root as App, 'Other', {
      env: { account: '444455556666', region: 'us-east-1' },
    });
    const role = new Role(other, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    const error = (path: string) => expect.objectContaining({ code: 'FencedTableOtherAccount', path });
    const items = new FencedTable(stack, 'Items', { partitionKey });
    expect(() => items.grantFencedWrite(role)).toThrow(error('Stack/Items'));
    expect(() => new LeaseTable(stack, 'Leases').grantLease(role)).toThrow(error('Stack/Leases'));
  });

  it('but an imported role of the same account takes them', () => {
    const stack = inRegion();
    new FencedTable(stack, 'Items', { partitionKey }).grantFencedWrite(imported(account, true)(stack));
    Template.fromStack(stack).hasResourceProperties('AWS::IAM::Policy', { Roles: ['theirs'] });
    expect(statementsIn(stack).map(({ Effect }) => Effect)).toEqual(['Deny', 'Deny', 'Allow']);
  });
});

describe('keys', () => {
  function keyActions(props: Partial<FencedTableProps>, grant: (table: FencedTable, role: Role) => unknown) {
    const stack = inRegion();
    const table = new FencedTable(stack, 'Items', {
      partitionKey,
      encryptionKey: new Key(stack, 'Key'),
      ...props,
    });
    grant(table, roleIn(stack));
    const ofKeys = statementsIn(stack).filter(({ Action }) => [Action].flat().some((it) => /^kms:/.test(it)));
    return ofKeys.map(({ Action, Resource }) => [[Action].flat().sort(), Resource]);
  }
  const own = { 'Fn::GetAtt': [expect.stringMatching(/^Key/), 'Arn'] };
  const both = ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'];

  it('a reader may decrypt, a writer encrypt as well', () => {
    expect(keyActions({}, (table, role) => table.grantRead(role))).toEqual([[['kms:Decrypt'], own]]);
    expect(keyActions({}, (table, role) => table.grantFencedWrite(role))).toEqual([[both, own]]);
  });

  it('the keys of other Regions are granted along', () => {
    const replicaKeyArns = {
      'us-east-2': `arn:aws:kms:us-east-2:${account}:key/a`,
      'us-west-2': `arn:aws:kms:us-west-2:${account}:key/b`,
    };
    const arns = Object.values(replicaKeyArns);
    const granted = keyActions({ ...strong, replicaKeyArns }, (table, role) => table.grantFencedWrite(role));
    // The CDK may put what is alike into one statement.
    const resources = granted.flatMap(([, resource]) => resource);
    expect(resources).toEqual(expect.arrayContaining([own, ...arns]));
    for (const [actions] of granted) expect(actions).toEqual(both);
  });

  it('leases have theirs', () => {
    const stack = inRegion();
    const role = roleIn(stack);
    new LeaseTable(stack, 'Leases', { encryptionKey: new Key(stack, 'Key') }).grantLease(role);
    const actions = statementsIn(stack).flatMap(({ Action }) => Action);
    expect(actions).toEqual(expect.arrayContaining(both));
  });
});

it('grants and denials are about every Region of the table', () => {
  const stack = inRegion();
  const table = new FencedTable(stack, 'Items', { partitionKey, ...strong });
  table.grantFencedWrite(roleIn(stack));
  const statements = statementsIn(stack);
  expect(statements.map(({ Effect }) => Effect)).toEqual(['Deny', 'Deny', 'Allow']);
  for (const { Resource } of statements) {
    expect(Resource).toHaveLength(3);
    const text = JSON.stringify(Resource);
    for (const region of ['us-east-2', 'us-west-2'])
      expect(text).toContain(`:dynamodb:${region}:${account}:table/`);
    expect(Resource).toContainEqual({ 'Fn::GetAtt': [expect.stringMatching(/^Items/), 'Arn'] });
  }
});

it('and every Region of the table is tagged, for the boundary and for tables that are found by their tag', () => {
  const stack = inRegion();
  new FencedTable(stack, 'Items', { partitionKey, ...strong });
  const tag = { Key: 'dynamodb-fenced:role', Value: 'items' };
  Template.fromStack(stack).hasResourceProperties('AWS::DynamoDB::GlobalTable', {
    Replicas: ['us-east-2', 'us-west-2', 'us-east-1'].map((Region) =>
      Match.objectLike({ Region, Tags: [tag] }),
    ),
  });
});
