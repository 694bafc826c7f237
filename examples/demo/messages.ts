import type { FencingToken } from 'dynamodb-fenced';
import type { WriteAnswer } from './teller.ts';

/** What a holder is told. */
export type Order =
  | { readonly do: 'withdraw'; readonly withdrawal: Withdrawal }
  /** Write what you were about to write. */
  | { readonly do: 'go-on' };

/** Take money off an account, by reading its balance and writing a smaller one. */
export interface Withdrawal {
  readonly id: string;
  readonly amount: number;
  readonly fenced: boolean;
  readonly reading: 'get' | 'claim';
}

/** What a holder tells. */
export type Message =
  | { readonly is: 'ready'; readonly pid: number }
  | { readonly is: 'about-to-write' }
  | { readonly is: 'done'; readonly outcome: Outcome }
  | { readonly is: 'failed'; readonly error: string };

/** How a withdrawal went. */
export interface Outcome {
  readonly amount: number;
  readonly token: FencingToken;
  readonly holder: string;
  readonly read: number;
  readonly wrote: number;
  readonly answer: WriteAnswer;
  readonly events: readonly LogEvent[];
}

/** What an operator finds in the log about one step. */
export interface LogEvent {
  /** In ms since the epoch, with fractions: two processes may log within one millisecond. */
  readonly atMs: number;
  readonly event: 'acquire' | 'renew' | 'claim' | 'read' | 'write' | 'reject' | 'release';
  readonly resource: string;
  readonly token: FencingToken;
  readonly holder: string;
  readonly details: Readonly<Record<string, string | number | undefined>>;
}
