import {
  type Clock,
  type DynamoTokenSource,
  gt,
  type LeaseManager,
  lte,
  type Page,
  remove,
  transact,
} from 'dynamodb-fenced';
import type { Booking, BookingId, BookingResult, Refused } from './booking.ts';
import { freeSlot, isOverdue, type Place, type Slot } from './slot.ts';
import { type Both, giveBackSteps, takeSteps } from './steps.ts';
import { customerResource, openTables, slotResource, type Tables, type TablesOptions } from './tables.ts';

/** What the service is made of. Its `clock` is whose time counts for holds; default this machine's. */
export interface BookingServiceOptions extends TablesOptions {
  /** Short leases, for as long as one call works: what a customer waits behind is the hold, in the slot. */
  readonly leases: LeaseManager<DynamoTokenSource>;
  /** How long a slot is kept for a customer who has not confirmed, in ms. Default 5 minutes. */
  readonly holdMs?: number;
  /** How long a call waits for others who are busy with the same slot or customer, in ms. Default 2,000. */
  readonly waitMs?: number;
}

/**
 * Slots that customers hold for a while, and then confirm. Every change of a slot is one transaction of the
 * slot, the booking and the customer's markers, under the leases of both; so two customers never have one slot,
 * one customer never has two that overlap, and who was paused too long changes nothing.
 */
