import { expect, it } from 'vitest';
import { freeSlot } from '../../../examples/booking/slot.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { booked, HOLD_MS, office, place, slotId } from './office.ts';

const nine = slotId('r1', 9);
const text = (items: readonly Record<string, { S?: string; N?: string }>[], name: string) =>
  items.map((item) => item[name]?.S ?? item[name]?.N);

describeEachEngine('booking a slot', (engine) => {
  it('hold: slot, booking and markers change together, and are stored as they are', async () => {
    const { process, stored, clock } = await office(engine);
    const service = process('p');
    await service.offer({ ...place('r1', 9, 9.5) });
    const booking = booked(await service.hold(nine, 'ann'));
    const heldUntilMs = clock.now() + HOLD_MS;
    expect(booking).toMatchObject({ slot: nine, customer: 'ann', status: 'held', heldUntilMs });
    const token = { N: `${booking.token}` };
    const startsAtMs = { N: `${place('r1', 9).startsAtMs}` };
    const stamped = (seq: number) => ({
      _fence: token,
      _fenceHolder: { S: expect.stringMatching(/^p\//) },
      _fenceSeq: { N: `${seq}` },
      _fenceVersion: { S: expect.stringContaining(`${booking.token}.${seq}.p/`) },
    });
    expect(await stored('slots')).toEqual([
      {
        ...{ id: { S: nine }, room: { S: 'r1' }, status: { S: 'held' }, customer: { S: 'ann' }, token },
        ...{ startsAtMs, endsAtMs: { N: `${place('r1', 9, 9.5).endsAtMs}` } },
        ...{ heldIn: { S: 'r1' }, heldUntilMs: { N: `${heldUntilMs}` } },
        ...stamped(1),
      },
    ]);
    expect(await stored('bookings')).toEqual([
      {
        ...{ slot: { S: nine }, token, customer: { S: 'ann' }, status: { S: 'held' } },
        heldUntilMs: { N: `${heldUntilMs}` },
        ...stamped(1),
      },
    ]);
    const markers = await stored('markers');
    expect(text(markers, 'atMs').sort()).toEqual([
      `${place('r1', 9).startsAtMs}`,
      `${place('r1', 9.25).startsAtMs}`,
    ]);
    expect(text(markers, 'customer')).toEqual(['ann', 'ann']);
  });

  it('hold again by the same customer is the same booking', async () => {
    const { process, stored } = await office(engine);
    const service = process('p');
    await service.offer(place('r1', 9));
    const first = booked(await service.hold(nine, 'ann'));
    expect(await service.hold(nine, 'ann')).toEqual({ ok: true, booking: first });
    expect(await stored('bookings')).toHaveLength(1);
  });

  it('confirm: the slot is booked, and the second confirmation is the first', async () => {
    const { process, stored, clock } = await office(engine);
    const service = process('p');
    await service.offer(place('r1', 9));
    const booking = booked(await service.hold(nine, 'ann'));
    await clock.advance(HOLD_MS - 1);
    const confirmed = await service.confirm(booking);
    expect(confirmed).toEqual({ ok: true, booking: { ...booking, status: 'confirmed' } });
    expect(await service.confirm(booking)).toEqual(confirmed);
    const [slot] = await stored('slots');
    expect(slot).toMatchObject({ status: { S: 'booked' }, customer: { S: 'ann' } });
    expect(slot).not.toHaveProperty('heldUntilMs');
    expect(await stored('slots', 'holds')).toEqual([]);
  });

  it('a hold that has run out cannot be confirmed, and passes to the next customer', async () => {
    const { process, stored, clock } = await office(engine);
    const service = process('p');
    await service.offer(place('r1', 9));
    const anns = booked(await service.hold(nine, 'ann'));
    expect(await service.hold(nine, 'bob')).toMatchObject({ ok: false, reason: 'condition' });
    expect(await service.expire(nine)).toMatchObject({ ok: false, reason: 'condition' });
    await clock.advance(HOLD_MS);
    expect(await service.confirm(anns)).toMatchObject({ ok: false, reason: 'condition' });
    const bobs = booked(await service.hold(nine, 'bob'));
    const fenced = { ok: false, reason: 'fenced', token: anns.token, lastToken: bobs.token };
    expect(await service.confirm(anns)).toMatchObject(fenced);
    expect(await service.cancel(anns)).toMatchObject(fenced);
    expect(booked(await service.confirm(bobs)).status).toBe('confirmed');
    const bookings = await stored('bookings');
    expect(text(bookings, 'customer')).toEqual(['ann', 'bob']);
    expect(text(bookings, 'status')).toEqual(['expired', 'confirmed']);
    // Ann is free again at that time, and Bob is not.
    const live = (await stored('markers')).filter((marker) => marker._fenceVersion !== undefined);
    expect(new Set(text(live, 'customer'))).toEqual(new Set(['bob']));
    expect(live).toHaveLength(4);
  });

  it('expireAll ends the holds of a room that have run out, and no others', async () => {
    const { process, stored, clock } = await office(engine);
    const service = process('p');
    for (const hour of [9, 10, 11]) await service.offer(place('r1', hour));
    await service.offer(place('r2', 9));
    booked(await service.hold(nine, 'ann'));
    booked(await service.hold(slotId('r2', 9), 'bob'));
    await service.confirm(booked(await service.hold(slotId('r1', 11), 'cay')));
    await clock.advance(HOLD_MS / 2);
    booked(await service.hold(slotId('r1', 10), 'ann'));
    await clock.advance(HOLD_MS / 2);
    expect(await service.expireAll('r1')).toBe(1);
    expect(text(await stored('slots', 'holds'), 'id').sort()).toEqual([slotId('r1', 10), slotId('r2', 9)]);
    expect(await service.expireAll('r1')).toBe(0);
  });

  it('cancel: the slot and the time of the customer are free again', async () => {
    const { process, stored } = await office(engine);
    const service = process('p');
    await service.offer(place('r1', 9));
    const booking = booked(await service.hold(nine, 'ann'));
    await service.confirm(booking);
    expect(await service.cancel(booking)).toEqual({ ok: true, booking: { ...booking, status: 'cancelled' } });
    expect(await service.cancel(booking)).toMatchObject({ ok: false, reason: 'condition' });
    const markers = await stored('markers');
    expect(markers).toHaveLength(4);
    expect(markers.every((marker) => marker._fenceVersion === undefined)).toBe(true);
    expect((await service.free('2026-03-02')).items).toMatchObject([{ id: nine, status: 'free' }]);
    expect(booked(await service.hold(nine, 'bob')).customer).toBe('bob');
  });

  it('one customer never has two slots that overlap, even by a quarter of an hour', async () => {
    const { process, stored } = await office(engine);
    const service = process('p');
    await service.offer(place('r1', 9));
    await service.offer(place('r2', 9.75, 11));
    await service.offer(place('r3', 10));
    booked(await service.hold(nine, 'ann'));
    expect(await service.hold(slotId('r2', 9.75), 'ann')).toMatchObject({ ok: false, reason: 'exists' });
    expect(booked(await service.hold(slotId('r3', 10), 'ann')).status).toBe('held');
    expect(booked(await service.hold(slotId('r2', 9.75), 'bob')).status).toBe('held');
    // Nothing of the refused transaction is left.
    expect(await stored('bookings')).toHaveLength(3);
  });

  it('what is not there cannot be held, confirmed, cancelled or expired', async () => {
    const { process } = await office(engine);
    const service = process('p');
    const none = { ok: false, reason: 'not-found' };
    const id = { slot: nine, token: 1 };
    expect(await service.hold(nine, 'ann')).toEqual(none);
    expect(await service.confirm(id)).toMatchObject(none);
    expect(await service.cancel(id)).toEqual(none);
    expect(await service.expire(nine)).toEqual(none);
  });
});

it.each([
  ['an odd beginning', { room: 'r', startsAtMs: 1, endsAtMs: 900_001 }],
  ['an odd end', { room: 'r', startsAtMs: 0, endsAtMs: 1_000_000 }],
  ['no time at all', { room: 'r', startsAtMs: 0, endsAtMs: 0 }],
  ['an end before its beginning', { room: 'r', startsAtMs: 900_000, endsAtMs: 0 }],
  ['more than six hours', { room: 'r', startsAtMs: 0, endsAtMs: 25 * 900_000 }],
])('a slot with %s is refused', (_, given) => {
  expect(() => freeSlot(given)).toThrow(RangeError);
});
