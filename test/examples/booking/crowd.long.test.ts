import { expect, it } from 'vitest';
import type { BookingResult } from '../../../examples/booking/booking.ts';
import type { BookingService } from '../../../examples/booking/booking-service.ts';
import { freeSlot, quartersOf } from '../../../examples/booking/slot.ts';
import { takeSteps } from '../../../examples/booking/steps.ts';
import { customerResource, slotResource } from '../../../examples/booking/tables.ts';
import { transact, unwrap } from '../../../src/index.ts';
import { delay } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { granted } from '../../support/fences.ts';
import { office, place, TTL_MS } from './office.ts';

const reasonOf = (result: { ok: true } | { ok: false; reason: string }) => (result.ok ? 'ok' : result.reason);
const occurrences = (reasons: readonly string[], reason: string) =>
  reasons.filter((one) => one === reason).length;

/** Wants a slot. Who was too late to confirm still has the hold, and asks again. All that was answered. */
async function book(service: BookingService, slot: string, customer: string): Promise<BookingResult[]> {
  const answers = [await service.hold(slot, customer)];
  const [hold] = answers;
  if (hold?.ok !== true) return answers;
  for (let tries = 0; tries < 10; tries++) {
    const confirmed = await service.confirm(hold.booking);
    answers.push(confirmed);
    if (confirmed.ok) break;
  }
  return answers;
}

describeEachEngine('many customers, one slot', (engine) => {
  it('H4: 50 customers, one slot, tokens 1 to 50: one has it, and nothing of the others is stored', async () => {
    const { tables, stored } = await office(engine);
    const slot = freeSlot(place('room3', 19));
    unwrap(await tables.slots.create(granted(slotResource(slot.id), 0), slot));
    const attempts = Array.from({ length: 50 }, async (_, n) => {
      const customer = `c${n}`;
      // The first one is in the middle: some who follow are newer, and some are older.
      const token = ((n + 25) % 50) + 1;
      const both = {
        slotLease: granted(slotResource(slot.id), token),
        customerLease: granted(customerResource(customer), 1),
      };
      const booking = { slot: slot.id, token, customer, status: 'held', heldUntilMs: 1 } as const;
      return transact(takeSteps(tables, both, slot, booking));
    });
    const reasons = (await Promise.all(attempts)).map(reasonOf);
    expect(occurrences(reasons, 'ok')).toBe(1);
    expect(occurrences(reasons, 'fenced')).toBeGreaterThan(0);
    expect(occurrences(reasons, 'fenced') + occurrences(reasons, 'condition')).toBe(49);
    const [booking, ...more] = await stored('bookings');
    expect(more).toEqual([]);
    expect(await stored('slots')).toMatchObject([
      { status: { S: 'held' }, customer: booking?.customer, token: booking?.token },
    ]);
    const markers = await stored('markers');
    expect(markers).toHaveLength(4);
    expect(new Set(markers.map((marker) => marker.customer?.S))).toEqual(new Set([booking?.customer?.S]));
  });
});

// Whether a refusal shows its item changes no decision here, and the crowd is the largest of all tests.
const engines = { only: ['local', 'dynoxide'] } as const;

describeEachEngine(
  'many customers, ten slots',
  (engine) => {
    it('200 attempts of 50 customers on 10 slots, with pauses: 10 bookings, and every loser is told why', async () => {
      const { process, faults, until, stored } = await office(engine);
      // The slots of the two rooms overlap by half an hour.
      const places = [9, 10, 11, 12, 13].flatMap((hour) => [place('r1', hour), place('r2', hour + 0.5)]);
      const slots = places.map(freeSlot);
      const operator = process('operator');
      for (const one of places) unwrap(unwrap(await operator.offer(one)).value);

      // Longer than a lease, on the way there or on the way back: others go on meanwhile.
      const pauseMs = 1.5 * TTL_MS;
      const op = 'TransactWriteItems';
      faults.add(
        { on: { op, nth: [2, 9, 14, 19, 24, 29, 34] }, do: delay(pauseMs) },
        { on: { op, nth: [4, 11, 16, 21, 26, 31] }, do: delay(pauseMs, { at: 'answer' }) },
      );
      const attempts = Array.from({ length: 200 }, (_, n) => {
        const slot = slots[(n + Math.floor(n / 50)) % slots.length] as (typeof slots)[number];
        const service = process(`p${n}`, { waitMs: 2 * TTL_MS, holdMs: 1_000 * TTL_MS });
        return book(service, slot.id, `c${n % 50}`);
      });
      const answers = (await until(Promise.all(attempts))).flat();

      // The faults have bitten, and every sort of loser was there.
      expect(faults.bites('delay')).toBe(13);
      const reasons = answers.map(reasonOf);
      const losses = new Set(reasons.filter((reason) => reason !== 'ok'));
      expect([...losses].filter((one) => !['exists', 'fenced', 'condition', 'held'].includes(one))).toEqual(
        [],
      );
      expect(losses).toContain('fenced');
      expect(losses).toContain('condition');

      const bookings = (await stored('bookings')).map((item) => ({
        slot: item.slot?.S,
        customer: item.customer?.S,
        status: item.status?.S,
      }));
      expect(bookings.map(({ slot }) => slot).sort()).toEqual(slots.map(({ id }) => id).sort());
      expect(new Set(bookings.map(({ status }) => status))).toEqual(new Set(['confirmed']));
      expect(await stored('slots', 'holds')).toEqual([]);
      expect(await stored('slots', 'free')).toEqual([]);

      // The times of all bookings, one by one: no customer is in two rooms, and each marker has its booking.
      const busy = bookings.flatMap(({ slot: id, customer }) =>
        quartersOf(slots.find((slot) => slot.id === id) as (typeof slots)[number]).map(
          (atMs) => `${customer} ${atMs}`,
        ),
      );
      expect(new Set(busy).size).toBe(busy.length);
      const markers = (await stored('markers')).map((item) => `${item.customer?.S} ${item.atMs?.N}`);
      expect(markers.sort()).toEqual(busy.sort());
    });
  },
  engines,
);
