import type { CallOptions } from '../fence/call-options.ts';
import { isHeard } from '../fence/channel.ts';
import { stopwatch } from '../fence/clock.ts';
import type { Deadline } from '../fence/deadline.ts';
import { FencedError, LeaseExpiredError, LeaseReleasedError, RefusedError } from '../fence/errors.ts';
import { attachSession, sessionOf } from '../fence/fence.ts';
import { onAbort } from '../fence/on-abort.ts';
import { callOptions, checkOptions } from '../fence/options.ts';
import { reporting } from '../fence/reporting.ts';
import { type Fenced, fencedResult, type Lost } from '../fence/result.ts';
import type { Session } from '../fence/session.ts';
import type { FencingToken } from '../fence/token.ts';
import type { Lease, LeaseJSON } from './lease.ts';
import type { LeaseContext } from './lease-context.ts';
import { tellLoss } from './lease-loss.ts';
import { LeaseReport } from './lease-report.ts';
import type { RenewResult } from './lease-result.ts';
import { linkedSignal } from './linked-signal.ts';
import { LocalExpiry } from './local-expiry.ts';
import { watchLoss } from './loss-watch.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { type Term, termOf } from './term.ts';
import type { Gone, Newer, Released, Undecided } from './token-source.ts';
import { untilDecided } from './until-decided.ts';

/** What a source has granted to whom. */
export interface Grant {
  readonly resource: string;
  readonly token: FencingToken;
  readonly holder: string;
  /** How long it is renewed for, in ms. */
  readonly ttlMs: number;
  readonly expiresAtMs: number;
  readonly term: Term;
}

/** A lease as `LeaseManager` hands it out. */
export class GrantedLease implements Lease {
  readonly resource: string;
  readonly token: FencingToken;
  readonly holder: string;
  readonly #context: LeaseContext;
  readonly #session: Session;
  readonly #ttlMs: number;
  readonly #expiry: LocalExpiry;
  /** Renewals and the release go to the source one after the other. */
  readonly #steps: OneAtATime;
  readonly #closing = new AbortController();
  #expiresAtMs: number;
  #lost: Lost | undefined;
  /** Whether the source has said that the grant is over. What an item says is no reason to leave the row held. */
  #gone = false;
  /** Whether a request is out that may have released it. */
  #mayBeReleased = false;

