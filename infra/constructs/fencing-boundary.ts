import {
  Effect,
  type IManagedPolicy,
  ManagedPolicy,
  PermissionsBoundary,
  PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct } from 'constructs';
import { defaultAttributes } from '../../src/dynamo/attributes.ts';
import { namesNo } from '../policy/fence-grant.ts';
import { expiryChanges, fencedWrites, guardChanges, unfenceableWrites } from '../policy/fenced-actions.ts';
import { roleTag, type TableRole } from '../policy/guard.ts';
import { checkProps } from './check-props.ts';
import { checkName } from './hidden-attributes.ts';

/** What a boundary may be given. */
export interface FencingBoundaryProps {
  /**
   * The name of the attribute that holds the fence, in all the tables that roles behind this boundary write to.
   * @default - that of the library
   */
  readonly fenceAttribute?: string;
}

/**
 * A permissions boundary that keeps roles from writing around the fence, whatever is granted to them: also where that stands in another app, and
 * for tables that are made later. It tells tables by their tag `dynamodb-fenced:role`, which our tables carry. By itself it grants nothing.
 *
 * Needs attribute-based access control of DynamoDB to be on in the account; where it is off, the tags are not seen, and nothing is denied.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/attribute-based-access-control.html
 *
 * Evaluated by tests, as the grants are; unverified on AWS. The role that deploys the tables must not be behind it.
 *
 * @example
 * new FencingBoundary(stack, 'Boundary').applyTo(functions);
 */
export class FencingBoundary extends Construct {
  /** The policy, for what is not of the CDK. */
  readonly policy: IManagedPolicy;

  constructor(scope: Construct, id: string, props: FencingBoundaryProps = {}) {
    super(scope, id);
    checkProps(this, props, { fenceAttribute: true });
    const { fenceAttribute = defaultAttributes.fence } = props;
    checkName(this, 'fenceAttribute', fenceAttribute);
    const of = (role: TableRole) => ({ StringEquals: { [`aws:ResourceTag/${roleTag}`]: role } });
    const anyOfThem = { Null: { [`aws:ResourceTag/${roleTag}`]: 'false' } };
    const statement = (effect: Effect, actions: readonly string[], conditions: object) =>
      new PolicyStatement({ effect, actions: [...actions], resources: ['*'], conditions: { ...conditions } });
    this.policy = new ManagedPolicy(this, 'Default', {
      description: 'Keeps who has it as a permissions boundary from writing around fences.',
      statements: [
        // What a boundary does not allow, nothing can. So it allows all, and takes away the rest.
        statement(Effect.ALLOW, ['*'], {}),
        statement(Effect.DENY, [...unfenceableWrites, ...expiryChanges, ...guardChanges], anyOfThem),
        statement(Effect.DENY, ['dynamodb:PutItem'], of('leases')),
        statement(Effect.DENY, fencedWrites, { ...of('items'), ...namesNo(fenceAttribute) }),
      ],
    });
  }

  /** Makes it the boundary of every role and user in a scope, those that are made later included. */
  applyTo(scope: IConstruct): void {
    PermissionsBoundary.of(scope).apply(this.policy);
  }
}
