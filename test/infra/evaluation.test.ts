import { describe, expect, it } from 'vitest';
import { type ConditionKeys, holds } from '../../infra/policy/iam/condition.ts';
import { allowed } from '../../infra/policy/iam/evaluate.ts';
import { matches } from '../../infra/policy/iam/glob.ts';
import { statementsOf } from '../../infra/policy/iam/statement.ts';
import { and, every, not, or, some } from '../../infra/policy/iam/truth.ts';

/** A part that is known at deployment. */
const later = (name: string) => `\${${name}}`;
const region = later('AWS::Region');

it('what cannot be told decides nothing that something else decides', () => {
  expect([and(undefined, false), and(undefined, true), and()]).toEqual([false, undefined, true]);
  expect([or(undefined, true), or(undefined, false), or()]).toEqual([true, undefined, false]);
  expect([not(true), not(false), not(undefined)]).toEqual([false, true, undefined]);
  expect([every([], () => false), some([], () => true)]).toEqual([true, false]);
});

describe('patterns', () => {
  it.each([
    ['table/a', 'table/a', true],
    ['table/a', 'table/b', false],
    ['*', 'table/a', true],
    ['t*/a*', 'table/a', true],
    ['table/?', 'table/a', true],
    ['table/??', 'table/a', false],
    ['table/a/*', 'table/a', false],
    ['a.c', 'abc', false],
    ['**', '', true],
    // The same unknown part is the same.
    [`${region}:a`, `${region}:a`, true],
    ['*:a', `${region}:a`, true],
    ['?:a', `${region}:a`, undefined],
    [`eu-west-1:a`, `${region}:a`, undefined],
    [`eu-west-1:a`, `${region}:b`, false],
    [`${region}:a`, 'eu-west-1:a', undefined],
    [later('Some.Parameter'), 'arn:aws:dynamodb:eu-west-1:1:table/a', undefined],
    // A Region has neither a colon nor a slash in it.
    [`arn:${region}:b`, 'arn:a:a:b', false],
    [`arn:${later('unknown 1')}:b`, 'arn:a:a:b', undefined],
    [`a/${region}/c`, `a/${later('AWS::AccountId')}`, false],
  ])('%s matches %s: %s', (pattern, text, truth) => {
    expect(matches(pattern, text)).toBe(truth);
  });
});

describe('conditions', () => {
  const keys: ConditionKeys = {
    'dynamodb:attributes': ['id', '_fence'],
    'aws:principaltag/team': ['bank'],
    'aws:none': [],
  };

  it.each<[operator: string, key: string, values: string[], truth: boolean | undefined]>([
    ['ForAllValues:StringEquals', 'dynamodb:Attributes', ['id', '_fence', 'more'], true],
    ['ForAllValues:StringEquals', 'dynamodb:Attributes', ['id'], false],
    ['ForAnyValue:StringEquals', 'dynamodb:Attributes', ['id'], true],
    ['ForAnyValue:StringEquals', 'dynamodb:Attributes', ['other'], false],
    ['ForAllValues:StringNotEquals', 'dynamodb:Attributes', ['_fence'], false],
    ['ForAllValues:StringNotEquals', 'dynamodb:Attributes', ['other'], true],
    ['ForAllValues:StringNotLike', 'dynamodb:Attributes', ['_f*'], false],
    ['ForAnyValue:StringLike', 'dynamodb:Attributes', ['_f*'], true],
    // Of no values, all pass and none does.
    ['ForAllValues:StringNotEquals', 'aws:None', ['x'], true],
    ['ForAllValues:StringEquals', 'aws:None', ['x'], true],
    ['ForAnyValue:StringEquals', 'aws:None', ['x'], false],
    ['StringEquals', 'aws:PrincipalTag/team', ['bank'], true],
    ['StringNotEquals', 'aws:PrincipalTag/team', ['bank'], false],
    ['StringEquals', 'aws:None', ['x'], false],
    ['StringNotEquals', 'aws:None', ['x'], true],
    ['StringEqualsIfExists', 'aws:None', ['x'], true],
    ['StringEqualsIfExists', 'aws:PrincipalTag/team', ['x'], false],
    ['Null', 'aws:None', ['true'], true],
    ['Null', 'aws:None', ['false'], false],
    ['Null', 'aws:PrincipalTag/team', ['false'], true],
    ['StringEquals', 'aws:PrincipalTag/team', [later('aws:username')], undefined],
    ['StringEquals', 'aws:Unheard', ['x'], undefined],
    ['Bool', 'aws:PrincipalTag/team', ['true'], undefined],
    // The documentation warns of it, and does not say what comes of it.
    ['StringEquals', 'dynamodb:Attributes', ['id'], undefined],
  ])('%s %s %j: %s', (operator, key, values, truth) => {
    expect(holds(operator, key, values, keys)).toBe(truth);
  });
});

describe('policies', () => {
  const request = { action: 'dynamodb:PutItem', resource: 'table/a', keys: {} };
  const parsed = (...Statement: object[]) => statementsOf({ Statement });
  const allow = { Effect: 'Allow', Action: 'dynamodb:*', Resource: '*' };
  const deny = { ...allow, Effect: 'Deny' };
  const unsure = { Condition: { Bool: { 'aws:SecureTransport': 'false' } } };

  it.each<[string, boolean | undefined, Parameters<typeof allowed>[0]]>([
    ['nothing', false, { identity: [] }],
    ['an allowance', true, { identity: parsed(allow) }],
    ['one in other letters', true, { identity: parsed({ ...allow, Action: 'DynamoDB:putitem' }) }],
    ['a denial beside it', false, { identity: parsed(allow, deny) }],
    [
      'a denial of the table',
      false,
      { identity: parsed(allow), resource: parsed({ ...deny, Principal: '*' }) },
    ],
    ['a denial of the boundary', false, { identity: parsed(allow), boundary: parsed(allow, deny) }],
    [
      'a boundary without it',
      false,
      { identity: parsed(allow), boundary: parsed({ ...allow, Action: 's3:*' }) },
    ],
    [
      'the table’s allowance',
      true,
      { identity: [], resource: parsed({ ...allow, Principal: { AWS: '*' } }) },
    ],
    ['a denial that may apply', undefined, { identity: parsed(allow, { ...deny, ...unsure }) }],
    ['an allowance that may apply', undefined, { identity: parsed({ ...allow, ...unsure }) }],
    ['one that surely applies as well', true, { identity: parsed({ ...allow, ...unsure }, allow) }],
    [
      'everything but it',
      false,
      { identity: parsed({ Effect: 'Allow', NotAction: 'dynamodb:Put*', Resource: '*' }) },
    ],
    [
      'all other tables',
      false,
      { identity: parsed({ Effect: 'Allow', Action: '*', NotResource: 'table/*' }) },
    ],
    ['an element that nobody knows', undefined, { identity: parsed({ ...allow, Whenever: 'x' }) }],
    [
      'a branch of a template',
      undefined,
      { identity: statementsOf({ Statement: [{ 'Fn::If': ['C', allow, allow] }] }) },
    ],
    [
      'somebody else’s allowance',
      undefined,
      { identity: [], resource: parsed({ ...allow, Principal: { Service: 'a.amazonaws.com' } }) },
    ],
  ])('%s: %s', (_, truth, policies) => {
    expect(allowed(policies, request)).toBe(truth);
  });
});
