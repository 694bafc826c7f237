import type { Template } from 'aws-cdk-lib/assertions';

/** A request, as far as IAM sees it. */
export interface IamRequest {
  readonly action: string;
  readonly resource: string;
  /** The names in `dynamodb:Attributes`; undefined where the request has no such key. */
  readonly attributes?: readonly string[];
}

interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: Record<string, Record<string, string | string[]>>;
}

/** The ARN that a reference to a table stands for. */
export const arnOf = (logicalId: string) => `arn:aws:dynamodb:us-east-1:111122223333:table/${logicalId}`;

/** The statements of every policy that is attached to a role. */
export function statementsOf(template: Template, roleId: string): Statement[] {
  const policies = Object.values(template.findResources('AWS::IAM::Policy'));
  return policies
    .filter(({ Properties }) => Properties.Roles.some((role: { Ref: string }) => role.Ref === roleId))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement as Statement[]);
}

/**
 * What IAM would answer by these statements: an explicit denial wins, and what nothing allows is denied. It knows what our
 * policies use and throws on anything else, so that a new element of them cannot be passed over.
 */
export function allowed(statements: readonly Statement[], request: IamRequest): boolean {
  const applying = statements.filter((statement) => applies(statement, request));
  return (
    applying.some(({ Effect }) => Effect === 'Allow') && !applying.some(({ Effect }) => Effect === 'Deny')
  );
}

function applies(statement: Statement, request: IamRequest): boolean {
  const known = new Set(['Effect', 'Action', 'Resource', 'Condition', 'Sid']);
  for (const name of Object.keys(statement))
    if (!known.has(name)) throw new Error(`${name} is not evaluated here`);
  return (
    list(statement.Action).some((pattern) =>
      matches(String(pattern).toLowerCase(), request.action.toLowerCase()),
    ) &&
    list(statement.Resource).some((resource) => matches(text(resource), request.resource)) &&
    Object.entries(statement.Condition ?? {}).every(([operator, keys]) => holds(operator, keys, request))
  );
}

function holds(operator: string, keys: Record<string, string | string[]>, request: IamRequest): boolean {
  if (operator !== 'ForAllValues:StringNotEquals') throw new Error(`${operator} is not evaluated here`);
  return Object.entries(keys).every(([key, values]) => {
    if (key !== 'dynamodb:Attributes') throw new Error(`${key} is not evaluated here`);
    // Of no values, every one is unequal: so it also holds where the request has no such key.
    return (request.attributes ?? []).every((name) => !list(values).includes(name));
  });
}

/** The text that a resource of a template stands for: with the table's ARN for a reference to it. */
function text(resource: unknown): string {
  if (typeof resource === 'string') return resource;
  const { 'Fn::GetAtt': attribute, 'Fn::Join': join } = resource as {
    'Fn::GetAtt'?: [string, string];
    'Fn::Join'?: [string, unknown[]];
  };
  if (attribute?.[1] === 'Arn') return arnOf(attribute[0]);
  if (join !== undefined) return join[1].map(text).join(join[0]);
  throw new Error(`${JSON.stringify(resource)} is not evaluated here`);
}

function matches(pattern: string, value: string): boolean {
  const parts = pattern
    .split('*')
    .map((part) => part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '.'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(value);
}

function list<T>(value: T | T[]): T[] {
  return Array.isArray(value) ? value : [value];
}
