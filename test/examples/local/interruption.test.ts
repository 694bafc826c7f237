import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { interruption } from '../../../examples/local/interruption.ts';

it.each(['SIGINT', 'SIGTERM', 'error'])(
  '%s is waited for; the next signal ends the process',
  async (name) => {
    const [signals, output] = [new EventEmitter(), new EventEmitter()];
    const listeners = () => ['SIGINT', 'SIGTERM'].map((it) => signals.listenerCount(it));
    const interrupted = interruption(signals, output);
    expect(listeners()).toEqual([1, 1]);
    (name === 'error' ? output : signals).emit(name, new Error('EPIPE'));
    await interrupted;
    // Nobody listens any more, so Node does what it does by itself, whichever it is.
    expect(listeners()).toEqual([0, 0]);
  },
);
