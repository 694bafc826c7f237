import { expect, it } from 'vitest';
import { sleep, stopwatch } from '../../src/fence/clock.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import { skewedClock } from '../../src/testing/skewed-clock.ts';

it('shows another time and runs as fast', async () => {
  const base = manualClock(1_000);
  const ahead = skewedClock(base, 500);
  const behind = skewedClock(base, -500);
  expect([ahead.now(), behind.now()]).toEqual([1_500, 500]);
  await base.advance(100);
  expect([ahead.now(), behind.now()]).toEqual([1_600, 600]);
  expect([ahead.elapsed(), behind.elapsed()]).toEqual([100, 100]);
});

it('runs faster or slower, timers and all', async () => {
  const base = manualClock(0);
  const fast = skewedClock(base, 10, 2);
  const fired: string[] = [];
  void sleep(fast, 100).then(() => fired.push('fast'));
  fast.after(100, () => fired.push('never'))();
  await base.advance(49);
  expect([fired, fast.now(), fast.elapsed()]).toEqual([[], 108, 98]);
  await base.advance(1);
  expect([fired, fast.now(), fast.elapsed()]).toEqual([['fast'], 110, 100]);
  expect(base.timers).toBe(0);
});

it('jumps, while the monotonic clock goes on', async () => {
  const base = manualClock(0);
  const clock = skewedClock(base, 0);
  const span = stopwatch(clock);
  clock.jump(-3_600_000);
  await base.advance(250);
  expect([clock.now(), clock.elapsed(), span()]).toEqual([-3_599_750, 250, 250]);
  expect(base.now()).toBe(250);
});

it.each([0, -1, Number.NaN])('a rate of %s is refused', (rate) => {
  expect(() => skewedClock(manualClock(), 0, rate)).toThrow(RangeError);
});