  constructor(context: LeaseContext, grant: Grant) {
    this.resource = grant.resource;
    this.token = grant.token;
    this.holder = grant.holder;
    this.#context = context;
    this.#steps = new OneAtATime(context.clock);
    this.#ttlMs = grant.ttlMs;
    this.#expiresAtMs = grant.expiresAtMs;
    this.#expiry = new LocalExpiry(context.clock, () => this.remainingMs());
    const init: Parameters<typeof attachSession>[1] = {
      kind: 'lease',
      issuer: context.source,
      remainingMs: () => this.remainingMs(),
      onNewer: (token) => context.lastSeen.note(grant.resource, token),
    };
    this.#session = sessionOf(attachSession(this, init));
    onAbort(this.#session.signal, () => {
      this.#expiry.stop();
      if (isHeard()) tellLoss(context.clock, this.#session);
    });
    this.#expiry.restart(grant.term);
    watchLoss(context, this, this.#session.signal, (answer) => this.#isOver(answer));
  }

  get expiresAtMs(): number {
    return this.#expiresAtMs;
  }

  get signal(): AbortSignal {
    this.remainingMs();
    return this.#session.signal;
  }

  remainingMs(): number {
    const { released, fenced } = this.#session;
    if (released || fenced !== undefined || this.#lost !== undefined) return 0;
    const remainingMs = Math.min(this.#expiry.remainingMs, this.#session.limitMs);
    if (remainingMs <= 0) this.#session.end(new LeaseExpiredError(this.resource));
    return remainingMs;
  }

  assertHeld(): void {
    if (this.#session.fenced !== undefined) throw new FencedError(this.#session.fenced);
    if (this.#lost !== undefined) throw new RefusedError(this.#lost);
    this.#session.assertUsable(true);
  }

  async renew(options?: CallOptions): Promise<RenewResult> {
    const checked = checkOptions(options, callOptions);
    this.#session.assertUsable();
    if (!isHeard()) return this.#renew(checked, undefined);
    const report = new LeaseReport(this.#context.clock, 'renew', this);
    return reporting(report, this.#renew(checked, report), checked.signal);
  }

  async #renew(checked: CallOptions, report: LeaseReport | undefined): Promise<RenewResult> {
    const link = linkedSignal([checked.signal, this.#closing.signal]);
    try {
      return await this.#steps.run({ ...checked, signal: link.signal }, async (deadline) => {
        this.#session.assertUsable();
        return this.#session.fenced ?? this.#lost ?? (await this.#renewNow(deadline, report));
      });
    } finally {
      link[Symbol.dispose]();
    }
  }

  async #renewNow(deadline: Deadline, report: LeaseReport | undefined): Promise<RenewResult> {
    const { clock, source } = this.#context;
    const { resource, token, holder } = this;
    let elapsed = stopwatch(clock);
    const answer = await untilDecided(this.#context, deadline, {
      name: `The renewal of ${resource}`,
      ask: () => {
        elapsed = stopwatch(clock);
        report?.asks();
        return source.renew({ resource, token, holder, ttlMs: this.#ttlMs }, deadline);
      },
      ifUnknown:
        'Call renew() again, or resolve(), which does the same: either can be repeated. Until one is answered count on remainingMs() alone.',
      resolve: (options) => this.renew(options),
    });
    this.#session.assertUsable();
    if (answer.is === 'fenced') return this.#fence(answer);
    if (answer.is === 'lost') return this.#lose();
    const renewedLate = this.remainingMs() <= 0;
    this.#expiresAtMs = answer.expiresAtMs;
    this.#expiry.restart(termOf(answer, this.#ttlMs, elapsed));
    // Nobody is left to be told by a timer.
    if (this.#session.signal.aborted) this.#expiry.stop();
    return { ok: true, expiresAtMs: answer.expiresAtMs, renewedLate };
  }

  /** As the source has told without being asked. */
  #isOver(answer: Gone | Newer): void {
    if (this.#session.released) return;
    if (answer.is === 'fenced') this.#fence(answer);
    else this.#lose();
  }

  #fence(newer: Newer): Fenced {
    this.#gone = true;
    this.#session.markFenced(newer);
    return fencedResult(this, newer, newer.applied);
  }

  #lose(): Lost {
    this.#gone = true;
    const { resource, token, holder } = this;
    this.#lost = { ok: false, reason: 'lost', resource, token, holder };
    this.#session.end(new RefusedError(this.#lost));
    return this.#lost;
  }

  async release(options?: CallOptions): Promise<void> {
    const checked = checkOptions(options, callOptions);
    this.#session.markReleased();
    this.#closing.abort(new LeaseReleasedError(this.resource));
    if (this.#gone) return;
    if (!isHeard()) return this.#release(checked, undefined);
    const report = new LeaseReport(this.#context.clock, 'release', this);
    const released = this.#release(checked, report).then(() => undefined);
    await reporting(report, released, checked.signal);
  }

  #release(checked: CallOptions, report: LeaseReport | undefined): Promise<void> {
    return this.#steps.run(checked, (deadline) => this.#releaseNow(deadline, report));
  }

  async #releaseNow(deadline: Deadline, report: LeaseReport | undefined): Promise<void> {
    // By a call that went before.
    if (this.#gone) return;
    await untilDecided(this.#context, deadline, {
      name: `The release of ${this.resource}`,
      ask: () => {
        report?.asks();
        return this.#askForRelease(deadline);
      },
      mayBeDone: () => this.#mayBeReleased,
      ifUnknown: 'Call release() again to free it now, or leave it: the grant ends by itself.',
      resolve: (options) => this.release(options),
    });
    this.#gone = true;
  }

  async #askForRelease(deadline: Deadline): Promise<Released | Undecided> {
    const before = this.#mayBeReleased;
    this.#mayBeReleased = true;
    const { resource, token, holder } = this;
    const answer = await this.#context.source.release({ resource, token, holder }, deadline);
    if (answer.is === 'undecided' && answer.applied === 'no') this.#mayBeReleased = before;
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // What the scope has done counts, and the grant ends by itself.
    await this.release().catch(() => undefined);
  }

  toJSON(): LeaseJSON {
    const { resource, token, holder, expiresAtMs } = this;
    return { resource, token, holder, expiresAtMs };
  }
}
