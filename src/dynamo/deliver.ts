import { abortable } from '../fence/abortable.ts';
import { type Backoff, fullJitter, longestPause } from '../fence/backoff.ts';
import { sleep } from '../fence/clock.ts';
import type { Deadline } from '../fence/deadline.ts';
import { describe } from '../fence/describe.ts';
import { InvalidInputError, isFencingError } from '../fence/errors.ts';
import type { Item } from './attributes.ts';
import type { Wire } from './client.ts';
import { type CopyOutcome, type Output, type Request, sendCopy } from './send.ts';
import { type Obstacle, unavailable } from './unavailable.ts';

/**
 * Every copy of one logical write that was ever sent, over all calls that sent it (`resolve()` sends more).
 * The SDK's own count of attempts starts again with each call, so it cannot tell whether a copy is still out.
 */
export class Copies {
  /** The same on every copy, so that AWS and a log reader see that they belong together. */
  readonly invocation: string;
  sent = 0;
  /** Copies that did not end in a definite rejection: each may have been applied, or may be applied yet. */
  undecided = 0;
  /** Copies that the storage evaluated: applied, or refused by their condition. */
  evaluated = 0;
  /** The service's name for its last answer. */
  requestId: string | undefined;

  constructor(invocation: string) {
    this.invocation = invocation;
  }

  /** Whether the storage has never seen the write, and never will: no copy was evaluated, and none is out. */
  get unseen(): boolean {
    return this.evaluated === 0 && this.undecided === 0;
  }

  get applied(): 'no' | 'unknown' {
    return this.undecided > 0 ? 'unknown' : 'no';
  }
}

export type Delivery =
  | { readonly is: 'done'; readonly output: Output }
  /** The condition of the last copy was false; `item` is what it was judged on, where the engine says so. */
  | { readonly is: 'refused'; readonly item: Item | undefined; readonly error: unknown }
  /** Every copy ever sent was turned away unevaluated. */
  | {
      readonly is: 'contention';
      readonly retryAfterMs: number;
      readonly obstacle: Obstacle;
      readonly error: unknown;
    }
  /** Some copy may have been applied. */
  | { readonly is: 'unknown'; readonly error: unknown };

// As the SDK's own for DynamoDB, but a throttled write waits less at first: it is bounded by the deadline anyway.
const transient: Backoff = { baseMs: 25, capMs: 5_000 };
const throttling: Backoff = { baseMs: 200, capMs: 5_000 };

/** How long to go on. */
export interface Persistence {
  /** Whether another copy may follow the first. Default true. */
  readonly resend?: boolean;
  /** What speaks against sending a copy, asked until the moment at which it leaves. Default nothing. */
  readonly objection?: () => Error | undefined;
  /**
   * What the client's `maxAttempts` limit: all copies, the default; or only those of which nobody knows what
   * became, while copies that were turned away are followed by others until the deadline.
   */
  readonly attempts?: 'all' | 'unanswered';
}

/** What lasts for a moment only, however often it is met. */
const passing: ReadonlySet<CopyOutcome['is']> = new Set(['throttled', 'conflict', 'in-progress']);

/**
 * Sends copies of a request until one of them is answered, the client's `maxAttempts` are used up or the
 * deadline is over.
 *
 * @throws the service's error, where it will never accept the request; UnavailableError, where no copy got through
 * to be evaluated; the objection, where no copy left because of it; the reason of the caller's signal, where it
 * aborted and nothing can have been applied.
 */
export async function deliver(
  wire: Wire,
  request: Request,
  deadline: Deadline,
  copies: Copies,
  { resend = true, objection = () => undefined, attempts: limited = 'all' }: Persistence = {},
): Promise<Delivery> {
  const wanted = () => resend && objection() === undefined;
  let turnedAway: Delivery | undefined;
  let last: Exclude<CopyOutcome, { is: 'done' }> = { is: 'unsendable', error: undefined };
  const attempts = await attemptsOf(wire, deadline).catch((error: unknown) => {
    last = { is: isFencingError(error) ? 'fault' : 'unsendable', error };
    return 0;
  });
  let used = 0;
  for (let attempt = 1; used < attempts && !deadline.over; attempt++) {
    if (attempt > 1 && !wanted()) break;
    const { sent, invocation } = copies;
    const outcome = await sendCopy(wire, request, deadline, { number: sent + 1, invocation, objection });
    copies.requestId = requestIdOf(outcome) ?? copies.requestId;
    if (outcome.is === 'withdrawn') {
      // What the copies before it met says more.
      if (attempt === 1) last = outcome;
      break;
    }
    if (outcome.is !== 'unsendable' && outcome.is !== 'never-left') copies.sent++;
    if (outcome.is === 'done' || outcome.is === 'refused') copies.evaluated++;
    if (outcome.is === 'done') return outcome;
    last = outcome;
    const { error } = outcome;
    if (outcome.is === 'refused') return { is: 'refused', item: itemOf(error), error };
    if (outcome.is === 'undecided' || outcome.is === 'in-progress') copies.undecided++;
    if (outcome.is === 'unsendable' && !deadline.over) turnedAway = undefined;
    if (outcome.is === 'fault' || outcome.is === 'unsendable') break;
    const backoff = outcome.is === 'throttled' || outcome.is === 'in-progress' ? throttling : transient;
    if (limited === 'all' || !passing.has(outcome.is)) used++;
    if (outcome.is === 'throttled' || outcome.is === 'conflict') {
      const retryAfterMs = longestPause(attempt, backoff);
      turnedAway = { is: 'contention', retryAfterMs, obstacle: outcome.is, error };
    }
    if (used < attempts && wanted()) await pause(wire, fullJitter(attempt, backoff, wire.random), deadline);
  }
  if (copies.undecided > 0) return { is: 'unknown', error: last.error ?? deadline.signal.reason };
  if (last.is === 'fault' || last.is === 'misdated' || last.is === 'withdrawn') throw last.error;
  if (deadline.abortedByCaller) throw deadline.signal.reason;
  if (turnedAway !== undefined) return turnedAway;
  const unsent = last.is === 'unsendable' && deadline.over;
  throw unavailable(request, unsent ? 'late' : 'unreached', unsent ? deadline.signal.reason : last.error);
}

/** The client may look it up in a file, or ask somebody who never answers. */
async function attemptsOf({ client }: Wire, { signal }: Deadline): Promise<number> {
  const given: unknown = await abortable(Promise.resolve(client.config.maxAttempts()), signal);
  const attempts = Number(given);
  if (!Number.isNaN(attempts)) return Math.max(1, attempts);
  throw new InvalidInputError(
    'client',
    `its maxAttempts is ${describe(given)}, which is no number`,
    'Give the client a whole number from 1, or leave maxAttempts out.',
  );
}

// On the error, the item is in attribute value form, with either client.
function itemOf(error: unknown): Item | undefined {
  return (error as { Item?: Item } | undefined)?.Item;
}

/** The SDK notes it on answers and on errors alike. */
function requestIdOf(outcome: CopyOutcome): string | undefined {
  const answer = outcome.is === 'done' ? outcome.output : outcome.error;
  return (answer as { $metadata?: { requestId?: string } } | undefined)?.$metadata?.requestId;
}

/** Waits before the next copy; a deadline that comes first just ends the wait. */
async function pause(wire: Wire, delayMs: number, deadline: Deadline): Promise<void> {
  await sleep(wire.clock, delayMs, deadline.signal).catch(() => undefined);
}
