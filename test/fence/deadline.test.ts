import { describe, expect, it } from 'vitest';
import { Deadline } from '../../src/fence/deadline.ts';
import { manualClock } from '../../src/testing/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';

describe('a deadline', () => {
  it('aborts when its time is up, and leaves no timer', async () => {
    const clock = manualClock();
    using deadline = new Deadline(clock, { timeoutMs: 100 });
    await clock.advance(99);
    expect(deadline.over).toBe(false);
    expect(deadline.remainingMs).toBe(1);
    await clock.advance(1);
    expect(deadline.signal.reason).toMatchObject({ name: 'TimeoutError' });
    expect(clock.timers).toBe(0);
  });

  it('is over after a pause, although no timer has run', () => {
    const clock = manualClock();
    using deadline = new Deadline(clock, { timeoutMs: 100 });
    clock.freeze(100);
    expect(deadline.over).toBe(true);
    expect(deadline.signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('is over after a suspend that stopped the monotonic clock', () => {
    const clock = manualClock();
    using deadline = new Deadline(clock, { timeoutMs: 1_000 });
    clock.jump(3_600_000);
    expect(deadline.remainingMs).toBe(0);
    expect(deadline.over).toBe(true);
  });

  it('does not grow where the wall clock is set back', async () => {
    const clock = manualClock();
    using deadline = new Deadline(clock, { timeoutMs: 1_000 });
    clock.jump(-3_600_000);
    await clock.advance(400);
    expect(deadline.remainingMs).toBe(600);
  });

  it.each([{}, 'x', null, { aborted: false }])('arms nothing for what is no signal: %o', (signal) => {
    const clock = manualClock();
    expect(() => new Deadline(clock, { signal: signal as never })).toThrow(
      invalidInput('signal', /is no AbortSignal/),
    );
    expect(clock.timers).toBe(0);
  });

  it('knows the caller by any reason, also by one that does not equal itself', () => {
    const controller = new AbortController();
    using deadline = new Deadline(manualClock(), { signal: controller.signal });
    controller.abort(Number.NaN);
    expect(deadline.abortedByCaller).toBe(true);
  });

  it('tells whether the caller ended it, also where the caller aborts after its time was up', async () => {
    const clock = manualClock();
    const controller = new AbortController();
    using given = new Deadline(clock, { timeoutMs: 100, signal: controller.signal });
    using late = new Deadline(clock, { timeoutMs: 10, signal: controller.signal });
    await clock.advance(10);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(given.signal.reason).toBe(reason);
    expect(given.abortedByCaller).toBe(true);
    expect(late.signal.reason).toMatchObject({ name: 'TimeoutError' });
    expect(late.abortedByCaller).toBe(false);
  });
});
