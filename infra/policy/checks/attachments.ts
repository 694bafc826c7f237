import { type Branch, elementsOf } from '../iam/branches.ts';
import { type Statement, statementsOf } from '../iam/statement.ts';
import { nameOf } from './names.ts';
import type { SynthesisedResource } from './synthesised-app.ts';
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

/** The statements of a document that stands in a resource at a path. */
export function placed(
  source: SynthesisedResource,
  path: string,
  document: unknown,
  texts: TextsOf,
): PlacedStatement[] {
  return statementsOf(document, texts(source.stack)).map((it) => ({
    ...it,
    source,
    location: `Properties.${path}`,
  }));
}

/** What allows and denies only where something comes true that is known when it is deployed. */
export function perhaps<S extends Statement>(statements: readonly S[]): S[] {
  return statements.map((it) => ({ ...it, certain: false }));
}

/** Statements that stand in one branch of the template: as certain as that. */
export function asCertainAs<S extends Statement>(
  { certain }: Pick<Branch, 'certain'>,
  statements: readonly S[],
): readonly S[] {
  return certain ? statements : perhaps(statements);
}

/** Whom a policy names: a `Policy` and a `ManagedPolicy` any number of each kind, a `RolePolicy` and its like one. */
export function attachmentsOf(resource: SynthesisedResource, texts: TextsOf): Attachment[] {
  const type = /^AWS::IAM::(RolePolicy|UserPolicy|GroupPolicy|Policy|ManagedPolicy)$/.exec(
    resource.type,
  )?.[1];
  if (type === undefined) return [];
  const text = texts(resource.stack);
  const statements = placed(resource, 'PolicyDocument', resource.properties.PolicyDocument, texts);
  const account = text({ Ref: 'AWS::AccountId' });
  return kinds.flatMap((kind) => {
    const { [`${kind}Name`]: one, [`${kind}s`]: many } = resource.properties;
    return elementsOf(type === `${kind}Policy` ? one : many).map((it) => {
      return { kind, name: text(it.value), account, statements: asCertainAs(it, statements) };
    });
  });
}

/** That a user is in a group. */
export interface Membership {
  readonly user: string;
  readonly group: string;
  readonly certain: boolean;
}

/** Who is in which group, as a user or an addition to groups says. */
export function membershipsOf(resource: SynthesisedResource, texts: TextsOf): Membership[] {
  const text = texts(resource.stack);
  const { Groups, GroupName, Users } = resource.properties;
  if (resource.type === 'AWS::IAM::User') {
    const user = nameOf(resource, text);
    return elementsOf(Groups).map(({ value, certain }) => ({ user, group: text(value), certain }));
  }
  if (resource.type !== 'AWS::IAM::UserToGroupAddition') return [];
  const group = text(GroupName);
  return elementsOf(Users).map(({ value, certain }) => ({ user: text(value), group, certain }));
}
