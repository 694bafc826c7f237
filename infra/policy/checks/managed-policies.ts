import { matches } from '../iam/glob.ts';
import type { Statement } from '../iam/statement.ts';
import { type PlacedStatement, perhaps, placed } from './attachments.ts';
import { arnOf } from './names.ts';
import { powerfulPolicy } from './powerful-policies.ts';
import type { SynthesisedResource } from './synthesised-app.ts';
import type { TextsOf } from './texts.ts';

/** What is behind the ARN of a managed policy, as far as this app tells. */
export interface ManagedPolicy {
  readonly statements: readonly PlacedStatement[];
  /** Whether it is that policy, and no other. */
  readonly exact: boolean;
}

/**
 * Finds the policy of an ARN, which a resource attaches: by its property `ManagedPolicyArns`, if it is not said otherwise. One of AWS stands there
 * and nowhere else.
 */
export type FindManagedPolicy = (arn: string, by: SynthesisedResource, property?: string) => ManagedPolicy;

/** Finds managed policies by their ARNs. An ARN that is known only when it is deployed may be that of any of them. */
export function managedPolicies(
  resources: readonly SynthesisedResource[],
  texts: TextsOf,
): FindManagedPolicy {
  const managed = resources.filter(({ type }) => type === 'AWS::IAM::ManagedPolicy');
  return (arn, by, property = 'ManagedPolicyArns') => {
    const possible: PlacedStatement[] = [];
    for (const policy of managed) {
      const meant = matches(arn, arnOf(policy, texts(policy.stack)));
      if (meant === false) continue;
      const statements = placed(policy, 'PolicyDocument', policy.properties.PolicyDocument, texts);
      if (meant) return { statements, exact: true };
      possible.push(...perhaps(statements));
    }
    const location = `Properties.${property}`;
    const powerful = powerfulPolicy(arn)?.map((it) => ({ ...it, source: by, location }));
    return { statements: powerful ?? possible, exact: powerful !== undefined };
  };
}

/** What a policy comes to as a boundary. */
export function boundaryOf({ statements, exact }: ManagedPolicy): readonly Statement[] {
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
