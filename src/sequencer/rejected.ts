import { channel } from 'node:diagnostics_channel';
import type { FencingToken } from '../fence/token.ts';

/** Why a sequencer is refused, in the order in which it is decided. */
export type RejectedReason =
  /** It is no sequencer at all. */
  | 'malformed'
  /** No key of ours has signed it: it was invented, changed, or sealed with a key that is gone. */
  | 'tampered'
  /** It is genuine, and for another resource. */
  | 'foreign'
  /** It is genuine, and over. */
  | 'expired';

/** Somebody presented a sequencer that was refused. */
export interface RejectedEvent {
  readonly event: 'rejected';
  /** When, in ms since the epoch. */
  readonly atMs: number;
  readonly reason: RejectedReason;
  /** What it should have been for; undefined where that was left open. */
  readonly resource: string | undefined;
  /** What it is for. These three are known only where the signature is ours: what a stranger writes is no evidence. */
  readonly sealedResource: string | undefined;
  readonly token: FencingToken | undefined;
  readonly holder: string | undefined;
}

// The channel on which the whole library tells what happens.
const events = channel('dynamodb-fenced');

/** Tells those who listen. Costs next to nothing where nobody does. */
export function tellRejected(event: () => Omit<RejectedEvent, 'event'>): void {
  if (events.hasSubscribers) events.publish({ event: 'rejected', ...event() } satisfies RejectedEvent);
}
