import { isHeard } from '../fence/channel.ts';
import type { Deadline } from '../fence/deadline.ts';
import { OutcomeUnknownError, type ResolveOptions } from '../fence/errors.ts';
import { callOptions, checkOptions } from '../fence/options.ts';
import { reporting } from '../fence/reporting.ts';
import { within } from '../fence/within.ts';
import type { Wire } from './client.ts';
import { Copies, type Delivery, deliver, type Persistence } from './deliver.ts';
import { ItemReport, type Subject } from './item-report.ts';
import { ROUNDS } from './plan.ts';
import type { Output, Request } from './send.ts';
import { type Place, takeTurn } from './turn.ts';

/** One attempt to have a request decided, as far as those need it who judge its answers. */
export interface Settling {
  readonly deadline: Deadline;
  /** All copies that were ever sent of the request. */
  readonly copies: Copies;
  /** What has come to speak against sending anything more. */
  readonly objection: () => Error | undefined;
  /** The error to throw where no answer decides. */
  unknown(cause: unknown): OutcomeUnknownError;
}

/** A copy that the storage evaluated and refused. */
export type Refused = Extract<Delivery, { readonly is: 'refused' }> & { readonly request: Request };

/** What became of a request that was refused: decided, or to be sent again, as it was or in another form. */
export type Decision<Result> =
  | { readonly is: 'decided'; readonly result: Result }
  | { readonly is: 'again'; readonly request: Request };

/** What a logical request is about: one write, or several in a transaction. */
export interface Undertaking<Result> {
  /** In words, for errors: `The update of accounts {"id":"a1"}`. */
  readonly name: string;
  /** The queues that it stands in whenever it is sent. */
  readonly places: readonly Place[];
  /** What it is about, for those who listen. */
  readonly subjects: readonly Subject[];
  /** Whether a second copy can tell that the first was applied. Under a bare fence it cannot: one is sent. */
  readonly repeatable: boolean;
  readonly attempts?: Persistence['attempts'];
  /** The bytes of its first copy. */
  readonly request: Request;
  done(output: Output, settling: Settling): Result;
  /** Every copy was turned away unevaluated, or nothing explains why they were refused. */
  turnedAway(retryAfterMs: number, error: unknown): Result;
  decide(refused: Refused, settling: Settling): Promise<Decision<Result>>;
  /** Finds out by reading alone what became of it; undefined where nothing tells. */
  trace(settling: Settling): Promise<Result | undefined>;
}

const never = () => undefined;

/**
 * One logical request: the copies that were sent of it, and how their answers become one result. It lives as
 * long as its outcome may be asked for.
 */
export class LogicalRequest<Result> {
  readonly #wire: Wire;
  readonly #work: Undertaking<Result>;
  /** All that were ever sent of it. */
  readonly copies: Copies;

  constructor(wire: Wire, work: Undertaking<Result>) {
    this.#wire = wire;
    this.#work = work;
    this.copies = new Copies(wire.random.nonce());
  }

  /** Whether the storage has never seen it, and never will. */
  get unseen(): boolean {
    return this.copies.unseen;
  }

  /**
   * Sends until the storage has decided, and says what it decided.
   *
   * @param objection what has come to speak against sending a copy; asked until the moment at which each one leaves.
   */
  async settle(deadline: Deadline, objection: () => Error | undefined): Promise<Result> {
    const { attempts = 'all', repeatable: resend } = this.#work;
    const settling = this.#settling(deadline, objection);
    let { request } = this.#work;
    for (let round = 1; ; round++) {
      const persistence = { resend, objection, attempts };
      const delivery = await deliver(this.#wire, request, deadline, this.copies, persistence);
      if (delivery.is === 'done') return this.#work.done(delivery.output, settling);
      if (delivery.is === 'contention') return this.#work.turnedAway(delivery.retryAfterMs, delivery.error);
      if (delivery.is === 'unknown') throw settling.unknown(delivery.error);

      const decision = await this.#work.decide({ ...delivery, request }, settling);
      if (decision.is === 'decided') return decision.result;

      // What is there now would not have been refused. A lease may ask again with the same bytes; a bare
      // fence only where its next request is another one.
      const sameAgain = decision.request === request;
      if (round === ROUNDS || (sameAgain && !resend)) {
        if (this.copies.undecided === 0) return this.#work.turnedAway(0, delivery.error);
        throw settling.unknown(delivery.error);
      }
      request = decision.request;
    }
  }

  /**
   * Finds out what became of it, after its own call could not. It sends also when the lease was released since, or is
   * over: a copy of it may arrive then in any case, and only another one brings an answer that decides.
   */
  async resolve(options?: ResolveOptions): Promise<Result> {
    const checked = checkOptions(options, callOptions);
    if (!isHeard()) return this.#resolve(checked);
    const report = new ItemReport<Result>(this.#wire.clock, this.#work.subjects, this.copies);
    return reporting(report, this.#resolve(checked), checked.signal);
  }

  async #resolve(options: ResolveOptions): Promise<Result> {
    return within(this.#wire.clock, options, async (deadline) => {
      const settling = this.#settling(deadline, never);
      const turn = await takeTurn(this.#work.places, deadline).catch(() => {
        // Nothing was sent this time. Of what was sent before, nobody knows.
        throw settling.unknown(deadline.signal.reason);
      });
      try {
        if (this.#work.repeatable) return await this.settle(deadline, never);
        // A bare fence must not send twice, so all that it can do is look for its own traces.
        const found = await this.#work.trace(settling);
        if (found !== undefined) return found;
        throw settling.unknown(new Error('no trace of it was found, and it may still arrive'));
      } finally {
        turn.leave();
      }
    });
  }

  #settling(deadline: Deadline, objection: Settling['objection']): Settling {
    const unknown = (cause: unknown) =>
      new OutcomeUnknownError(
        `${this.#work.name} was sent ${this.copies.sent} times, without an answer that decides.`,
        (options) => this.resolve(options),
        { cause },
      );
    return { deadline, copies: this.copies, objection, unknown };
  }
}
