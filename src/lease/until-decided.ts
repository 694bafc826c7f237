import { beneath } from '../dynamo/unavailable.ts';
import { type Backoff, fullJitter } from '../fence/backoff.ts';
import { sleep } from '../fence/clock.ts';
import type { Deadline } from '../fence/deadline.ts';
import {
  isFencingError,
  OutcomeUnknownError,
  type ResolveOptions,
  UnavailableError,
} from '../fence/errors.ts';
import type { Applied } from '../fence/result.ts';
import type { LeaseContext } from './lease-context.ts';
import { StaleGrant } from './stale-grant.ts';
import type { Undecided } from './token-source.ts';

const backoff: Backoff = { baseMs: 25, capMs: 1_000 };

/** A step that may be taken again without harm. */
export interface RepeatableStep<Answer, Result> {
  /** In words, for errors: `The renewal of account/a1`. */
  readonly name: string;
  ask(): Promise<Answer | Undecided>;
  /** Whether an earlier call may have done it. Default no. */
  mayBeDone?(): boolean;
  /** What to do where it may have been done and nobody knows: a sentence for the error. */
  readonly ifUnknown: string;
  /** What the whole call does, when its outcome is asked for later. */
  resolve(options?: ResolveOptions): Promise<Result>;
}

/**
 * Takes a step until it is decided or the deadline is over. Throttling, a transaction that holds the row,
 * and lost answers are no reason to believe that a lease is lost.
 *
 * @throws UnavailableError where nothing was applied, OutcomeUnknownError where something may have been; the
 * reason of the caller's signal.
 */
export async function untilDecided<Answer extends { readonly is: string }, Result>(
  { clock, random }: Pick<LeaseContext, 'clock' | 'random'>,
  deadline: Deadline,
  step: RepeatableStep<Answer, Result>,
): Promise<Answer> {
  let applied: Applied = 'no';
  let error: unknown = deadline.signal.reason;
  for (let attempt = 1; !deadline.over; attempt++) {
    const answer = await step.ask();
    if (isDecided(answer)) return answer;
    error = answer.error;
    if (answer.applied === 'unknown') applied = 'unknown';
    const pauseMs = fullJitter(attempt, backoff, random);
    await sleep(clock, pauseMs, deadline.signal).catch(() => undefined);
  }
  if (deadline.abortedByCaller) throw deadline.signal.reason;
  throw undecided(step, step.mayBeDone?.() === true ? 'unknown' : applied, error);
}

function isDecided<Answer extends { readonly is: string }>(answer: Answer | Undecided): answer is Answer {
  return answer.is !== 'undecided';
}

/** The error of a step that nobody answered. */
export function undecided<Result>(
  step: Pick<RepeatableStep<unknown, Result>, 'name' | 'ifUnknown' | 'resolve'>,
  applied: Applied,
  cause: unknown,
): UnavailableError | OutcomeUnknownError<Result> {
  const { name, ifUnknown, resolve } = step;
  if (applied === 'unknown') {
    // What has come through to nobody this time says nothing about the copies that were sent before.
    const stillUnknown = (thrown: unknown) => {
      throw isUnavailable(thrown) ? undecided(step, applied, thrown) : thrown;
    };
    const again = (options?: ResolveOptions) => resolve(options).catch(stillUnknown);
    if (cause instanceof StaleGrant) {
      return new OutcomeUnknownError(`${cause.message}.`, again, {
        cause,
        advice: `${cause.advice} ${ifUnknown}`,
      });
    }
    return new OutcomeUnknownError(`${name} was sent, without an answer that decides.`, again, {
      cause: beneath(cause),
      advice: ifUnknown,
    });
  }
  if (isUnavailable(cause)) return cause;
  return new UnavailableError(`${name} was turned away: ${reasonOf(cause)}.`, {
    cause,
    advice: 'Call again a little later.',
  });
}

function isUnavailable(error: unknown): error is UnavailableError {
  return isFencingError(error) && error.code === 'unavailable';
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
