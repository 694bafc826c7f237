import type { CallOptions } from '../fence/call-options.ts';
import { isHeard } from '../fence/channel.ts';
import { stopwatch } from '../fence/clock.ts';
import type { Deadline } from '../fence/deadline.ts';
import { type Fence, sessionOf } from '../fence/fence.ts';
import { callOptions, checkOptions } from '../fence/options.ts';
import { reporting } from '../fence/reporting.ts';
import { type Fenced, fencedResult } from '../fence/result.ts';
import { giveUp } from './give-up.ts';
import { type HandedOut, handOut } from './hand-out.ts';
import type { Lease } from './lease.ts';
import { type LeaseContext, newHolder } from './lease-context.ts';
import { checkAbove, type GrantOptions } from './lease-options.ts';
import { LeaseReport } from './lease-report.ts';
import type { TakeOverResult } from './lease-result.ts';
import { OneAtATime } from './one-at-a-time.ts';
import type { CanTakeOver, Gone, Newer, TakeOverRequest, TokenSource, Undecided } from './token-source.ts';
import { untilDecided } from './until-decided.ts';

type Context = LeaseContext<TokenSource & CanTakeOver>;

/** Takes a lease over from its holder, under a new token. */
export async function takeOver(
  context: Context,
  fence: Fence,
  options: GrantOptions,
): Promise<TakeOverResult> {
  const session = sessionOf(fence);
  options.signal?.throwIfAborted();
  session.assertUsable();
  const ttlMs = options.ttlMs ?? context.ttlMs;
  context.heartbeatMs?.(ttlMs);
  const { resource, token: from } = fence;
  const above = checkAbove(options.above);
  const request = { resource, holder: newHolder(context), ttlMs, above, data: options.data, from };
  return new TakeOver(context, fence, request).run(options, session.fenced);
}

/** One takeover: asks under one nonce for as long as its outcome may be asked for. */
class TakeOver {
  readonly #context: Context;
  readonly #fence: Fence;
  readonly #request: TakeOverRequest;
  readonly #sinceStart: () => number;
  readonly #steps: OneAtATime;
  #lease: Lease | undefined;

  constructor(context: Context, fence: Fence, request: TakeOverRequest) {
    this.#context = context;
    this.#fence = fence;
    this.#request = request;
    this.#sinceStart = stopwatch(context.clock);
    this.#steps = new OneAtATime(context.clock);
  }

  /** @param known why its giver cannot hand anything over, where that is known before anybody is asked. */
  run(call: CallOptions, known: Fenced | undefined): Promise<TakeOverResult> {
    return this.#told(call, async (report) => {
      if (known !== undefined) return known;
      return this.#steps.run(call, (deadline) =>
        this.#settle(deadline, report).catch((error: unknown) => {
          // Only here, where nobody is left who could ask again: a release that arrives late would end what
          // `resolve()`, under the same nonce, has found.
          if (deadline.abortedByCaller) void giveUp(this.#context, this.#request);
          throw error;
        }),
      );
    });
  }

  /** As the holder that takes over, once more. Within bounds of its own: those of the first call are over. */
  #again(call: CallOptions): Promise<TakeOverResult> {
    return this.#told(call, (report) => this.#steps.run(call, (later) => this.#settle(later, report)));
  }

  #told(
    { signal }: CallOptions,
    work: (report: LeaseReport | undefined) => Promise<TakeOverResult>,
  ): Promise<TakeOverResult> {
    if (!isHeard()) return work(undefined);
    const { resource, holder } = this.#request;
    const who = { resource, holder, token: undefined };
    const report = new LeaseReport(this.#context.clock, 'take-over', who);
    return reporting(report, work(report), signal);
  }

  async #settle(deadline: Deadline, report: LeaseReport | undefined): Promise<TakeOverResult> {
    const answer = await untilDecided(this.#context, deadline, {
      name: `The takeover of ${this.#request.resource}`,
      ask: () => {
        report?.asks();
        return this.#ask(deadline);
      },
      ifUnknown:
        'Call resolve() on this error, which asks again as the same holder. A second takeOver() could be fenced by what this one was granted.',
      // Under the same nonce: the newer token in the row may be our own.
      resolve: (again) => this.#again(checkOptions(again, callOptions)),
    });
    return this.#conclude(answer);
  }

  async #ask(deadline: Deadline): Promise<HandedOut | Gone | Newer | Undecided> {
    // Two leases of one grant would number their requests alike, and take each other's for their own.
    if (this.#lease !== undefined) return { is: 'handed-out', lease: this.#lease };
    const { source, clock, lastSeen } = this.#context;
    const elapsed = stopwatch(clock);
    const above = Math.max(this.#request.above, lastSeen.get(this.#request.resource));
    const request = { ...this.#request, above };
    const answer = await source.takeOver(request, deadline);
    if (answer.is !== 'granted') return answer;
    return handOut(this.#context, request, answer, { call: this.#sinceStart, request: elapsed }, deadline);
  }

  #conclude(answer: HandedOut | Gone | Newer): TakeOverResult {
    const session = sessionOf(this.#fence);
    const { resource, token, holder } = this.#fence;
    switch (answer.is) {
      case 'handed-out':
        this.#lease = answer.lease;
        session.markFenced({ lastToken: answer.lease.token, lastHolder: answer.lease.holder });
        return { ok: true, lease: answer.lease };
      case 'fenced':
        session.markFenced(answer);
        this.#context.lastSeen.note(resource, answer.lastToken);
        return fencedResult(this.#fence, answer, answer.applied);
      case 'lost':
        return { ok: false, reason: 'lost', resource, token, holder };
    }
  }
}
