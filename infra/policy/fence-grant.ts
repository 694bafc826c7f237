import { Stack, Token, TokenComparison } from 'aws-cdk-lib';
import {
  Effect,
  Grant,
  type IGrantable,
  type IPrincipal,
  PolicyStatement,
  type PolicyStatementProps,
  UnknownPrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { UnsafeTableError } from './unsafe-table-error.ts';

/** What a grant allows, and what it denies for good. */
export interface FenceGrant {
  readonly resourceArns: string[];
  readonly allow: readonly string[];
  readonly deny: readonly Pick<PolicyStatementProps, 'actions' | 'conditions'>[];
}

/**
 * Allows and denies. A denial outlives what is granted to the same role later: `grantReadWriteData` or a managed policy.
 *
 * @throws UnsafeTableError where the denials find no place, because the role belongs to somebody else; and where it is of another account.
 */
export function fenceGrant(scope: Construct, grantee: IGrantable, grant: FenceGrant): Grant {
  const principal = grantee.grantPrincipal;
  for (const denied of grant.deny) {
    const statement = new PolicyStatement({ ...denied, effect: Effect.DENY, resources: grant.resourceArns });
    if (!dropsStatements(principal) && principal.addToPrincipalPolicy(statement).statementAdded) continue;
    throw new UnsafeTableError(
      'FencedTableDenyNotAttached',
      scope.node.path,
      `cannot deny unfenced writes to ${principal}, whose policies are kept elsewhere`,
      'Grant to a role of this app, or to an imported one that is mutable and of the same account.',
    );
  }
  refuseOtherAccount(scope, principal);
  return Grant.addToPrincipal({
    grantee,
    actions: [...grant.allow],
    resourceArns: grant.resourceArns,
  });
}

/** Refuses a role of another account: what is granted to it here counts only with a resource policy of the table, which would let it in. */
function refuseOtherAccount(scope: Construct, { principalAccount: theirs }: IPrincipal): void {
  const { account } = Stack.of(scope);
  if (theirs === undefined || Token.compareStrings(theirs, account) !== TokenComparison.DIFFERENT) return;
  throw new UnsafeTableError(
    'FencedTableOtherAccount',
    scope.node.path,
    `is in the account ${account}, and who is to write is in ${theirs}`,
    'Grant to a role of the account of the table, and let the other one assume it.',
  );
}

/**
 * Whether a role takes statements and puts them nowhere, as one that is imported as immutable or from another account, and what
 * `withoutPolicyUpdates()` returns, or that of an imported function, which is not known. The CDK has no question for it, and its answer to
 * a statement says that it was added.
 */
function dropsStatements(principal: IPrincipal): boolean {
  return 'addGrantsToResources' in principal || principal instanceof UnknownPrincipal;
}

/**
 * The condition of a request that names the fence nowhere, neither in what it writes nor in its condition. A request without the
 * key is denied as well, since every one of no values is unequal.
 *
 * IAM does not see whether there is a condition, only which attributes are named:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
export function namesNo(fence: string): NonNullable<PolicyStatementProps['conditions']> {
  return { 'ForAllValues:StringNotEquals': { 'dynamodb:Attributes': [fence] } };
}
