import { expect, it } from 'vitest';
import { takeTurn } from '../../src/dynamo/turn.ts';
import { Deadline } from '../../src/fence/deadline.ts';
import { sessionOf } from '../../src/fence/fence.ts';
import { manualClock } from '../../src/testing/index.ts';
import { granted } from '../support/fences.ts';

const session = () => sessionOf(granted('r', 1));

it('is taken at once where nobody is before', async () => {
  using deadline = new Deadline(manualClock(), {});
  const turn = await takeTurn([{ session: session(), keys: ['a', 'b'] }], deadline);
  turn.leave();
});

it('comes in the order of the calls, before anybody has yielded', async () => {
  const [one, clock] = [session(), manualClock()];
  using deadline = new Deadline(clock, {});
  const order: number[] = [];
  await Promise.all(
    [1, 2, 3].map(async (n) => {
      const turn = await takeTurn([{ session: one, keys: ['a'] }], deadline);
      order.push(n);
      await Promise.resolve();
      order.push(n);
      turn.leave();
    }),
  );
  expect(order).toEqual([1, 1, 2, 2, 3, 3]);
});

it('is unavailable at the deadline, and leaves the queue', async () => {
  const [one, clock] = [session(), manualClock()];
  using long = new Deadline(clock, {});
  using short = new Deadline(clock, { timeoutMs: 50 });
  const first = await takeTurn([{ session: one, keys: ['a'] }], long);
  const second = takeTurn([{ session: one, keys: ['a'] }], short).catch((error) => error);
  const third = takeTurn([{ session: one, keys: ['a'] }], long);
  await clock.advance(50);
  expect(await second).toMatchObject({
    ...{ code: 'unavailable', applied: 'no', message: expect.stringMatching(/earlier writes.*50 ms/) },
    cause: { name: 'TimeoutError' },
  });
  first.leave();
  (await third).leave();
});

it('that nobody stood before blames nobody for the time', async () => {
  const clock = manualClock();
  using deadline = new Deadline(clock, { timeoutMs: 50 });
  clock.freeze(50);
  const refused = await takeTurn([{ session: session(), keys: ['a'] }], deadline).catch((error) => error);
  expect(refused).toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/50 ms were over before/),
  });
  expect(refused.message).not.toMatch(/earlier writes/);
});

it('is not taken where the deadline passed unnoticed', async () => {
  const [one, clock] = [session(), manualClock()];
  using deadline = new Deadline(clock, { timeoutMs: 50 });
  clock.freeze(50);
  await expect(takeTurn([{ session: one, keys: ['a'] }], deadline)).rejects.toMatchObject({
    code: 'unavailable',
  });
});

it("is given up for the reason of the caller's signal", async () => {
  const [one, clock, controller] = [session(), manualClock(), new AbortController()];
  using long = new Deadline(clock, {});
  using mine = new Deadline(clock, { signal: controller.signal });
  const first = await takeTurn([{ session: one, keys: ['a'] }], long);
  const second = takeTurn([{ session: one, keys: ['a'] }], mine).catch((error) => error);
  const third = takeTurn([{ session: one, keys: ['a'] }], long);
  const enough = new Error('enough');
  controller.abort(enough);
  expect(await second).toBe(enough);
  first.leave();
  (await third).leave();
});

it('in several queues is taken in one order by all: nobody waits for who waits for it', async () => {
  const [one, other, clock] = [session(), session(), manualClock()];
  using deadline = new Deadline(clock, {});
  const places = [
    { session: one, keys: ['a', 'b'] },
    { session: other, keys: ['c'] },
  ];
  const order: number[] = [];
  const take = async (n: number, wanted: typeof places) => {
    const turn = await takeTurn(wanted, deadline);
    order.push(n);
    await Promise.resolve();
    turn.leave();
  };
  await Promise.all([
    take(1, places),
    take(2, [...places].reverse()),
    take(3, [{ session: other, keys: ['c'] }]),
    take(4, [{ session: one, keys: ['b'] }]),
  ]);
  expect(order.slice(0, 2)).toEqual([1, 2]);
  expect(order).toHaveLength(4);
});

it('says whose turn it was that did not come, and leaves every queue', async () => {
  const [one, other, clock] = [sessionOf(granted('r', 1)), sessionOf(granted('q', 1)), manualClock()];
  using long = new Deadline(clock, {});
  using short = new Deadline(clock, { timeoutMs: 50 });
  const first = await takeTurn([{ session: one, keys: ['a'] }], long);
  const both = [
    { session: one, keys: ['a'] },
    { session: other, keys: ['b'] },
  ];
  const second = takeTurn(both, short).catch((error) => error);
  await clock.advance(50);
  expect(await second).toMatchObject({ code: 'unavailable', message: expect.stringContaining('to r, q') });
  (await takeTurn([{ session: other, keys: ['b'] }], long)).leave();
  first.leave();
});
