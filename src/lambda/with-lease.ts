import type { Clock } from '../fence/clock.ts';
import { systemClock } from '../fence/clock.ts';
import { checkClock } from '../fence/clock-option.ts';
import { Deadline } from '../fence/deadline.ts';
import { describe } from '../fence/describe.ts';
import { checkDuration } from '../fence/duration.ts';
import { InvalidInputError, RefusedError, UnavailableError } from '../fence/errors.ts';
import { anything, callable, checkOptions, type OptionChecks } from '../fence/options.ts';
import type { Lease } from '../lease/lease.ts';
import type { LeaseManager } from '../lease/lease-manager.ts';
import { checkWait, checkWork } from '../lease/lease-options.ts';
import type { Held } from '../lease/lease-result.ts';
import { Invocation, type Invocations } from './invocation.ts';

/** What is needed of a Lambda context. */
export interface LambdaContext {
  /** How long the invocation may still take, in ms. */
  getRemainingTimeInMillis(): number;
  /** Stored as `data` beside the holder, so that `inspect` leads to the log of the invocation. */
  readonly awsRequestId?: string;
}

/** What a handler gets beside its event. */
export interface Leased<Context> {
  /** For every write. It is released when the handler is done. */
  readonly lease: Lease;
  /** Aborts when the lease is of no more use, and `marginMs` before the invocation ends. Pass it on to whatever waits. */
  readonly signal: AbortSignal;
  readonly context: Context;
}

/** How an invocation is leased. */
export interface WithLeaseOptions<Event, Context, Answer> {
  /** What an event is about, as `account/a1`. */
  readonly resource: (event: Event) => string;
  /** How long to wait for another holder, in ms; never longer than the invocation has. Default 0: one try. */
  readonly waitMs?: number;
  /** How long before the invocation's end the handler has to stop, in ms: for the release and the answer. Default 1,000. */
  readonly marginMs?: number;
  /** What is answered while somebody else has the lease. Default: throws a `RefusedError` (`held`), so that a queue or a stream tries again. */
  readonly held?: (held: Held, event: Event, context: Context) => Answer | Promise<Answer>;
  /** Time, the same as that of the leases. Default this machine's. */
  readonly clock?: Clock;
}

const MARGIN_MS = 1_000;

const withLeaseOptions: OptionChecks<WithLeaseOptions<never, never, unknown>> = {
  resource: anything,
  waitMs: checkWait,
  marginMs: checkDuration,
  held: callable,
  clock: checkClock,
};

/**
 * Leases what an event is about for as long as its invocation may take, and releases it when the handler is done, whatever
 * comes of it. For HTTP, for queues and for streams alike.
 *
 * The lease ends here `marginMs` before the invocation can be killed, and the `signal` aborts: from then on `lease.assertHeld()` throws and
 * writes with `whileHeld` are not sent. Others are kept out for as long, or for as much longer as it was waited for, if it is killed
 * then. It has no heartbeat, whatever its manager. Nothing of it outlives the invocation: no timer
 * runs while the environment is frozen, and an environment that thaws with an invocation that had been timed out ends that one's lease before
 * it begins its own. What the old one still writes is refused, here or by the storage.
 *
 * It keeps others out; it does not make an event that is delivered twice apply once. For that the write needs a condition of its
 * own, or an idempotency key.
 *
 * @param leases made once, outside of the handler. Its `ttlMs` and its heartbeat are not used.
 * @param options `resource` of an event; `waitMs` (default 0), `marginMs` (default 1,000), `held`, `clock`.
 * @param handler is given the event, and `{ lease, signal, context }`.
 * @returns what takes an event and its context. Two requests (2 WCU), and those of the handler.
 * @throws InvalidInputError where it cannot work. When it is called: what the handler throws; RefusedError (`held`) without an option
 * `held`; UnavailableError where less than `marginMs` are left; a `TimeoutError` where they were used up by waiting; what acquire throws.
 * @example
 * export const handler = withLease(leases, { resource: ({ account }) => `account/${account}` }, (event, { lease, signal }) =>
 *   accounts.update(lease, { id: event.account }, { balance: add(-30) }, { signal }),
 * );
 */
export function withLease<Event, Answer, Context extends LambdaContext = LambdaContext>(
  leases: LeaseManager,
  options: WithLeaseOptions<Event, Context, Answer>,
  handler: (event: Event, leased: Leased<Context>) => Answer | Promise<Answer>,
): (event: Event, context: Context) => Promise<Answer> {
  const checked = checkOptions(options, withLeaseOptions);
  const { waitMs = 0, marginMs = MARGIN_MS, held, clock = systemClock } = checked;
  checkWork(handler);
  if (typeof checked.resource !== 'function') throw noResource(checked.resource);
  // Of this environment. It is empty between invocations, unless one was timed out and the environment lived on.
  const invocations: Invocations = new Set();

  return async (event, context) => {
    await Promise.all([...invocations].map((invocation) => invocation.endIfOver({ timeoutMs: marginMs })));
    // Counted from here: what the endings took is gone.
    const leftMs = remainingMs(context) - marginMs;
    if (leftMs < 1) throw tooLate(leftMs + marginMs, marginMs);
    const { awsRequestId } = context;
    const deadline = new Deadline(clock, { timeoutMs: leftMs });
    try {
      const acquired = await leases.acquire(checked.resource(event), {
        ...{ ttlMs: leftMs, timeoutMs: leftMs, waitMs: Math.min(waitMs, leftMs), heartbeat: false },
        signal: deadline.signal,
        ...(awsRequestId === undefined ? {} : { data: { awsRequestId } }),
      });
      if (!acquired.ok) {
        if (held === undefined) throw new RefusedError(acquired);
        return await held(acquired, event, context);
      }
      const invocation = new Invocation(acquired.lease, deadline, invocations);
      try {
        const { lease, signal } = invocation;
        return await handler(event, { lease, signal, context });
      } finally {
        await invocation.end({ timeoutMs: marginMs });
      }
    } finally {
      deadline[Symbol.dispose]();
    }
  };
}

function remainingMs(context: LambdaContext): number {
  const left: unknown = context?.getRemainingTimeInMillis?.();
  if (typeof left === 'number' && Number.isFinite(left)) return left;
  throw new InvalidInputError(
    'context',
    `getRemainingTimeInMillis() says ${describe(left)}`,
    'Pass on the context that Lambda gives its handler.',
  );
}

function noResource(resource: unknown): InvalidInputError {
  return new InvalidInputError(
    'resource',
    `${describe(resource)} cannot be called`,
    'Pass a function that names what an event is about: (event) => `account/$' + '{event.account}`.',
  );
}

function tooLate(leftMs: number, marginMs: number): UnavailableError {
  return new UnavailableError(
    `The invocation has ${leftMs} ms left, and ${marginMs} ms of them are its margin.`,
    {
      advice: 'Let the event be delivered again, with fewer of them at once, or give the function more time.',
    },
  );
}
