import { type ConditionKeys, holds } from './condition.ts';
import { matches } from './glob.ts';
import type { Match, Statement } from './statement.ts';
import { and, every, not, or, some, type Truth } from './truth.ts';

/** A request, as far as IAM sees it. */
export interface IamRequest {
  /** As `dynamodb:PutItem`. */
  readonly action: string;
  /** The ARN of what it is sent to. */
  readonly resource: string;
  readonly keys: ConditionKeys;
  /** The ARN of who sends it; unknown where it is left out. */
  readonly principal?: string;
}

/** What decides over somebody's request. */
export interface Policies {
  /** Of the role, user or group, wherever they stand. */
  readonly identity: readonly Statement[];
  /** The permissions boundary, if there is one: what it does not allow as well, nothing does. */
  readonly boundary?: readonly Statement[];
  /** Of the table. */
  readonly resource?: readonly Statement[];
}

/**
 * What IAM would answer, within one account: an explicit denial anywhere wins, and what nothing allows is denied. As its documentation
 * says; unverified on AWS.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 *
 * @returns undefined where it depends on what is not known before the deployment.
 */
export function allowed({ identity, boundary, resource = [] }: Policies, request: IamRequest): Truth {
  const granted = and(grants(identity, request), boundary === undefined || grants(boundary, request));
  const denied = some([...identity, ...(boundary ?? []), ...resource], (it) =>
    it.effect === 'Deny' ? applies(it, request) : false,
  );
  return and(or(granted, grants(resource, request)), not(denied));
}

function grants(statements: readonly Statement[], request: IamRequest): Truth {
  return some(statements, (it) => (it.effect === 'Allow' ? applies(it, request) : false));
}

/** Whether a statement is about a request. */
export function applies(statement: Statement, request: IamRequest): Truth {
  const { actions, resources, principals, condition } = statement;
  return and(
    matchesAny(lowered(actions), request.action.toLowerCase()),
    matchesAny(resources, request.resource),
    principals === undefined || matchesPrincipal(principals, request.principal),
    every(Object.entries(condition), ([operator, keys]) =>
      every(Object.entries(keys), ([key, wanted]) => holds(operator, key, wanted, request.keys)),
    ),
    statement.certain && statement.unknownElements.length === 0 ? true : undefined,
  );
}

function matchesAny({ patterns, negated }: Match, text: string): Truth {
  const found = some(patterns, (pattern) => matches(pattern, text));
  return negated ? not(found) : found;
}

/** Everybody is meant by `*`; somebody, where the ARN is theirs. Accounts and federations may mean anybody. */
function matchesPrincipal({ patterns, negated }: Match, principal: string | undefined): Truth {
  const found = some(patterns, (pattern) => {
    if (pattern === '*') return true;
    if (principal !== undefined && /:(role|user)\//.test(pattern)) return matches(pattern, principal);
    return undefined;
  });
  return negated ? not(found) : found;
}

function lowered({ patterns, negated }: Match): Match {
  return { patterns: patterns.map((pattern) => pattern.toLowerCase()), negated };
}
