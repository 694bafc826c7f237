import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { abortable } from '../../src/fence/abortable.ts';
import { sleep } from '../../src/fence/clock.ts';
import { Deadline } from '../../src/fence/deadline.ts';
import { onAbort } from '../../src/fence/on-abort.ts';
import { linkedSignal } from '../../src/lease/linked-signal.ts';
import { manualClock } from '../../src/testing/index.ts';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('onAbort', () => {
  it('calls everybody once, in order, and not who has left', () => {
    const controller = new AbortController();
    const called: string[] = [];
    onAbort(controller.signal, () => called.push('a'));
    const leave = onAbort(controller.signal, () => called.push('b'));
    onAbort(controller.signal, () => called.push('c'));
    leave();
    controller.abort();
    expect(called).toEqual(['a', 'c']);
    expect(listeners(controller.signal)).toBe(0);
  });

  it('takes the same callback twice, and leaves each by itself', () => {
    const controller = new AbortController();
    const callback = vi.fn();
    const leave = onAbort(controller.signal, callback);
    onAbort(controller.signal, callback);
    leave();
    leave();
    controller.abort();
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('listens again after everybody has left', () => {
    const controller = new AbortController();
    onAbort(controller.signal, () => {})();
    expect(listeners(controller.signal)).toBe(0);
    const callback = vi.fn();
    onAbort(controller.signal, callback);
    controller.abort();
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('does not call at all where the signal has aborted before', () => {
    const callback = vi.fn();
    onAbort(AbortSignal.abort(), callback);
    expect(callback).not.toHaveBeenCalled();
  });
});

// Node warns of a leak from the eleventh listener on.
it('any number of calls share one listener on a signal of the caller', async () => {
  const clock = manualClock();
  const { signal } = new AbortController();
  const calls = Array.from({ length: 20 }, () => [
    new Deadline(clock, { signal }),
    linkedSignal([signal]),
  ]).flat();
  const waits = Array.from({ length: 20 }, () => [
    sleep(clock, 100, signal),
    abortable(sleep(clock, 100), signal),
  ]).flat();
  expect(listeners(signal)).toBe(1);
  for (const call of calls) call[Symbol.dispose]();
  await clock.advance(100);
  await Promise.all(waits);
  expect(listeners(signal)).toBe(0);
  expect(clock.timers).toBe(0);
});
