import { matches } from '../iam/glob.ts';
import type { Statement } from '../iam/statement.ts';
import {
  type Attachment,
  attachmentsOf,
  type Kind,
  kinds,
  membershipsOf,
  type PlacedStatement,
  placed,
} from './attachments.ts';
import { arnOf, nameOf } from './names.ts';
import { powerfulPolicy } from './powerful-policies.ts';
import type { SynthesisedResource, SynthesisedStack } from './synthesised-app.ts';
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
    const { ManagedPolicyArns = [], PermissionsBoundary: limit, Policies = [] } = resource.properties;
    const inline = (Policies as readonly unknown[]).map((_, index) => `Policies.${index}.PolicyDocument`);
    const attached = attachments.filter((it) => it.kind === kind && it.name === name);
    const identity = [
      ...inline.flatMap((path) => placed(resource, path, texts)),
      ...(ManagedPolicyArns as readonly unknown[]).flatMap((arn) => managed(text(arn), resource) ?? []),
      ...attached.flatMap(({ statements }) => statements),
    ];
    const boundary = limit === undefined ? undefined : (managed(text(limit), resource) ?? [unknowable]);
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

function withGroups(
  user: Own,
  own: readonly Own[],
  memberships: readonly { user: string; group: string }[],
): Own {
  const groups = memberships.filter((it) => it.user === user.name).map(({ group }) => group);
  const inherited = own.filter(({ kind, name }) => kind === 'Group' && groups.includes(name));
  return { ...user, identity: [...user.identity, ...inherited.flatMap(({ identity }) => identity)] };
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

/** Finds the statements behind the ARN of a managed policy; undefined where nothing is known of it. */
function managedPolicies(resources: readonly SynthesisedResource[], texts: TextsOf) {
  const managed = resources.filter(({ type }) => type === 'AWS::IAM::ManagedPolicy');
  return (arn: string, by: SynthesisedResource): PlacedStatement[] | undefined => {
    for (const policy of managed) {
      const meant = matches(arn, arnOf(policy, texts(policy.stack)));
      if (meant === false) continue;
      return placed(policy, 'PolicyDocument', texts).map((it) => (meant ? it : { ...it, certain: false }));
    }
    const location = 'Properties.ManagedPolicyArns';
    return powerfulPolicy(arn)?.map((it) => ({ ...it, source: by, location }));
  };
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
