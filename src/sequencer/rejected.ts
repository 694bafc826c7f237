import { isHeard, publish } from '../fence/channel.ts';
import type { RejectedEvent } from '../fence/events.ts';

/** Tells those who listen. Costs next to nothing where nobody does. */
export function tellRejected(event: () => Omit<RejectedEvent, 'event'>): void {
  if (isHeard()) publish({ event: 'rejected', ...event() });
}
