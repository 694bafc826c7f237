import { type Fence, type Lease, lte, oneOf, remove } from 'dynamodb-fenced';
import type { Booking } from './booking.ts';
import { dayOf, quartersOf, type Slot } from './slot.ts';
import type { Tables } from './tables.ts';

/** Who works on a slot for a customer. */
export interface Both<F extends Fence = Lease> {
  readonly slotLease: F;
  readonly customerLease: F;
}

/** The steps by which a free slot becomes a customer's for a while. */
export function takeSteps(
  tables: Tables,
  { slotLease, customerLease }: Both<Fence>,
  slot: Slot,
  booking: Booking,
  precondition: { readonly ifVersion?: string } = {},
) {
  const { customer, token, heldUntilMs } = booking;
  const held = { status: 'held', customer, token, heldUntilMs, heldIn: slot.room } as const;
  const markers = quartersOf(slot).map((atMs) => {
    const marker = { customer, atMs, slot: slot.id };
    return [`marker/${atMs}`, tables.markers.plan.create(customerLease, marker)] as const;
  });
  return {
    slot: tables.slots.plan.update(
      slotLease,
      { id: slot.id },
      { ...held, freeOn: remove() },
      { when: { status: 'free' }, ...precondition },
    ),
    booking: tables.bookings.plan.create(slotLease, booking),
    ...Object.fromEntries(markers),
  };
}

/** When a slot may be taken from a booking: whenever its customer wants, or once the hold has run out. */
export const mayGiveBack = {
  cancelled: () => ({ status: oneOf(['held', 'booked']) }),
  expired: (nowMs: number) => ({ status: 'held' as const, heldUntilMs: lte(nowMs) }),
} as const;

/** The steps by which a slot becomes free again, if it still is in this booking. */
export function giveBackSteps(
  tables: Tables,
  { slotLease, customerLease }: Both<Fence>,
  slot: Slot,
  booking: Booking,
  over: { readonly status: keyof typeof mayGiveBack; readonly nowMs: number },
) {
  const { token, customer } = booking;
  // They need no condition of their own: as long as the slot is in this booking, they are its markers.
  const markers = quartersOf(slot).map(
    (atMs) => [`marker/${atMs}`, tables.markers.plan.delete(customerLease, { customer, atMs })] as const,
  );
  const [heldIn, heldUntilMs] = [remove(), remove()];
  return {
    slot: tables.slots.plan.update(
      slotLease,
      { id: slot.id },
      {
        ...{ status: 'free', freeOn: dayOf(slot.startsAtMs) },
        ...{ customer: remove(), token: remove(), heldIn, heldUntilMs },
      },
      { when: { ...mayGiveBack[over.status](over.nowMs), token } },
    ),
    booking: tables.bookings.plan.update(slotLease, { slot: slot.id, token }, { status: over.status }),
    ...Object.fromEntries(markers),
  };
}
