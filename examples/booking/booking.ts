import type { Applied, Refusal } from 'dynamodb-fenced';

/** That a customer held a slot, and what became of it. It stays when it is over. */
export interface Booking {
  slot: string;
  /** The token under which the slot was held: no two bookings of a slot have the same. */
  token: number;
  customer: string;
  status: 'held' | 'confirmed' | 'cancelled' | 'expired';
  heldUntilMs: number;
}

/** Which booking. */
export type BookingId = Pick<Booking, 'slot' | 'token'>;

/** That a customer is busy for a quarter of an hour. There can be only one, so no two slots of theirs overlap. */
export interface Marker {
  customer: string;
  atMs: number;
  slot: string;
}

/**
 * What the service answers. `held`: somebody is busy with this slot or for this customer right now. `fenced`, `lost`:
 * this process came too late, or the slot has passed on to a newer booking. `exists`: the customer is busy at that time.
 * `condition`: the slot or the booking is no longer what this asks for. `version`: it is not the one that was seen.
 */
export type BookingResult = { readonly ok: true; readonly booking: Booking } | Refused;

/** A refusal. What else it says, as tokens, is in it. */
export interface Refused extends Refusal {
  readonly resource?: string;
  /** What was presented; of `held`, what its holder has. */
  readonly token?: number;
  readonly lastToken?: number;
  readonly applied?: Applied;
}
