import { type Backoff, fullJitter } from '../fence/backoff.ts';
import type { CallOptions } from '../fence/call-options.ts';
import { isHeard } from '../fence/channel.ts';
import { sleep, stopwatch } from '../fence/clock.ts';
import type { Deadline } from '../fence/deadline.ts';
import type { ResolveOptions } from '../fence/errors.ts';
import { callOptions, checkOptions } from '../fence/options.ts';
import { reporting } from '../fence/reporting.ts';
import { within } from '../fence/within.ts';
import { giveUp } from './give-up.ts';
import { type HandedOut, handOut } from './hand-out.ts';
import type { Lease } from './lease.ts';
import { type LeaseContext, newHolder } from './lease-context.ts';
import { LeaseReport } from './lease-report.ts';
import type { AcquireResult, Held } from './lease-result.ts';
import type { GrantRequest, HeldBySomebody, Undecided } from './token-source.ts';
import { undecided } from './until-decided.ts';
import { canWait, wakeablePause } from './wakeable-pause.ts';
import { whatIsLeftMs } from './what-is-left.ts';

/** Between two polls, where the source cannot wake a waiter. Every poll that is refused costs 1 WCU, and delays a free lease by half a pause on average. */
const polling: Backoff = { baseMs: 50, capMs: 1_000 };

/** What is asked for, checked. */
export interface Terms extends Omit<GrantRequest, 'holder'> {
  readonly waitMs: number;
  readonly call: CallOptions;
}

/**
 * One call of `acquire`: polls under one nonce until it is granted, the wait is over, or the caller gives up. What it may have
 * been granted then is released, by its nonce alone; so nothing is ever acquired under that nonce again.
 */
export class Acquisition {
  readonly #context: LeaseContext;
  readonly #terms: Terms;
  readonly #holder: string;
  readonly #elapsed: () => number;
  /** Holders of this call and of those that resolved it before: each has given up, and never acquires again. */
  readonly #former: Set<string>;
  /** Whether a request is out that may have been granted, or may be yet. */
  #open = false;
  /** Whether the source may keep a place for this call. */
  #waits = false;

  constructor(context: LeaseContext, terms: Terms, former = new Set<string>()) {
    this.#context = context;
    this.#terms = terms;
    this.#holder = newHolder(context);
    this.#elapsed = stopwatch(context.clock);
    this.#former = former;
  }

  /** @throws as `LeaseManager.acquire`. */
  async run(): Promise<AcquireResult> {
    if (!isHeard()) return this.#run(undefined);
    const { resource, call } = this.#terms;
    const who = { resource, holder: this.#holder, token: undefined };
    const report = new LeaseReport(this.#context.clock, 'acquire', who);
    return reporting(report, this.#run(report), call.signal);
  }

  async #run(report: LeaseReport | undefined): Promise<AcquireResult> {
    const { clock } = this.#context;
    const { call } = this.#terms;
    const { signal } = call;
    try {
      for (let poll = 1; ; poll++) {
        signal?.throwIfAborted();
        report?.asks();
        const answer = await within(clock, call, (deadline) => this.#poll(deadline));
        if (answer.is === 'handed-out') return this.#hand(answer.lease);
        const leftMs = this.#terms.waitMs - this.#elapsed();
        if (leftMs <= 0) return this.#end(answer);
        if (answer.is === 'held') report?.waits(answer);
        await this.#pause(poll, answer, leftMs);
      }
    } finally {
      if (this.#open || this.#waits) {
        this.#former.add(this.#holder);
        void giveUp(this.#context, { ...this.#terms, holder: this.#holder });
      }
    }
  }

  async #poll(deadline: Deadline): Promise<HandedOut | HeldBySomebody | Undecided> {
    for (;;) {
      const answer = await this.#ask(deadline);
      if (answer.is !== 'held' || !this.#former.has(answer.holder)) return answer;
      // Nobody has it but this call, when it was made before, and gave up: that release has not arrived yet.
      const former = { resource: this.#terms.resource, holder: answer.holder, token: undefined };
      const released = await this.#context.source.release(former, deadline);
      if (released.is === 'undecided') return { ...released, applied: answer.applied };
    }
  }

  async #ask(deadline: Deadline): Promise<HandedOut | HeldBySomebody | Undecided> {
    const { source, clock, lastSeen } = this.#context;
    const { resource, ttlMs, data } = this.#terms;
    const above = Math.max(this.#terms.above, lastSeen.get(resource));
    const request: GrantRequest = { resource, holder: this.#holder, ttlMs, above, data };
    const elapsed = stopwatch(clock);
    const answer = await source.acquire(request, deadline);
    if (answer.is === 'granted') {
      this.#open = true;
      return handOut(this.#context, request, answer, { call: this.#elapsed, request: elapsed }, deadline);
    }
    if (answer.applied === 'unknown') this.#open = true;
    if (answer.is === 'held') lastSeen.note(resource, answer.token);
    return answer;
  }

  async #pause(poll: number, answer: HeldBySomebody | Undecided, leftMs: number): Promise<void> {
    const { source, clock } = this.#context;
    const { resource, call } = this.#terms;
    const pollMs = this.#pauseMs(poll, answer, leftMs);
    if (answer.is === 'undecided' || !canWait(source)) return sleep(clock, pollMs, call.signal);
    this.#waits = true;
    const longestMs = Math.max(pollMs, Math.min(leftMs, whatIsLeftMs(answer, clock)));
    const who = { resource, holder: this.#holder };
    return wakeablePause({ source, clock }, who, { longestMs, pollMs }, call.signal);
  }

  #pauseMs(poll: number, answer: HeldBySomebody | Undecided, leftMs: number): number {
    const { clock, random } = this.#context;
    const pauseMs = Math.min(leftMs, fullJitter(poll, polling, random));
    if (answer.is === 'undecided') return pauseMs;
    // There is no point in sleeping past the end of the grant that is in the way. By a clock that is ahead of
    // the one that granted it, it may seem to be over already.
    const untilFreeMs = whatIsLeftMs(answer, clock);
    return untilFreeMs > 0 ? Math.min(pauseMs, untilFreeMs) : pauseMs;
  }

  /** A caller that has given up in the meantime will not release it. */
  #hand(lease: Lease): AcquireResult {
    this.#open = false;
    this.#waits = false;
    const { signal } = this.#terms.call;
    if (signal?.aborted !== true) return { ok: true, lease };
    void lease[Symbol.asyncDispose]();
    throw signal.reason;
  }

  #end(answer: HeldBySomebody | Undecided): Held {
    const { resource, call } = this.#terms;
    call.signal?.throwIfAborted();
    if (answer.is === 'held') {
      const { holder, token, expiresAtMs } = answer;
      const retryAfterMs = whatIsLeftMs(answer, this.#context.clock);
      return { ok: false, reason: 'held', resource, holder, token, expiresAtMs, retryAfterMs };
    }
    throw undecided(
      {
        name: `The acquire of ${resource}`,
        ifUnknown:
          'Call resolve() on this error, which ends what this call may have been granted and asks again. If you acquire anew instead, you may meet that grant: it is being released, or ends with its ttl.',
        resolve: async (options?: ResolveOptions): Promise<AcquireResult> => {
          // Under a nonce of its own: a release by the nonce of this call may be out, and must not end what is granted now.
          const terms = { ...this.#terms, waitMs: 0, call: checkOptions(options, callOptions) };
          return new Acquisition(this.#context, terms, this.#former).run();
        },
      },
      this.#open ? 'unknown' : 'no',
      answer.error,
    );
  }
}
