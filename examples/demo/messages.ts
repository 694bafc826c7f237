import type { FencingToken } from 'dynamodb-fenced';
import type { LogLine } from 'dynamodb-fenced/observe';
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
  /** What the library told of it. */
  readonly log: readonly LogLine[];
}
