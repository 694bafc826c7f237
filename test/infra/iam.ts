import type { App } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { guardedTables } from '../../infra/policy/checks/guarded-tables.ts';
import { type Principal, principalsOf } from '../../infra/policy/checks/principals.ts';
import { synthesisedStacks } from '../../infra/policy/checks/synthesised-app.ts';
import { textsOf } from '../../infra/policy/checks/texts.ts';
import { roleTag } from '../../infra/policy/guard.ts';
import { allowed } from '../../infra/policy/iam/evaluate.ts';

/** A request of a test. */
export interface TestRequest {
  /** Without `dynamodb:`. */
  readonly action: string;
  /** The construct of the table, or the end of an ARN. */
  readonly table: IConstruct | string;
  /** The names in `dynamodb:Attributes`; left out where the request has no such key. */
  readonly attributes?: readonly string[];
  /** The index of the table that it is sent to; left out where it is sent to the table itself. */
  readonly index?: string;
}

/** Answers for IAM, by what an app synthesises to. */
export function iamOf(app: App) {
  app.synth();
  const stacks = synthesisedStacks(app);
  const texts = textsOf(stacks);
  const principals = principalsOf(stacks, texts);
  const tables = guardedTables(stacks, texts);

  /** The table in its first Region, or another one that is none of ours. */
  function placeOf(table: IConstruct | string) {
    if (typeof table === 'string') {
      return {
        arn: `arn:aws:dynamodb:us-east-1:111122223333:table/${table}`,
        tag: undefined,
        statements: [],
      };
    }
    const found = tables.find((it) => it.resource.construct.node.path.startsWith(`${table.node.path}/`));
    const place = found?.places[0];
    if (place === undefined) throw new Error(`${table.node.path} is no guarded table`);
    return place;
  }

  function principal(role: IConstruct): Principal {
    const found = principals.find(({ label }) => label === role.node.path);
    if (found === undefined) throw new Error(`${role.node.path} is no role of the app`);
    return found;
  }

  return {
    /** Whether a role may send a request. What the evaluation cannot tell it does not pass over, but throws. */
    may(role: IConstruct, { action, table, attributes = [], index }: TestRequest): boolean {
      const { identity, boundary, arn } = principal(role);
      const place = placeOf(table);
      const verdict = allowed(
        { identity, resource: place.statements, ...(boundary && { boundary }) },
        {
          action: `dynamodb:${action}`,
          resource: index === undefined ? place.arn : `${place.arn}/index/${index}`,
          ...(arn !== undefined && { principal: arn }),
          keys: {
            'dynamodb:attributes': attributes,
            [`aws:resourcetag/${roleTag}`]: place.tag === undefined ? [] : [place.tag],
          },
        },
      );
      if (verdict === undefined) throw new Error(`${action} by ${role.node.path} cannot be told`);
      return verdict;
    },
  };
}
