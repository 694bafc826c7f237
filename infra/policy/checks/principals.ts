import { elementsOf } from '../iam/branches.ts';
import { matches } from '../iam/glob.ts';
import type { Statement } from '../iam/statement.ts';
import {
  type Attachment,
  attachmentsOf,
  type Kind,
  kinds,
  type Membership,
  membershipsOf,
  type PlacedStatement,
  perhaps,
  placed,
} from './attachments.ts';
import { arnOf, nameOf } from './names.ts';
import { powerfulPolicy } from './powerful-policies.ts';
import type { Json, SynthesisedResource, SynthesisedStack } from './synthesised-app.ts';
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
    const inline = elementsOf(Policies).flatMap(({ value, certain }, index) => {
      const document = (value as Json | null)?.PolicyDocument;
      const statements = placed(resource, `Policies.${index}.PolicyDocument`, document, texts);
      return certain ? statements : perhaps(statements);
    });
    const known = elementsOf(ManagedPolicyArns).flatMap(({ value, certain }) => {
      const { statements } = managed(text(value), resource);
      return certain ? statements : perhaps(statements);
    });
    const attached = attachments.filter((it) => it.kind === kind && it.name === name);
    const identity = [...inline, ...known, ...attached.flatMap(({ statements }) => statements)];
    const boundary = limit === undefined ? undefined : boundaryOf(managed(text(limit), resource));
    const label = resource.construct.node.path.replace(/\/Resource$/, '');
    const account = text({ Ref: 'AWS::AccountId' });
    return [
      { kind, name, label, account, identity, arn: arnOf(resource, text), ...(boundary && { boundary }) },
    ];
  });

  return [
    ...own.map((it) => (it.kind === 'User' ? withGroups(it, own, memberships) : it)),
    ...strangers(attachments, own),
  ];
}

function withGroups(user: Own, own: readonly Own[], memberships: readonly Membership[]): Own {
  const groups = own.filter(({ kind }) => kind === 'Group');
  const inherited = memberships
    .filter((it) => it.user === user.name)
    .flatMap(({ group, certain }) => {
      const statements = groups.filter(({ name }) => name === group).flatMap(({ identity }) => identity);
      return certain ? statements : perhaps(statements);
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

/** What is behind the ARN of a managed policy, as far as this app tells. */
interface Managed {
  readonly statements: readonly PlacedStatement[];
  /** Whether it is that policy, and no other. */
  readonly exact: boolean;
}

/** Finds managed policies by their ARNs. An ARN that is known only when it is deployed may be that of any of them. */
function managedPolicies(resources: readonly SynthesisedResource[], texts: TextsOf) {
  const managed = resources.filter(({ type }) => type === 'AWS::IAM::ManagedPolicy');
  return (arn: string, by: SynthesisedResource): Managed => {
    const possible: PlacedStatement[] = [];
    for (const policy of managed) {
      const meant = matches(arn, arnOf(policy, texts(policy.stack)));
      if (meant === false) continue;
      const statements = placed(policy, 'PolicyDocument', policy.properties.PolicyDocument, texts);
      if (meant) return { statements, exact: true };
      possible.push(...perhaps(statements));
    }
    const location = 'Properties.ManagedPolicyArns';
    const powerful = powerfulPolicy(arn)?.map((it) => ({ ...it, source: by, location }));
    return { statements: powerful ?? possible, exact: powerful !== undefined };
  };
}

function boundaryOf({ statements, exact }: Managed): readonly Statement[] {
  return exact ? statements : [unknowable];
}

/** Of a boundary that is not of this app: what it allows, and what it denies, cannot be told. */
const unknowable: Statement = {
  effect: 'Allow',
  actions: { patterns: ['*'], negated: false },
  resources: { patterns: ['*'], negated: false },
  condition: {},
  certain: false,
  unknownElements: [],
};
