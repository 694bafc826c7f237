import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { linkedSignal } from '../../src/lease/linked-signal.ts';

it('aborts with the first of its sources, for the same reason', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const link = linkedSignal([one.signal, undefined, two.signal]);
  expect(link.signal.aborted).toBe(false);
  two.abort('second');
  one.abort('first');
  expect(link.signal.reason).toBe('second');
  expect(linkedSignal([undefined, one.signal]).signal.reason).toBe('first');
});

it('leaves nothing on its sources', () => {
  const { signal } = new AbortController();
  const link = linkedSignal([signal]);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  link[Symbol.dispose]();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
