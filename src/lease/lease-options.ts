import { hostname } from 'node:os';
import type { CallOptions } from '../fence/call-options.ts';
import type { Clock } from '../fence/clock.ts';
import { describe } from '../fence/describe.ts';
import { checkDuration } from '../fence/duration.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { checkName } from '../fence/name.ts';
import { anything, checkOptions, type OptionChecks } from '../fence/options.ts';
import type { Random } from '../fence/random.ts';
import { fencingToken, MAX_FENCING_TOKEN } from '../fence/token.ts';
import type { TokenSource } from './token-source.ts';

/** How leases are renewed by themselves. */
export interface HeartbeatOptions {
  /** The time between two renewals, in ms; shorter than the lease. Default a third of the lease's ttl. */
  readonly intervalMs?: number;
}

/** What a `LeaseManager` is made of. */
export interface LeaseManagerOptions<S extends TokenSource> {
  /** What grants the leases: `dynamoTokenSource(…)`, `memoryTokenSource()`, or one of your own. */
  readonly source: S;
  /**
   * How long a lease lasts without a renewal, in ms; at least 1, at most a day. Many times as long as a request takes: what is
   * more than half over when its answer arrives is not handed out.
   */
  readonly ttlMs: number;
  /** Who holds the leases, for people: a nonce of each grant is added. Default host name and process id. */
  readonly holder?: string;
  /** Renews every lease by itself until it is released. Default false: a frozen function must not wake up as a holder. */
  readonly heartbeat?: boolean | HeartbeatOptions;
  /** Time; default the system's. */
  readonly clock?: Clock;
  /** Randomness; default the system's. */
  readonly random?: Random;
}

/** What a grant may be given. */
export interface GrantOptions extends CallOptions {
  /** How long one request may take, all its copies and pauses included, in ms. Default 10,000. */
  readonly timeoutMs?: number;
  /** Overrides the manager's, in ms. */
  readonly ttlMs?: number;
  /** The token must be larger than this one: for a token that this process has met elsewhere. Default 0. */
  readonly above?: number;
  /** `false` leaves this lease without the heartbeat of its manager. */
  readonly heartbeat?: false;
  /** Stored beside the holder until the release, and shown by `inspect`: anything that an item may hold. */
  readonly data?: unknown;
}

/** What `acquire` and `using` take. */
export interface AcquireOptions extends GrantOptions {
  /** How long to wait for a holder, in ms. Default 0: one try. The call may take `timeoutMs` longer. */
  readonly waitMs?: number;
  /** Ends the wait. What may have been granted by then is released in the background. */
  readonly signal?: AbortSignal;
}

/** What an operator wants the counter to be. */
export interface RaiseOptions extends CallOptions {
  /** Every later token will be larger than this one. */
  readonly above: number;
}

/** A longer one would be no lease: nobody would wait for its end. */
const LONGEST_TTL_MS = 24 * 60 * 60 * 1000;

export function checkTtl(ttlMs: number): number {
  if (checkDuration(ttlMs, 'ttlMs') < 1) {
    throw new InvalidInputError(
      'ttlMs',
      `${ttlMs} is less than a millisecond`,
      'Pass milliseconds, many times as many as a request takes: 10_000 are ten seconds.',
    );
  }
  if (ttlMs <= LONGEST_TTL_MS) return ttlMs;
  throw new InvalidInputError(
    'ttlMs',
    `${ttlMs} is more than a day`,
    'Pass how long nobody else may work after a holder has died, in milliseconds, and renew the lease.',
  );
}

export function checkWait(waitMs = 0): number {
  if (typeof waitMs === 'number' && Number.isFinite(waitMs) && waitMs >= 0) return waitMs;
  throw new InvalidInputError(
    'waitMs',
    `${String(waitMs)} is not a time to wait`,
    'Pass a finite number of milliseconds; 0 tries once.',
  );
}

export function checkWork(work: unknown): void {
  if (typeof work === 'function') return;
  throw new InvalidInputError(
    'work',
    `${describe(work)} cannot be called`,
    'Pass a function after the options, which are {} where there are none: leases.using(resource, {}, async (lease) => …).',
  );
}

export function checkAbove(above: number | undefined): number {
  if (above === undefined) return 0;
  const token = fencingToken(above, 'above');
  if (token < MAX_FENCING_TOKEN) return token;
  throw new InvalidInputError(
    'above',
    'no token is larger than 2^53 − 1',
    'Pass the largest token that was really issued. Where did this one come from?',
  );
}

const heartbeatOptions: OptionChecks<HeartbeatOptions> = { intervalMs: anything };

/** How often a lease of some ttl is renewed, in ms. */
export function heartbeatOf(
  option: LeaseManagerOptions<TokenSource>['heartbeat'],
): ((ttlMs: number) => number) | undefined {
  if (option === undefined || option === false) return undefined;
  const { intervalMs } = option === true ? {} : checkOptions(option, heartbeatOptions, 'heartbeat');
  if (intervalMs === undefined) return (ttlMs) => ttlMs / 3;
  checkDuration(intervalMs, 'heartbeat.intervalMs');
  return (ttlMs) => {
    if (intervalMs < ttlMs) return intervalMs;
    throw new InvalidInputError(
      'heartbeat.intervalMs',
      `${intervalMs} ms between renewals let a lease of ${ttlMs} ms run out`,
      'Renew at least twice per ttl; a third of it is the default.',
    );
  };
}

export function checkNoHeartbeat(heartbeat: unknown): void {
  if (heartbeat === false) return;
  throw new InvalidInputError(
    'heartbeat',
    `${describe(heartbeat)} is nothing that one lease may have`,
    'Pass false for a lease without one, or make a LeaseManager with another heartbeat.',
  );
}

// The nonce needs room beside it.
const MAX_HOLDER_BYTES = 256;

export function checkHolderName(holder = `${hostname()}:${process.pid}`): string {
  return checkName(holder, 'holder', MAX_HOLDER_BYTES);
}

export function checkSource<S extends TokenSource>(source: S): S {
  const verbs = ['acquire', 'renew', 'release'] as const;
  if (verbs.every((verb) => typeof source?.[verb] === 'function')) return source;
  throw new InvalidInputError(
    'source',
    'this grants no leases',
    "Pass dynamoTokenSource({ client, tableName: 'leases' }), or a TokenSource of your own.",
  );
}
