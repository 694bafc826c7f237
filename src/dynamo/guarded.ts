import type { UnfencedPolicy } from './admission.ts';
import type { HiddenAttributes } from './attributes.ts';
import { checkExpressionSize } from './expression-size.ts';
import type { ExpressionParts, Placeholders } from './placeholders.ts';

/** Values by attribute, typed by the caller with the SDK's own types, of either client. */
// biome-ignore lint/suspicious/noExplicitAny: both forms must be accepted.
export type AnyValues = Record<string, any>;

/** How the fence is kept; the same for every write of a table. */
export interface FencingOptions {
  /** The names of the hidden attributes; default `defaultAttributes`. */
  readonly attributes?: HiddenAttributes;
  /** Items without a fence: `adopt` stamps them on the first write, `refuse` does not. Default `adopt`. */
  readonly unfenced?: UnfencedPolicy;
  /** Only if the item's version (as the repository shows it) is this one. */
  readonly ifVersion?: string;
}

/** The parts that a guarded input has in any case. */
export interface Guarded {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: AnyValues;
  readonly ReturnValuesOnConditionCheckFailure: 'ALL_OLD';
}

/** An input with all its conditions, and with the placeholders that they use beside the caller's own. */
export function guarded<I extends ExpressionParts>(
  input: I,
  conditions: readonly string[],
  placeholders: Placeholders,
): I & Guarded {
  const ConditionExpression = conditions.join(' AND ');
  const together = ' together with what the fence adds';
  checkExpressionSize(ConditionExpression, 'ConditionExpression', together);
  checkExpressionSize(input.UpdateExpression ?? '', 'UpdateExpression', together);
  return {
    ...input,
    ConditionExpression,
    ExpressionAttributeNames: { ...input.ExpressionAttributeNames, ...placeholders.names },
    ExpressionAttributeValues: { ...input.ExpressionAttributeValues, ...placeholders.values },
    // Costs nothing, and says why a write was refused without a second request.
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}
