import type { TextOf } from '../iam/statement.ts';
import type { SynthesisedResource } from './synthesised-app.ts';

/** How the resources that matter here are named, and what stands in their ARN before that. */
const kinds: Readonly<Record<string, { readonly named: string; readonly arn: readonly [string, string] }>> = {
  'AWS::DynamoDB::GlobalTable': { named: 'TableName', arn: ['dynamodb', 'table'] },
  'AWS::DynamoDB::Table': { named: 'TableName', arn: ['dynamodb', 'table'] },
  'AWS::Serverless::SimpleTable': { named: 'TableName', arn: ['dynamodb', 'table'] },
  'AWS::IAM::Role': { named: 'RoleName', arn: ['iam', 'role'] },
  'AWS::IAM::User': { named: 'UserName', arn: ['iam', 'user'] },
  'AWS::IAM::Group': { named: 'GroupName', arn: ['iam', 'group'] },
  'AWS::IAM::ManagedPolicy': { named: 'ManagedPolicyName', arn: ['iam', 'policy'] },
};

/** What a `Ref` to a resource gives. Of a managed policy it is the ARN. */
export function nameOf(resource: SynthesisedResource, text: TextOf): string {
  return resource.type === 'AWS::IAM::ManagedPolicy' ? arnOf(resource, text) : ownName(resource, text);
}

/**
 * The ARN of a resource.
 *
 * @param region where it is; by default where its stack is.
 */
export function arnOf(resource: SynthesisedResource, text: TextOf, region?: string): string {
  const kind = kinds[resource.type];
  // Of no matter here, but that it is no table of ours.
  if (kind === undefined) return `${resource.type} ${resource.construct.node.path}`;
  const [service, what] = kind.arn;
  const where = service === 'iam' ? '' : (region ?? { Ref: 'AWS::Region' });
  const parts = ['arn', { Ref: 'AWS::Partition' }, service, where, { Ref: 'AWS::AccountId' }, `${what}/`];
  const path = typeof resource.properties.Path === 'string' ? resource.properties.Path.slice(1) : '';
  return parts.map(text).join(':') + path + ownName(resource, text);
}

/** What a custom resource returns is known to the function behind it alone. */
export function isMadeByPrograms({ type }: SynthesisedResource): boolean {
  return /^(Custom::|AWS::CloudFormation::CustomResource$)/.test(type);
}

function ownName(resource: SynthesisedResource, text: TextOf): string {
  const kind = kinds[resource.type];
  if (kind === undefined) return `${resource.type} ${resource.construct.node.path}`;
  const given = resource.properties[kind.named];
  if (given !== undefined) return text(given);
  // As CloudFormation makes them, with an ending of its own that is known later: this one is in nobody's policy either.
  const ending = resource.construct.node.addr.slice(2, 14).toUpperCase();
  return `${resource.stack.name}-${resource.logicalId}-${ending}`;
}
