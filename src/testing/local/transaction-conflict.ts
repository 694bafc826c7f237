import { refusal } from './api-error.ts';
import { cancelled, noReason } from './cancellation.ts';
import type { EngineContext } from './context.ts';
import type { ItemPlace } from './item-locks.ts';

const ongoing = 'Transaction is ongoing for the item';

/** Turns a single write away from an item that a transaction is writing, where conflicts are wanted. */
export function refuseConflict({ conflicts, locks }: EngineContext, place: ItemPlace): void {
  if (conflicts === 'reject' && locks.isInTransaction(place)) {
    throw refusal('TransactionConflictException', ongoing);
  }
}

/** Cancels a transaction that meets another one, and names the items that they share. */
export function cancelConflict(
  { conflicts, locks }: EngineContext,
  places: readonly (ItemPlace | undefined)[],
): void {
  const meets = (place: ItemPlace | undefined) => place !== undefined && locks.isInTransaction(place);
  if (conflicts !== 'reject' || !places.some(meets)) return;
  const conflict = { Code: 'TransactionConflict', Message: ongoing };
  throw cancelled(places.map((place) => (meets(place) ? conflict : noReason)));
}
