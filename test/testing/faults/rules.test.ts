import { expect, it } from 'vitest';
import { delay } from '../../../src/testing/faults/holds.ts';
import { reset } from '../../../src/testing/faults/lost-requests.ts';
import type { FaultRule } from '../../../src/testing/faults/rule.ts';
import { faults } from '../../../src/testing/faults.ts';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import { describeEachEngine, type EngineUnderTest } from '../../engines/describe-each-engine.ts';
import { counter } from './counter.ts';

describeEachEngine(
  'faults: which requests',
  (engine) => {
    /** Which of so many adds failed, by their place from 1. */
    async function failed(rules: readonly FaultRule[], adds: number, random = seededRandom(7)) {
      const c = await counter(engine, rules, { random });
      const places: number[] = [];
      for (let place = 1; place <= adds; place++) await c.add().catch(() => places.push(place));
      expect(await c.value()).toBe(adds - places.length);
      expect(c.wire.bites()).toBe(places.length);
      return places;
    }

    it('no rule: every request passes, and the log is empty', async () => {
      expect(await failed([], 3)).toEqual([]);
    });

    it('by operation', async () => {
      expect(await failed([{ on: { op: 'PutItem' }, do: reset() }], 2)).toEqual([]);
      expect(await failed([{ on: { op: ['PutItem', 'UpdateItem'] }, do: reset() }], 2)).toEqual([1, 2]);
    });

    it('by place', async () => {
      expect(await failed([{ on: { nth: 2 }, do: reset() }], 4)).toEqual([2]);
      expect(await failed([{ on: { nth: [1, 3] }, do: reset() }], 4)).toEqual([1, 3]);
    });

    it('places do not depend on other rules', async () => {
      const rules = [
        { on: { nth: 1 }, do: reset() },
        { on: { op: 'UpdateItem', nth: 2 }, do: reset() },
      ] as const;
      expect(await failed(rules, 4)).toEqual([1, 2]);
    });

    it('by what is in the request; nth counts those', async () => {
      const c = await counter(engine, [
        { on: { where: ({ input }) => input.Key.id.S === 'b', nth: 2 }, do: reset() },
      ]);
      await c.add('a');
      await c.add('b');
      await c.add('a');
      expect(await c.failure('b')).toMatchObject({ code: 'ECONNRESET' });
      expect([await c.value('a'), await c.value('b')]).toEqual([2, 1]);
    });

    it('so many times', async () => {
      expect(await failed([{ do: reset(), times: 2 }], 4)).toEqual([1, 2]);
    });

    it('with a probability, the same for the same seed', async () => {
      const rules: readonly FaultRule[] = [{ do: reset(), probability: 0.3 }];
      const once = await failed(rules, 60);
      expect(once.length).toBeGreaterThan(8);
      expect(once.length).toBeLessThan(30);
      expect(await failed(rules, 60)).toEqual(once);
      expect(await failed(rules, 60, seededRandom(8))).not.toEqual(once);
      expect(await failed([{ do: reset(), probability: 0 }], 5)).toEqual([]);
    });

    it('rules can come later, before those that are there, and go', async () => {
      const c = await counter(engine, [{ do: reset() }]);
      c.wire.add({ on: { nth: 1 }, do: delay(0) });
      await c.add();
      await c.failure();
      c.wire.heal();
      await c.add();
      expect(c.wire.log.map(({ fault }) => fault)).toEqual(['delay', 'reset']);
      expect(await c.value()).toBe(2);
    });

    it('a call that was given up before it began sends nothing', async () => {
      const c = await counter(engine, [{ do: delay(0) }]);
      expect(await c.failure('a', AbortSignal.abort())).toMatchObject({ name: 'AbortError' });
      expect([await c.value(), c.wire.bites()]).toEqual([0, 0]);
    });

    it.each([
      { do: reset(), probability: 1.5 },
      { do: reset(), probability: Number.NaN },
      { on: { nth: 0 }, do: reset() },
    ])('a rule that could never be meant is refused', (rule) => {
      expect(() => faults(handlerOf(engine), [rule])).toThrow(RangeError);
    });
  },
  { only: ['local', 'dynoxide'] },
);

function handlerOf(engine: EngineUnderTest) {
  return engine.running.handler;
}
