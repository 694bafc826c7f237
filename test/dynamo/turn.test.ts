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
    ...{ code: 'unavailable', applied: 'no', message: expect.stringContaining('50 ms') },
    cause: { name: 'TimeoutError' },
  });
  first.leave();
  (await third).leave();
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
