import { abortable } from '../fence/abortable.ts';
import type { CallOptions } from '../fence/call-options.ts';
import type { Clock } from '../fence/clock.ts';
import type { Deadline } from '../fence/deadline.ts';
import { KeyQueue } from '../fence/key-queue.ts';
import { within } from '../fence/within.ts';

/** Takes steps that belong together one after the other, each within bounds of its own. */
export class OneAtATime {
  readonly #clock: Clock;
  readonly #queue = new KeyQueue();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A deadline that comes before its turn is the step's affair: it is begun, and must ask nothing any more. */
  run<T>(options: CallOptions, step: (deadline: Deadline) => Promise<T>): Promise<T> {
    return within(this.#clock, options, async (deadline) => {
      const turn = this.#queue.join(['step']);
      try {
        await abortable(turn.ready, deadline.signal).catch(() => undefined);
        return await step(deadline);
      } finally {
        turn.leave();
      }
    });
  }
}
