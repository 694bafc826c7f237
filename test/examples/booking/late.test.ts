import { expect, it } from 'vitest';
import { pause } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { booked, HOLD_MS, office, place, slotId, TTL_MS } from './office.ts';

const nine = slotId('r1', 9);
const transactions = { op: 'TransactWriteItems' } as const;

describeEachEngine('who comes too late to a slot', (engine) => {
  it('a paused confirmer is fenced after its hold has passed on', async () => {
    const { process, faults, clock, stored } = await office(engine);
    const [anns, bobs] = [process('a'), process('b')];
    await anns.offer(place('r1', 9));
    const hers = booked(await anns.hold(nine, 'ann'));
    const gate = pause();
    faults.add({ on: { ...transactions, nth: 1 }, do: gate });
    const late = anns.confirm(hers);
    await gate.reached;
    await clock.advance(HOLD_MS);
    const his = booked(await bobs.hold(nine, 'bob'));
    const before = await stored('slots');
    gate.release();
    expect(await late).toMatchObject({ ok: false, reason: 'fenced', resource: `slot/${nine}` });
    expect(await stored('slots')).toEqual(before);
    expect(booked(await bobs.confirm(his)).customer).toBe('bob');
  });

  it('a paused hold is fenced as soon as a newer lease was issued, before anything was written', async () => {
    const { process, faults, clock, stored } = await office(engine);
    const [anns, bobs] = [process('a'), process('b')];
    await anns.offer(place('r1', 9));
    const gates = [pause(), pause()] as const;
    faults.add({ on: { ...transactions, nth: 1 }, do: gates[0] }, { on: transactions, do: gates[1] });
    const late = anns.hold(nine, 'ann');
    await gates[0].reached;
    await clock.advance(TTL_MS);
    const next = bobs.hold(nine, 'bob');
    await gates[1].reached;
    gates[0].release();
    expect(await late).toMatchObject({ ok: false, reason: 'fenced', resource: `slot/${nine}` });
    expect(await stored('bookings')).toEqual([]);
    expect(await stored('markers')).toEqual([]);
    gates[1].release();
    expect(booked(await next).customer).toBe('bob');
  });

  it('a paused sweep does not end the hold of the next customer', async () => {
    const { process, faults, clock, stored } = await office(engine);
    const [sweeper, bobs] = [process('s'), process('b')];
    await bobs.offer(place('r1', 9));
    booked(await bobs.hold(nine, 'ann'));
    await clock.advance(HOLD_MS);
    const gate = pause();
    faults.add({ on: { ...transactions, nth: 1 }, do: gate });
    const late = sweeper.expireAll('r1');
    await gate.reached;
    await clock.advance(TTL_MS);
    booked(await bobs.hold(nine, 'bob'));
    gate.release();
    expect(await late).toBe(0);
    expect(await stored('slots')).toMatchObject([{ status: { S: 'held' }, customer: { S: 'bob' } }]);
  });

  it('while somebody works on a slot, others are told to come back', async () => {
    const { process, faults } = await office(engine);
    const [anns, bobs] = [process('a'), process('b')];
    await anns.offer(place('r1', 9));
    const gate = pause({ at: 'answer' });
    faults.add({ on: { ...transactions, nth: 1 }, do: gate });
    const hers = anns.hold(nine, 'ann');
    await gate.reached;
    expect(await bobs.hold(nine, 'bob')).toMatchObject({
      ok: false,
      reason: 'held',
      resource: `slot/${nine}`,
    });
    gate.release();
    booked(await hers);
    expect(await bobs.hold(nine, 'bob')).toMatchObject({ ok: false, reason: 'condition' });
  });
});
