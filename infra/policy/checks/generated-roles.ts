import { elementsOf } from '../iam/branches.ts';
import { asCertainAs, placed } from './attachments.ts';
import { boundaryOf, type FindManagedPolicy } from './managed-policies.ts';
import type { Principal } from './principals.ts';
import { samPolicyTemplate } from './sam-policy-templates.ts';
import type { Json, SynthesisedResource } from './synthesised-app.ts';
import type { TextsOf } from './texts.ts';

/** Whoever has policies without a role in the template: a role is made of the resource by SAM, or by IAM Identity Center. */
export function generatedRoles(
  resources: readonly SynthesisedResource[],
  texts: TextsOf,
  managed: FindManagedPolicy,
): Principal[] {
  return resources.flatMap((resource) => {
    if (/^AWS::Serverless::(Function|StateMachine)$/.test(resource.type))
      return ofSam(resource, texts, managed);
    return resource.type === 'AWS::SSO::PermissionSet' ? [permissionSet(resource, texts, managed)] : [];
  });
}

/** A function or a state machine of SAM. One that is given a role has no other. */
function ofSam(resource: SynthesisedResource, texts: TextsOf, managed: FindManagedPolicy): Principal[] {
  const { Role, Policies, PermissionsBoundary: limit } = resource.properties;
  if (Role !== undefined) return [];
  const text = texts(resource.stack);
  const identity = elementsOf(Policies).flatMap((it) => {
    const { value } = it;
    const document = samPolicyTemplate(value) ?? value;
    const isDocument = (document as Json | null)?.Statement !== undefined;
    const statements = isDocument
      ? placed(resource, 'Policies', document, texts)
      : managed(text(value), resource, 'Policies').statements;
    return asCertainAs(it, statements);
  });
  const boundary = limit === undefined ? undefined : boundaryOf(managed(text(limit), resource));
  const account = text({ Ref: 'AWS::AccountId' });
  return [{ label: labelOf(resource), account, identity, ...(boundary && { boundary }) }];
}

/** Of a permission set it is not known which accounts it is for. */
function permissionSet(resource: SynthesisedResource, texts: TextsOf, managed: FindManagedPolicy): Principal {
  const { InlinePolicy, ManagedPolicies, CustomerManagedPolicyReferences, PermissionsBoundary } =
    resource.properties;
  const text = texts(resource.stack);
  const find = (arn: string) => managed(arn, resource, 'ManagedPolicies');
  // In any account, under this name.
  const referred = ({ Path = '/', Name }: Json) => find(`arn:*:iam::*:policy${text(Path)}${text(Name)}`);
  const limit = PermissionsBoundary as Json | undefined;
  const limitName = limit?.CustomerManagedPolicyReference as Json | undefined;
  const boundary =
    limit && boundaryOf(limitName === undefined ? find(text(limit.ManagedPolicyArn)) : referred(limitName));
  const identity = [
    ...placed(resource, 'InlinePolicy', parsed(InlinePolicy), texts),
    ...elementsOf(ManagedPolicies).flatMap((it) => asCertainAs(it, find(text(it.value)).statements)),
    ...elementsOf(CustomerManagedPolicyReferences).flatMap((it) =>
      asCertainAs(it, referred(it.value as Json).statements),
    ),
  ];
  return { label: labelOf(resource), account: '', identity, ...(boundary && { boundary }) };
}

/** A document may be given as the text of its JSON. */
function parsed(document: unknown): unknown {
  if (typeof document !== 'string') return document;
  try {
    return JSON.parse(document);
  } catch {
    return undefined;
  }
}

function labelOf({ construct }: SynthesisedResource): string {
  return construct.node.path.replace(/\/Resource$/, '');
}
