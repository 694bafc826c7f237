import { channel } from 'node:diagnostics_channel';
import type { FencingEvent } from './events.ts';

/** The name of the channel of `node:diagnostics_channel` that every event is published on. Two copies of this package share it. */
export const channelName = 'dynamodb-fenced';

// Kept here: Node lets go of a channel that nobody refers to.
const events = channel(channelName);

/** Whether anybody listens. Asked before anything is built for an event, so that what nobody hears costs next to nothing. */
export function isHeard(): boolean {
  return events.hasSubscribers;
}

/** Tells those who listen, at once and in this very context. What a listener throws never comes back here. */
export function publish(event: FencingEvent): void {
  events.publish(event);
}
