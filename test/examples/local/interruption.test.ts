import { expect, it } from 'vitest';
import { interruption } from '../../../examples/local/interruption.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;
const listeners = () => signals.map((signal) => process.listenerCount(signal));

it.each(signals)('%s is waited for, and the next signal of either kind ends the process', async (signal) => {
  const before = listeners();
  const interrupted = interruption();
  expect(listeners()).toEqual(before.map((count) => count + 1));
  process.emit(signal);
  await interrupted;
  expect(listeners()).toEqual(before);
});
