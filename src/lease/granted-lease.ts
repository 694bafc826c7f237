import { abortable } from '../fence/abortable.ts';
import { stopwatch } from '../fence/clock.ts';
import { type CallOptions, checkDuration, type Deadline } from '../fence/deadline.ts';
import { FencedError, LeaseExpiredError, LeaseReleasedError, RefusedError } from '../fence/errors.ts';
import { attachSession, sessionOf } from '../fence/fence.ts';
import { KeyQueue } from '../fence/key-queue.ts';
import { onAbort } from '../fence/on-abort.ts';
import type { Fenced, Lost } from '../fence/result.ts';
import type { Session } from '../fence/session.ts';
import type { FencingToken } from '../fence/token.ts';
import type { Lease, LeaseJSON } from './lease.ts';
import type { LeaseContext } from './lease-context.ts';
import type { RenewResult } from './lease-result.ts';
import { linkedSignal } from './linked-signal.ts';
import { LocalExpiry } from './local-expiry.ts';
import type { Newer } from './token-source.ts';
import { untilDecided } from './until-decided.ts';
import { within } from './within.ts';

/** What a source has granted to whom. */
export interface Grant {
  readonly resource: string;
  readonly token: FencingToken;
  readonly holder: string;
  readonly ttlMs: number;
  readonly expiresAtMs: number;
  /** The time since the request was made that brought it, or since an earlier moment. */
  readonly elapsed: () => number;
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
  readonly #steps = new KeyQueue();
  readonly #closing = new AbortController();
  #expiresAtMs: number;
  #lost: Lost | undefined;
  #release: Promise<void> | undefined;

  constructor(context: LeaseContext, grant: Grant) {
    this.resource = grant.resource;
    this.token = grant.token;
    this.holder = grant.holder;
    this.#context = context;
    this.#ttlMs = grant.ttlMs;
    this.#expiresAtMs = grant.expiresAtMs;
    this.#expiry = new LocalExpiry(context.clock, () => this.remainingMs());
    const init: Parameters<typeof attachSession>[1] = {
      kind: 'lease',
      remainingMs: () => this.remainingMs(),
      onNewer: (token) => context.lastSeen.note(grant.resource, token),
    };
    this.#session = sessionOf(attachSession(this, init));
    onAbort(this.#session.signal, () => this.#expiry.stop());
    this.#expiry.restart(grant.elapsed, grant.ttlMs);
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
    const { remainingMs } = this.#expiry;
    if (remainingMs <= 0) this.#session.end(new LeaseExpiredError(this.resource));
    return remainingMs;
  }

  assertHeld(): void {
    if (this.#session.fenced !== undefined) throw new FencedError(this.#session.fenced);
    if (this.#lost !== undefined) throw new RefusedError(this.#lost);
    this.#session.assertUsable(true);
  }

  async renew(options: CallOptions = {}): Promise<RenewResult> {
    this.#session.assertUsable();
    const link = linkedSignal([options.signal, this.#closing.signal]);
    try {
      return await this.#inTurn({ ...options, signal: link.signal }, async (deadline) => {
        this.#session.assertUsable();
        return this.#session.fenced ?? this.#lost ?? (await this.#renewNow(deadline));
      });
    } finally {
      link[Symbol.dispose]();
    }
  }

  /** Renewals and the release go to the source one after the other. A deadline that comes first is the step's affair. */
  #inTurn<T>(options: CallOptions, step: (deadline: Deadline) => Promise<T>): Promise<T> {
    return within(this.#context.clock, options, async (deadline) => {
      const turn = this.#steps.join(['row']);
      try {
        await abortable(turn.ready, deadline.signal).catch(() => undefined);
        return await step(deadline);
      } finally {
        turn.leave();
      }
    });
  }

  async #renewNow(deadline: Deadline): Promise<RenewResult> {
    const { clock, source } = this.#context;
    const { resource, token, holder } = this;
    let elapsed = stopwatch(clock);
    const answer = await untilDecided(this.#context, deadline, {
      name: `The renewal of ${resource}`,
      ask: () => {
        elapsed = stopwatch(clock);
        return source.renew({ resource, token, holder, ttlMs: this.#ttlMs }, deadline);
      },
      ifUnknown:
        'Call renew() again, or resolve(), which does the same: either can be repeated. Until one is answered count on remainingMs() alone.',
      resolve: (options) => this.renew(options),
    });
    this.#session.assertUsable();
    if (answer.is === 'fenced') return this.#fenced(answer);
    if (answer.is === 'lost') return this.#lose();
    const renewedLate = this.remainingMs() <= 0;
    this.#expiresAtMs = answer.expiresAtMs;
    this.#expiry.restart(elapsed, this.#ttlMs);
    // Nobody is left to be told by a timer.
    if (this.#session.signal.aborted) this.#expiry.stop();
    return { ok: true, expiresAtMs: answer.expiresAtMs, renewedLate };
  }

  #fenced({ lastToken, lastHolder, applied }: Newer): Fenced {
    this.#session.markFenced({ lastToken, lastHolder });
    const { resource, token, holder } = this;
    return { ok: false, reason: 'fenced', resource, token, holder, lastToken, lastHolder, applied };
  }

  #lose(): Lost {
    const { resource, token, holder } = this;
    this.#lost = { ok: false, reason: 'lost', resource, token, holder };
    this.#session.end(new RefusedError(this.#lost));
    return this.#lost;
  }

  release(options?: CallOptions): Promise<void> {
    this.#release ??= this.#releaseNow(options).catch((error: unknown) => {
      this.#release = undefined;
      throw error;
    });
    return this.#release;
  }

  async #releaseNow(options: CallOptions = {}): Promise<void> {
    if (options.timeoutMs !== undefined) checkDuration(options.timeoutMs, 'timeoutMs');
    const over = this.#session.fenced !== undefined || this.#lost !== undefined;
    this.#session.markReleased();
    this.#closing.abort(new LeaseReleasedError(this.resource));
    if (over) return;

    const { resource, token, holder } = this;
    await this.#inTurn(options, (deadline) =>
      untilDecided(this.#context, deadline, {
        name: `The release of ${resource}`,
        ask: () => this.#context.source.release({ resource, token, holder }, deadline),
        ifUnknown: 'Call release() again to free it now, or leave it: the grant ends by itself.',
        resolve: (again) => this.release(again),
      }),
    );
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
