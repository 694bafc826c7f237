import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { Stamp } from '../fence/session.ts';
import type { UnfencedPolicy } from './admission.ts';
import { defaultAttributes, type HiddenAttributes, type Item } from './attributes.ts';
import { type CancellationReason, CONDITION_FAILED, cancellationReasons } from './cancellation.ts';
import { hiddenPart } from './hidden-part.ts';
import { own } from './own.ts';
import { type Expectation, judge, mayHaveDeleted, type Verdict } from './verdict.ts';
import { errorName } from './wire-error.ts';

/** What {@link explain} has to know about the write, as it was told to `guard`, `entomb` or `claimInput`. */
export interface ExplainOptions {
  /** What the write meant: the `as` of `guard` and `guardCheck`, or `delete` for `entomb`, or `claim`. */
  readonly as: 'put' | 'create' | 'update' | 'upsert' | 'delete' | 'claim' | 'check' | 'check-absent';
  /** Whether the input had a ConditionExpression of your own. Default false. */
  readonly conditional?: boolean;
  readonly ifVersion?: string;
  /**
   * After `needs-read`: the item from a read with `ConsistentRead: true`, in the form of either client; null
   * where the read found none.
   */
  readonly item?: Readonly<Record<string, unknown>> | null;
  /** Which action of the transaction, from 0, where the error is a TransactionCanceledException. */
  readonly index?: number;
  readonly attributes?: HiddenAttributes;
  readonly unfenced?: UnfencedPolicy;
}

/**
 * What {@link explain} answers. The verdicts in the order in which they are decided:
 * - `applied`: an earlier copy of this very write took effect: a success. `newer` says who has fenced you since, if somebody has.
 * - `corrupt`: the stored fence is no token that could have been issued.
 * - `fenced`: a newer token was seen (`seen.lastToken`). Stop.
 * - `token-reused`, `superseded`: the same number from another holder; a later write of your own, or the seal of a repository
 *   under a number of yours, where whether your delete was applied before it nobody can tell.
 * - `unfenced`: an item without a fence, where those are refused, or a claim has to adopt it first.
 * - `not-found`, `exists`, `version`, `condition`: the content did not meet what the write expects.
 * - `unexplained`: the item that was read would not have been refused, so it changed in between: send the same input again.
 * - `needs-read`: the error shows no item. Read it consistently and ask again with `item`.
 * - `not-refused`: this action of the transaction was not what cancelled it. `code` is `None`, or why else, as `TransactionConflict`.
 */
export type Explanation =
  | Verdict
  | { readonly is: 'needs-read' }
  | { readonly is: 'not-refused'; readonly code: string };

/**
 * Says why the storage refused a guarded write. Pure: it sends nothing, and remembers nothing on the fence.
 *
 * A verdict about the *content* is final only if no other copy of the input is still on its way: if an
 * earlier attempt ended without an answer, claim the item with a stamp of yours first, or send the input again.
 * In a transaction, ask about every action before you believe one: `applied` for any of them means that
 * the whole transaction was applied.
 *
 * @param error what the client threw: a ConditionalCheckFailedException or a TransactionCanceledException, of any copy of the SDK.
 * @param stamp the one that the write carried.
 * @param options what the write meant, and where the error shows no item, what a read found.
 * @throws the error itself, where it is no refusal: after throttling nothing was applied, after a lost answer
 * (a timeout, a reset, a 5xx) anything may have been. InvalidInputError where `index` does not fit.
 * @example
 * try {
 *   await client.send(new UpdateItemCommand(guard(input, stamp)));
 * } catch (error) {
 *   const verdict = explain(error, stamp, { as: 'update' });
 *   if (verdict.is === 'fenced') stop(verdict.seen.lastToken);
 * }
 */
export function explain(error: unknown, stamp: Stamp, options: ExplainOptions): Explanation {
  const { item: read, attributes = defaultAttributes, unfenced } = options;
  const refusal = refusalOf(error, options.index);
  if (refusal.code !== CONDITION_FAILED) return { is: 'not-refused', code: refusal.code };
  const met = refusal.item;
  if (met === undefined && read === undefined) return { is: 'needs-read' };

  const item = met ?? (read === null || read === undefined ? undefined : hiddenPart(read, attributes));
  // The item in the error is the very one that the condition was judged on: what the fence and the verb do not
  // explain, the caller's own condition does.
  const conditional = options.as !== 'claim' && (met !== undefined || options.conditional === true);
  const verdict = judge(stamp, item, expectation(options, conditional), attributes, unfenced);
  if (options.as === 'delete' && verdict.is === 'not-found' && mayHaveDeleted(stamp, item, attributes)) {
    return { is: 'superseded', seen: { lastToken: stamp.token, lastHolder: stamp.holder } };
  }
  if (verdict.is !== 'unexplained') return verdict;
  if (options.as !== 'claim') return met === undefined ? verdict : { is: 'condition' };
  return item !== undefined && own(item, attributes.fence) === undefined ? { is: 'unfenced' } : verdict;
}

function expectation({ as, ifVersion, ...options }: ExplainOptions, conditional: boolean): Expectation {
  const needsItem = options.conditional === true || ifVersion !== undefined;
  const mustBeLive = as === 'update' || as === 'check' || (as === 'delete' && needsItem);
  const mustBeAbsent = as === 'create' || as === 'check-absent';
  return { live: mustBeAbsent ? 'must-not' : mustBeLive ? 'must' : 'any', ifVersion, conditional };
}

function refusalOf(error: unknown, index: number | undefined): CancellationReason {
  const name = errorName(error);
  if (name === 'ConditionalCheckFailedException') {
    return { code: CONDITION_FAILED, item: (error as { Item?: Item }).Item };
  }
  if (name !== 'TransactionCanceledException') throw error;
  const reasons = cancellationReasons(error);
  const reason = index === undefined ? undefined : reasons[index];
  if (reason === undefined) {
    throw new InvalidInputError(
      'index',
      `${describe(index)} is no action of this transaction, which had ${reasons.length}`,
      'Pass the place of the action among TransactItems, from 0, and ask about each of them.',
      { cause: error },
    );
  }
  return reason;
}
