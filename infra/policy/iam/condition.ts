import { matches } from './glob.ts';
import { every, not, some, type Truth } from './truth.ts';

/**
 * The condition keys of a request: their values, or none where the request has no such key. A key that is not in here cannot be
 * told. The names of keys are in small letters.
 */
export type ConditionKeys = Readonly<Record<string, readonly string[]>>;

type Compare = (wanted: string, given: string) => Truth;

const equal: Compare = (wanted, given) =>
  wanted.includes('${') && wanted !== given ? undefined : wanted === given;

const comparisons: Readonly<Record<string, { readonly compare: Compare; readonly negated: boolean }>> = {
  StringEquals: { compare: equal, negated: false },
  StringNotEquals: { compare: equal, negated: true },
  StringLike: { compare: matches, negated: false },
  StringNotLike: { compare: matches, negated: true },
  ArnEquals: { compare: matches, negated: false },
  ArnLike: { compare: matches, negated: false },
  ArnNotEquals: { compare: matches, negated: true },
  ArnNotLike: { compare: matches, negated: true },
};

/**
 * Whether a test of a condition holds.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
 *
 * @param operator as `StringEquals`, with `ForAllValues:` or `ForAnyValue:` before it, or `IfExists` behind.
 * @param wanted the values of the policy.
 * @returns undefined where it cannot be told: another operator, or a key of which nothing is known.
 */
export function holds(operator: string, key: string, wanted: readonly string[], keys: ConditionKeys): Truth {
  const given = keys[key.toLowerCase()];
  if (given === undefined) return undefined;
  if (operator === 'Null') return some(wanted, (value) => equal(value, String(given.length === 0)));
  const [, set, name = '', ifExists] =
    /^(?:(ForAllValues|ForAnyValue):)?(.*?)(IfExists)?$/.exec(operator) ?? [];
  const comparison = comparisons[name];
  if (comparison === undefined) return undefined;
  if (given.length === 0 && ifExists !== undefined) return true;
  const passes = (value: string): Truth => {
    const found = some(wanted, (one) => comparison.compare(one, value));
    return comparison.negated ? not(found) : found;
  };
  // Of no values, all pass and none does.
  if (set === 'ForAllValues') return every(given, passes);
  if (set === 'ForAnyValue') return some(given, passes);
  if (given.length > 1) return undefined;
  return given[0] === undefined ? comparison.negated : passes(given[0]);
}
