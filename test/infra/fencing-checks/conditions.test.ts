import { CfnCondition, type CfnElement, CfnParameter, type CfnResource, Fn } from 'aws-cdk-lib';
import { CfnManagedPolicy, CfnPolicy, CfnRole, CfnUser, Group, ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import { allow, found, l1, rulesOf, type World, world } from './world.ts';

const document = (Action: string) => ({ Statement: [{ Effect: 'Allow', Action, Resource: '*' }] });
const bad = document('dynamodb:DeleteItem');
const harmless = document('s3:GetObject');
const nothing = { Ref: 'AWS::NoValue' };

/** A value that a condition of the template decides about. */
const either = (one: unknown, other: unknown = nothing) => ({ 'Fn::If': ['C', one, other] });

/** A world in which something may be decided by the condition `C`. */
function undecided(): World {
  const made = world();
  new CfnCondition(made.stack, 'C', { expression: Fn.conditionEquals('a', 'a') });
  return made;
}

const handMade = ({ stack }: World, properties: Readonly<Record<string, unknown>>): CfnResource => {
  const role = new CfnRole(stack, 'Hand', { assumeRolePolicyDocument: {} });
  for (const [name, value] of Object.entries(properties)) role.addPropertyOverride(name, value);
  return role;
};

describe('what a condition of the template decides may be decided either way', () => {
  it.each<[string, (world: World) => CfnElement]>([
    [
      'an inline policy',
      (it) => handMade(it, { Policies: [either({ PolicyName: 'p', PolicyDocument: bad })] }),
    ],
    [
      'all inline policies',
      (it) => handMade(it, { Policies: either([{ PolicyName: 'p', PolicyDocument: bad }]) }),
    ],
    [
      'a document',
      (it) => handMade(it, { Policies: [{ PolicyName: 'p', PolicyDocument: either(harmless, bad) }] }),
    ],
    [
      'a condition within a condition',
      (it) => handMade(it, { Policies: [either(nothing, either({ PolicyDocument: bad }))] }),
    ],
    [
      'the ARN of a managed policy',
      (it) => handMade(it, { ManagedPolicyArns: [either('arn:aws:iam::aws:policy/AdministratorAccess')] }),
    ],
    [
      'all ARNs of managed policies',
      (it) => handMade(it, { ManagedPolicyArns: either(['arn:aws:iam::aws:policy/AdministratorAccess']) }),
    ],
    [
      'whom a policy is attached to',
      (it) => {
        new CfnRole(it.stack, 'Hand', { assumeRolePolicyDocument: {}, roleName: 'hand' });
        const policy = new CfnPolicy(it.stack, 'P', { policyName: 'p', policyDocument: bad });
        policy.addPropertyOverride('Roles', either(['hand']));
        return policy;
      },
    ],
    [
      'the groups of a user',
      (it) => {
        new Group(it.stack, 'Group', { groupName: 'staff' }).addToPolicy(allow('dynamodb:DeleteItem'));
        const user = new CfnUser(it.stack, 'Hand');
        user.addPropertyOverride('Groups', either(['staff']));
        return user;
      },
    ],
  ])('%s', (_, make) => {
    const it = undecided();
    make(it);
    expect(found(it.app)).toContainEqual(expect.stringMatching(/UnfenceableWrite: .*Data\/Hand|hand.* may/));
  });

  it('a denial that may be left out takes nothing away', () => {
    const it = undecided();
    const denial = { Statement: [{ Effect: 'Deny', Action: 'dynamodb:*', Resource: '*' }] };
    const allows = { PolicyName: 'a', PolicyDocument: bad };
    handMade(it, { Policies: [allows, either({ PolicyName: 'd', PolicyDocument: denial })] });
    expect(rulesOf(it.app)).toContain('UnfenceableWrite');
  });

  it('a boundary that may be another one keeps nobody out', () => {
    const it = undecided();
    const limit = new ManagedPolicy(it.stack, 'Limit', { statements: [allow('s3:*')] });
    const PermissionsBoundary = either(it.stack.resolve(limit.managedPolicyArn));
    handMade(it, { PermissionsBoundary, Policies: [{ PolicyName: 'p', PolicyDocument: bad }] });
    expect(rulesOf(it.app)).toContain('UnfenceableWrite');
  });

  it.each<[string, string, unknown]>([
    ['replicas', 'EventualReplica', either([{ Region: 'us-east-1' }, { Region: 'us-east-2' }])],
    ['a time to live', 'TimeToLive', either({ AttributeName: 'ttl', Enabled: true })],
    [
      'an index',
      'IndexWithoutFence',
      either([{ IndexName: 'i', KeySchema: [], Projection: { ProjectionType: 'KEYS_ONLY' } }]),
    ],
  ])('%s of a table', (_, rule, value) => {
    const it = undecided();
    const property = {
      EventualReplica: 'Replicas',
      TimeToLive: 'TimeToLiveSpecification',
      IndexWithoutFence: 'GlobalSecondaryIndexes',
    }[rule] as string;
    l1(it.items).addPropertyOverride(property, value);
    expect(rulesOf(it.app)).toContain(rule);
  });

  it('but what is left out either way is not there', () => {
    const it = undecided();
    l1(it.items).addPropertyOverride('TimeToLiveSpecification', either(nothing));
    handMade(it, { Policies: either([]), ManagedPolicyArns: either(nothing) });
    expect(found(it.app)).toEqual([]);
  });
});

describe('a managed policy whose ARN is known only when it is deployed', () => {
  it.each([
    ['before', ['Bad', 'Good']],
    ['behind', ['Good', 'Bad']],
  ])('may be any of the app: that which writes stands %s the other one', (_, order) => {
    const it = world();
    for (const id of order) {
      new CfnManagedPolicy(it.stack, id, { policyDocument: id === 'Bad' ? bad : harmless });
    }
    const arn = new CfnParameter(it.stack, 'Arn').valueAsString;
    new CfnRole(it.stack, 'Hand', { assumeRolePolicyDocument: {}, managedPolicyArns: [arn] });
    expect(found(it.app)).toContainEqual(expect.stringMatching(/UnfenceableWrite: Data\/Hand may/));
  });
});