export class BookingService {
  readonly tables: Tables;
  readonly #leases: LeaseManager<DynamoTokenSource>;
  readonly #holdMs: number;
  readonly #waitMs: number;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(options: BookingServiceOptions) {
    this.tables = openTables(options);
    this.#leases = options.leases;
    this.#holdMs = options.holdMs ?? 5 * 60_000;
    this.#waitMs = options.waitMs ?? 2_000;
    this.#clock = options.clock ?? Date;
  }

  /** Offers a slot to everybody. */
  async offer(place: Place) {
    const slot = freeSlot(place);
    return this.#leases.using(slotResource(slot.id), { waitMs: this.#waitMs }, (lease) =>
      this.tables.slots.create(lease, slot),
    );
  }

  /** Takes a free slot out of the offer. */
  async withdraw(id: string) {
    return this.#leases.using(slotResource(id), { waitMs: this.#waitMs }, (lease) =>
      this.tables.slots.delete(lease, { id }, { when: { status: 'free' } }),
    );
  }

  /** A page of the free slots of a day, as `2026-03-02`, in the order of their beginnings. */
  async free(
    day: string,
    { limit = 20, cursor }: { readonly limit?: number; readonly cursor?: string } = {},
  ): Promise<Page<Slot>> {
    const from = cursor === undefined ? {} : { cursor };
    const found = this.tables.slots.query({ index: 'free', key: { freeOn: day }, limit, ...from });
    for await (const page of found.pages()) return page;
    return { items: [], cursor: undefined };
  }

  /** Keeps a free slot for a customer, as they have seen it if they say so. Who holds it already gets the same booking. */
  async hold(
    id: string,
    customer: string,
    precondition: { readonly ifVersion?: string } = {},
  ): Promise<BookingResult> {
    const slot = (await this.tables.slots.get({ id }))?.item;
    if (slot === undefined) return { ok: false, reason: 'not-found' };
    if (isOverdue(slot, this.#clock.now())) await this.expire(id);
    else if (slot.customer === customer) return this.#find({ slot: id, token: slot.token ?? 0 });
    return this.#withBoth(id, customer, async (both) => {
      const heldUntilMs = this.#clock.now() + this.#holdMs;
      const { token } = both.slotLease;
      const booking: Booking = { slot: id, token, customer, status: 'held', heldUntilMs };
      const result = await transact({
        ...takeSteps(this.tables, both, slot, booking, precondition),
        slotLease: this.#leases.check(both.slotLease),
        customerLease: this.#leases.check(both.customerLease),
      });
      return result.ok ? { ok: true, booking } : result;
    });
  }

  /** Makes a held slot the customer's for good. Again, after a lost answer: the same. */
  async confirm({ slot: id, token }: BookingId): Promise<BookingResult> {
    const acquired = await this.#leases.acquire(slotResource(id), { waitMs: this.#waitMs });
    if (!acquired.ok) return acquired;
    await using lease = acquired.lease;
    const result = await transact({
      slot: this.tables.slots.plan.update(
        lease,
        { id },
        { status: 'booked', heldIn: remove(), heldUntilMs: remove() },
        { when: { status: 'held', token, heldUntilMs: gt(this.#clock.now()) } },
      ),
      booking: this.tables.bookings.plan.update(lease, { slot: id, token }, { status: 'confirmed' }),
      lease: this.#leases.check(lease),
    });
    if (result.ok) return this.#find({ slot: id, token });
    if (result.step === 'slot' && result.reason === 'condition') {
      const { status, token: booked } = result.item;
      if (status === 'booked' && booked === token) return this.#find({ slot: id, token });
      return overtaken(result.item, token) ?? result;
    }
    return result;
  }

  /** Gives a held or confirmed slot back. */
  async cancel(id: BookingId): Promise<BookingResult> {
    return this.#giveBack(id, 'cancelled');
  }

  /** Ends the hold of a slot, if it has run out. */
  async expire(slot: string): Promise<BookingResult> {
    const token = (await this.tables.slots.get({ id: slot }))?.item.token;
    return token === undefined
      ? { ok: false, reason: 'not-found' }
      : this.#giveBack({ slot, token }, 'expired');
  }

  /** Ends all holds of a room that have run out: for a timer. A hold also ends when the next customer comes. */
  async expireAll(room: string): Promise<number> {
    let ended = 0;
    const key = { heldIn: room, heldUntilMs: lte(this.#clock.now()) };
    for await (const { id } of this.tables.slots.query({ index: 'holds', key })) {
      if ((await this.expire(id)).ok) ended++;
    }
    return ended;
  }

  async #giveBack(id: BookingId, status: 'cancelled' | 'expired'): Promise<BookingResult> {
    const slot = (await this.tables.slots.get({ id: id.slot }))?.item;
    const booking = (await this.tables.bookings.get(id))?.item;
    if (slot === undefined || booking === undefined) return { ok: false, reason: 'not-found' };
    return this.#withBoth(slot.id, booking.customer, async (both) => {
      const result = await transact({
        ...giveBackSteps(this.tables, both, slot, booking, { status, nowMs: this.#clock.now() }),
        slotLease: this.#leases.check(both.slotLease),
        customerLease: this.#leases.check(both.customerLease),
      });
      if (result.ok) return { ok: true, booking: { ...booking, status } };
      if (result.step !== 'slot' || result.reason !== 'condition') return result;
      return overtaken(result.item, id.token) ?? result;
    });
  }

  /** Everybody takes the two leases in one order, so nobody waits for each other for ever. */
  async #withBoth(
    slot: string,
    customer: string,
    work: (both: Both) => Promise<BookingResult>,
  ): Promise<BookingResult> {
    const resources = [slotResource(slot), customerResource(customer)];
    const acquired = await this.#leases.acquireAll(resources, { waitMs: this.#waitMs });
    if (!acquired.ok) return acquired;
    await using both = acquired;
    const [slotLease, customerLease] = both.leases;
    if (slotLease === undefined || customerLease === undefined) throw new Error('both were granted');
    // Awaited here: at the end of this scope the leases are released.
    return await work({ slotLease, customerLease });
  }

  async #find(id: BookingId): Promise<BookingResult> {
    const booking = (await this.tables.bookings.get(id))?.item;
    return booking === undefined ? { ok: false, reason: 'not-found' } : { ok: true, booking };
  }
}

/** That a slot has passed on to a newer booking: whoever has the older one is fenced, as if the storage had said so. */
function overtaken({ id, token: lastToken = 0 }: Slot, token: number): Refused | undefined {
  if (lastToken <= token) return undefined;
  return { ok: false, reason: 'fenced', resource: slotResource(id), token, lastToken, applied: 'no' };
}
