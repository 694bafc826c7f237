import { type Statement, statementsOf } from '../iam/statement.ts';
import { nameOf } from './names.ts';
import type { Json, SynthesisedResource } from './synthesised-app.ts';
import type { TextsOf } from './texts.ts';

/** A statement, and the resource that it stands in. */
export interface PlacedStatement extends Statement {
  readonly source: SynthesisedResource;
  /** Where in that resource, as `Properties.PolicyDocument`. */
  readonly location: string;
}

export type Kind = 'Role' | 'User' | 'Group';
export const kinds: readonly Kind[] = ['Role', 'User', 'Group'];

/** A set of statements, and by name whom it is attached to. */
export interface Attachment {
  readonly kind: Kind;
  readonly name: string;
  readonly account: string;
  readonly statements: readonly PlacedStatement[];
}

/** The statements of a document that stands in a resource. */
export function placed(source: SynthesisedResource, path: string, texts: TextsOf): PlacedStatement[] {
  const document = path
    .split('.')
    .reduce<unknown>((at, name) => (at as Json | undefined)?.[name], source.properties);
  return statementsOf(document, texts(source.stack)).map((it) => ({
    ...it,
    source,
    location: `Properties.${path}`,
  }));
}

/** Whom a policy names: a `Policy` and a `ManagedPolicy` any number of each kind, a `RolePolicy` and its like one. */
export function attachmentsOf(resource: SynthesisedResource, texts: TextsOf): Attachment[] {
  const type = /^AWS::IAM::(RolePolicy|UserPolicy|GroupPolicy|Policy|ManagedPolicy)$/.exec(
    resource.type,
  )?.[1];
  if (type === undefined) return [];
  const text = texts(resource.stack);
  const statements = placed(resource, 'PolicyDocument', texts);
  const account = text({ Ref: 'AWS::AccountId' });
  return kinds.flatMap((kind) => {
    const { [`${kind}Name`]: one, [`${kind}s`]: many = [] } = resource.properties;
    const names = type === `${kind}Policy` ? [one] : (many as readonly unknown[]);
    return names.map((name) => ({ kind, name: text(name), account, statements }));
  });
}

/** Who is in which group, as a user or an addition to groups says. */
export function membershipsOf(
  resource: SynthesisedResource,
  texts: TextsOf,
): { user: string; group: string }[] {
  const text = texts(resource.stack);
  const { Groups = [], GroupName, Users = [] } = resource.properties;
  if (resource.type === 'AWS::IAM::User') {
    const user = nameOf(resource, text);
    return (Groups as readonly unknown[]).map((group) => ({ user, group: text(group) }));
  }
  if (resource.type !== 'AWS::IAM::UserToGroupAddition') return [];
  return (Users as readonly unknown[]).map((user) => ({ user: text(user), group: text(GroupName) }));
}
