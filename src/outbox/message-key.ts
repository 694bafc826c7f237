import type { FencingToken } from '../fence/token.ts';

/** Which message: the resource that it is about, under which token it was planned, and as which message of that lease. */
export interface MessageId {
  readonly resource: string;
  readonly token: FencingToken;
  readonly seq: number;
}

/** The idempotency key of a message, `resource:token:seq`: as a sequencer with a number, never given twice. */
export function messageKey({ resource, token, seq }: MessageId): string {
  return `${resource}:${token}:${seq}`;
}

// Enough for the largest safe integer.
const DIGITS = 16;

/** Where a message stands among those of its resource: text that sorts by token, and then by number. */
export function messagePosition({ token, seq }: Omit<MessageId, 'resource'>): string {
  return `${digits(token)}:${digits(seq)}`;
}

function digits(number: number): string {
  return String(number).padStart(DIGITS, '0');
}
