import { elementsOf } from '../iam/branches.ts';
import { type Statement, statementsOf } from '../iam/statement.ts';
import {
  type Attachment,
  asCertainAs,
  attachmentsOf,
  type Kind,
  kinds,
  type Membership,
  membershipsOf,
  type PlacedStatement,
  placed,
} from './attachments.ts';
import { generatedRoles } from './generated-roles.ts';
import { boundaryOf, managedPolicies } from './managed-policies.ts';
import { arnOf, nameOf } from './names.ts';
import type { Json, SynthesisedStack } from './synthesised-app.ts';
import type { TextsOf } from './texts.ts';

/** A role, user or group, with all that is attached to it anywhere in the app. */
export interface Principal {
  /** Its path in the app, or its name where it is not of this app. */
  readonly label: string;
  /** Undefined where it is not of this app. */
  readonly arn?: string;
  readonly account: string;
  readonly identity: readonly PlacedStatement[];
  readonly boundary?: readonly Statement[];
  /** Whether nobody but CloudFormation acts as it, which does what the templates say. */
  readonly onlyDeploys?: boolean;
}

interface Own extends Principal {
  readonly kind: Kind;
  readonly name: string;
}

/** Whoever has a policy in this app. Users have those of their groups as well. */
export function principalsOf(stacks: readonly SynthesisedStack[], texts: TextsOf): Principal[] {
  const resources = stacks.flatMap((stack) => [...stack.resources.values()]);
  const attachments = resources.flatMap((resource) => attachmentsOf(resource, texts));
  const memberships = resources.flatMap((resource) => membershipsOf(resource, texts));
  const managed = managedPolicies(resources, texts);

  const own = resources.flatMap((resource): Own[] => {
    const kind = kinds.find((it) => resource.type === `AWS::IAM::${it}`);
    if (kind === undefined) return [];
    const text = texts(resource.stack);
    const name = nameOf(resource, text);
    const { ManagedPolicyArns, PermissionsBoundary: limit, Policies } = resource.properties;
    const onlyDeploys = trustsOnlyCloudFormation(
      statementsOf(resource.properties.AssumeRolePolicyDocument, text),
    );
    const inline = elementsOf(Policies).flatMap((it, index) => {
      const document = (it.value as Json | null)?.PolicyDocument;
      return asCertainAs(it, placed(resource, `Policies.${index}.PolicyDocument`, document, texts));
    });
    const known = elementsOf(ManagedPolicyArns).flatMap((it) =>
      asCertainAs(it, managed(text(it.value), resource).statements),
    );
    const attached = attachments.filter((it) => it.kind === kind && it.name === name);
    const identity = [...inline, ...known, ...attached.flatMap(({ statements }) => statements)];
    const boundary = limit === undefined ? undefined : boundaryOf(managed(text(limit), resource));
    const label = resource.construct.node.path.replace(/\/Resource$/, '');
    const account = text({ Ref: 'AWS::AccountId' });
    return [
      {
        ...{ kind, name, label, account, identity, onlyDeploys, arn: arnOf(resource, text) },
        ...(boundary && { boundary }),
      },
    ];
  });

  return [
    ...own.map((it) => (it.kind === 'User' ? withGroups(it, own, memberships) : it)),
    ...generatedRoles(resources, texts, managed),
    ...strangers(attachments, own),
  ];
}

function trustsOnlyCloudFormation(trust: readonly Statement[]): boolean {
  const trusted = trust.filter(({ effect }) => effect === 'Allow').map(({ principals }) => principals);
  const isIt = (name: string) => name === 'Service:cloudformation.amazonaws.com';
  return trusted.length > 0 && trusted.every((it) => it?.negated === false && it.patterns.every(isIt));
}

function withGroups(user: Own, own: readonly Own[], memberships: readonly Membership[]): Own {
  const groups = own.filter(({ kind }) => kind === 'Group');
  const inherited = memberships
    .filter((it) => it.user === user.name)
    .flatMap((it) => {
      const statements = groups.filter(({ name }) => name === it.group).flatMap(({ identity }) => identity);
      return asCertainAs(it, statements);
    });
  return { ...user, identity: [...user.identity, ...inherited] };
}

/** Whom policies are attached to without being of this app: imported roles, above all. */
function strangers(attachments: readonly Attachment[], own: readonly Own[]): Principal[] {
  const found = new Map<string, Principal>();
  for (const { kind, name, account, statements } of attachments) {
    if (own.some((it) => it.kind === kind && it.name === name)) continue;
    const label = `the ${kind.toLowerCase()} ${name}, which is not of this app,`;
    const identity = [...(found.get(label)?.identity ?? []), ...statements];
    found.set(label, { label, account, identity });
  }
  return [...found.values()];
}
