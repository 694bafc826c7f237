import { expect, it } from 'vitest';
import { sleep, stopwatch } from '../../src/fence/clock.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';

it('stands still until it is moved', async () => {
  const clock = manualClock(1_000);
  let done = false;
  void sleep(clock, 10).then(() => {
    done = true;
  });
  await clock.advance(9);
  expect([clock.now(), clock.elapsed(), done, clock.timers]).toEqual([1_009, 9, false, 1]);
  await clock.advance(1);
  expect([clock.now(), clock.elapsed(), done, clock.timers]).toEqual([1_010, 10, true, 0]);
});

it('runs every timer at its own moment, and what waits for it before the next one', async () => {
  const clock = manualClock(0);
  const log: string[] = [];
  const walk = async (name: string, ...steps: number[]) => {
    for (const step of steps) {
      await sleep(clock, step);
      log.push(`${name} at ${clock.now()}`);
    }
  };
  void walk('a', 10, 5, 5);
  void walk('b', 12, 8);
  await clock.advance(100);
  expect(log).toEqual(['a at 10', 'b at 12', 'a at 15', 'b at 20', 'a at 20']);
  expect(clock.now()).toBe(100);
});

it('runs timers of one moment in the order in which they were set, and none that was cancelled', async () => {
  const clock = manualClock();
  const log: number[] = [];
  clock.after(5, () => log.push(1));
  clock.after(5, () => log.push(2))();
  clock.after(5, () => log.push(3));
  clock.after(-1, () => log.push(0));
  await clock.advance(5);
  expect(log).toEqual([0, 1, 3]);
});

it('starts work before time passes: a timer that it sets counts from now', async () => {
  const clock = manualClock(0);
  const moments: number[] = [];
  void Promise.resolve().then(() => clock.after(3, () => moments.push(clock.now())));
  await clock.advance(10);
  expect(moments).toEqual([3]);
});

it('freezes a process: time passes, and its timers run late, all at once', async () => {
  const clock = manualClock(0);
  const moments: number[] = [];
  clock.after(10, () => moments.push(clock.now()));
  clock.after(20, () => moments.push(clock.now()));
  clock.freeze(1_000);
  expect([clock.now(), clock.elapsed(), moments]).toEqual([1_000, 1_000, []]);
  await clock.advance(0);
  expect(moments).toEqual([1_000, 1_000]);
});

it('never goes back where it is frozen while it advances', async () => {
  const clock = manualClock(0);
  clock.after(1, () => clock.freeze(1_000));
  await clock.advance(10);
  expect(clock.elapsed()).toBe(1_001);
});

it('jumps on the wall alone', async () => {
  const clock = manualClock(5_000);
  const span = stopwatch(clock);
  clock.jump(-4_000);
  await clock.advance(10);
  expect([clock.now(), clock.elapsed(), span()]).toEqual([1_010, 10, 10]);
  clock.jump(4_100);
  expect([clock.elapsed(), span()]).toEqual([10, 110]);
});

it('shows whole milliseconds, as the clock of a machine does', async () => {
  const clock = manualClock(0);
  await clock.advance(1.75);
  expect([clock.now(), clock.elapsed()]).toEqual([1, 1.75]);
});
