import { expect, it } from 'vitest';
import { dropResponse } from '../../../src/testing/faults/drop-response.ts';
import { duplicate } from '../../../src/testing/faults/duplicate.ts';
import { delay, pause, reorder } from '../../../src/testing/faults/holds.ts';
import { manualClock } from '../../../src/testing/manual-clock.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { counter } from './counter.ts';

const second = { op: 'UpdateItem', nth: 2 } as const;

describeEachEngine(
  'faults: what arrives late',
  (engine) => {
    it('pause: nothing arrives before the release', async () => {
      const gate = pause();
      const c = await counter(engine, [{ on: { nth: 1 }, do: gate }]);
      const paused = c.add();
      await gate.reached;
      expect(gate.waiting).toBe(1);
      await c.add();
      expect(await c.value()).toBe(1);
      gate.release();
      expect(await paused).toMatchObject({ Attributes: { n: { N: '2' } } });
      expect(gate.waiting).toBe(0);
    });

    it('pause at the answer: applied, and the caller does not know yet', async () => {
      const gate = pause({ at: 'answer' });
      const c = await counter(engine, [{ on: { nth: 1 }, do: gate }]);
      const paused = c.add();
      await gate.reached;
      expect(await c.value()).toBe(1);
      gate.release();
      expect(await paused).toMatchObject({ Attributes: { n: { N: '1' } } });
    });

    it('pause: the caller may give up, and its request arrives nevertheless', async () => {
      const gate = pause();
      const c = await counter(engine, [{ do: gate }]);
      const controller = new AbortController();
      const failure = c.failure('a', controller.signal);
      await gate.reached;
      controller.abort();
      expect(await failure).toMatchObject({ name: 'AbortError' });
      expect(await c.value()).toBe(0);
      gate.release();
      await c.wire.idle();
      expect(await c.value()).toBe(1);
    });

    it('duplicate: a copy arrives once more, after others, and nobody hears of it', async () => {
      const late = duplicate({ after: { requests: 2 } });
      const c = await counter(engine, [{ on: { nth: 1 }, do: late }]);
      expect(await c.add()).toMatchObject({ Attributes: { n: { N: '1' } } });
      await c.add();
      expect(late.answers).toEqual([]);
      expect(await c.add()).toMatchObject({ Attributes: { n: { N: '3' } } });
      await c.wire.idle();
      expect(await c.value()).toBe(4);
      expect(late.answers).toMatchObject([{ statusCode: 200, body: expect.stringContaining('"4"') }]);
    });

    it('duplicate: several copies, when you say so', async () => {
      let now = () => {};
      const moment = new Promise<void>((resolve) => {
        now = resolve;
      });
      const late = duplicate({ after: moment, copies: 3 });
      const c = await counter(engine, [{ on: { nth: 1 }, do: late }]);
      await c.add();
      await c.add();
      expect(await c.value()).toBe(2);
      now();
      await c.wire.idle();
      expect(await c.value()).toBe(5);
      expect(late.answers).toHaveLength(3);
    });

    it('duplicate, with the first answer lost', async () => {
      const c = await counter(engine, [{ on: { nth: 1 }, do: [duplicate(), dropResponse()] }]);
      expect(await c.failure()).toMatchObject({ code: 'ECONNRESET' });
      expect(await c.value()).toBe(1);
      await c.add();
      await c.wire.idle();
      // The late copy runs through the faults after it as well, so its answer is lost too.
      expect(await c.value()).toBe(3);
      expect(c.wire.bites('dropResponse')).toBe(2);
    });

    it('delay: by the clock that it was given', async () => {
      const clock = manualClock();
      const c = await counter(engine, [{ on: { nth: 1 }, do: delay(5_000) }], { clock });
      const slow = c.add();
      await expect.poll(() => clock.timers).toBe(1);
      await clock.advance(4_999);
      expect(await c.value()).toBe(0);
      await clock.advance(1);
      await slow;
      expect(await c.value()).toBe(1);
    });

    it('duplicate: a copy arrives after some time', async () => {
      const clock = manualClock();
      const c = await counter(engine, [{ do: duplicate({ after: { ms: 60_000 } }) }], { clock });
      await c.add();
      await clock.advance(59_999);
      expect(await c.value()).toBe(1);
      await clock.advance(1);
      await c.wire.idle();
      expect(await c.value()).toBe(2);
    });

    it('reorder: nobody comes, so it goes on after a while', async () => {
      const clock = manualClock();
      const c = await counter(engine, [{ do: reorder({ atMostMs: 200 }) }], { clock });
      const lonely = c.add();
      await expect.poll(() => clock.timers).toBe(1);
      await clock.advance(199);
      expect(await c.value()).toBe(0);
      await clock.advance(1);
      await lonely;
      expect([await c.value(), clock.timers]).toEqual([1, 0]);
    });

    it('reorder: later requests overtake', async () => {
      const clock = manualClock();
      const c = await counter(engine, [{ on: { nth: 1 }, do: reorder({ behind: 2 }) }], { clock });
      const order: string[] = [];
      const add = (name: string) => c.add().then(() => order.push(name));
      await Promise.all([add('first'), add('second'), add('third')]);
      expect(order.at(-1)).toBe('first');
      // It had patience left, and took it back.
      expect([await c.value(), clock.timers]).toEqual([3, 0]);
    });

    it('reorder of answers: applied in order, answered in another', async () => {
      const clock = manualClock();
      const c = await counter(engine, [{ on: { nth: 1 }, do: reorder({ at: 'answer' }) }], { clock });
      const order: string[] = [];
      const add = async (name: string) => {
        const { Attributes } = await c.add();
        order.push(`${name} ${Attributes?.n?.N}`);
      };
      const first = add('first');
      await expect.poll(() => c.value()).toBe(1);
      await Promise.all([first, add('second')]);
      expect(order).toEqual(['second 2', 'first 1']);
    });

    it('a request that is not held is not disturbed by one that is', async () => {
      const gate = pause();
      const c = await counter(engine, [{ on: second, do: gate }]);
      await c.add();
      const held = c.add();
      await gate.reached;
      await c.add('b');
      expect([await c.value(), await c.value('b')]).toEqual([1, 1]);
      gate.release();
      await held;
    });
  },
  { only: ['local', 'dynoxide'] },
);
