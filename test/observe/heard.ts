import type { FencingEvent } from '../../src/observe/index.ts';
import { subscribe } from '../../src/observe/index.ts';

/** The events that are told from now on, until it is disposed. */
export interface Heard extends Disposable {
  readonly events: readonly FencingEvent[];
  /** `event` of each, and `reason` where it has one. */
  readonly kinds: readonly string[];
}

export function heard(): Heard {
  const events: FencingEvent[] = [];
  const subscription = subscribe((event) => events.push(event));
  return {
    events,
    get kinds() {
      return events.map((event) => ('reason' in event ? `${event.event} ${event.reason}` : event.event));
    },
    [Symbol.dispose]: subscription.stop,
  };
}
