import type { ConditionCheck } from '@aws-sdk/client-dynamodb';
import type { Fence } from '../fence/fence.ts';
import type { Item } from './attributes.ts';
import type { Wire } from './client.ts';
import type { Seen } from './verdict.ts';

/** Why a check failed. `unexplained`: the row that was shown would have passed. */
export type CheckVerdict =
  | { readonly is: 'fenced'; readonly seen: Seen }
  | { readonly is: 'lost' }
  | { readonly is: 'unexplained' };

/**
 * A lease as a step of a transaction: what the transaction writes is only stored if the lease still stands,
 * with this token and this holder, at that very moment. Made by `leases.check(lease)`.
 */
export interface LeaseCheck {
  /** The lease that is checked. */
  readonly fence: Fence;
  /** What the lease table is reached with. */
  readonly wire: Wire;
  /** The step, in attribute value form. */
  readonly conditionCheck: ConditionCheck;
  /**
   * Says why the step was refused.
   *
   * @param item the lease row, as the refusal shows it or a consistent read finds it; undefined if there is none.
   * @throws CorruptFenceError where it cannot be compared.
   */
  explain(item: Item | undefined): CheckVerdict;
}
