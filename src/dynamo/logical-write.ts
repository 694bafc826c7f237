import { Deadline } from '../fence/deadline.ts';
import {
  CorruptFenceError,
  OutcomeUnknownError,
  type ResolveOptions,
  UnavailableError,
  UnfencedItemError,
} from '../fence/errors.ts';
import type { Fenced, FenceRefusal } from '../fence/result.ts';
import type { Session, Stamp } from '../fence/session.ts';
import { type Item, isLive } from './attributes.ts';
import type { Wire } from './client.ts';
import { Copies, deliver } from './deliver.ts';
import { describeItem, queueKey, ROUNDS, type WritePlan } from './plan.ts';
import { readItem } from './read.ts';
import { seal } from './seal.ts';
import { takeTurn } from './turn.ts';
import { type ContentReason, judge, type Seen, type Verdict } from './verdict.ts';

/**
 * One logical write: the stamp that all its copies share, the copies that were sent of it, and how their
 * answers become one result. It lives as long as its outcome may be asked for.
 */
export class LogicalWrite<Done, Refused> {
  readonly #wire: Wire;
  readonly #session: Session;
  readonly #plan: WritePlan<Done, Refused>;
  readonly #stamp: Stamp;
  readonly #copies: Copies;

  constructor(wire: Wire, session: Session, plan: WritePlan<Done, Refused>, stamp: Stamp) {
    this.#wire = wire;
    this.#session = session;
    this.#plan = plan;
    this.#stamp = stamp;
    this.#copies = new Copies(wire.random.nonce());
  }

  /**
   * Sends until the storage has decided, and says what it decided.
   *
   * @param wanted whether a further copy may still be sent, as far as the caller is concerned.
   */
  async settle(
    deadline: Deadline,
    wanted: () => boolean = () => true,
  ): Promise<Done | Refused | FenceRefusal> {
    const resend = () => this.#stamp.kind !== 'bare' && wanted();
    let request = this.#plan.build(this.#stamp);
    for (let round = 1; ; round++) {
      const delivery = await deliver(this.#wire, request, deadline, this.#copies, resend);
      if (delivery.is === 'done') return this.#plan.done(delivery.output.Attributes, this.#stamp);
      if (delivery.is === 'contention') return contention(delivery.retryAfterMs);
      if (delivery.is === 'unknown') throw this.#unknown(delivery.error);

      const item = delivery.item ?? (await this.#look(deadline));
      const verdict = this.#judge(item);
      if (verdict.is !== 'unexplained') return this.#decide(verdict, item, deadline);

      // What is there now would not have been refused. A lease may ask again with the same bytes; a bare
      // fence only where its next request is another one.
      const next = this.#plan.build(this.#stamp, item);
      const sameAgain = next.input.ConditionExpression === request.input.ConditionExpression;
      if (round === ROUNDS || (sameAgain && !resend())) {
        if (this.#copies.undecided === 0) return contention(0);
        throw this.#unknown(delivery.error);
      }
      request = next;
    }
  }

  /** Finds out what became of the write, after its own call could not. */
  async resolve(options?: ResolveOptions): Promise<Done | Refused | FenceRefusal> {
    const deadline = new Deadline(this.#wire.clock, options);
    try {
      const turn = await takeTurn(this.#session, [queueKey(this.#plan)], deadline).catch(() => {
        // Nothing was sent this time. Of what was sent before, nobody knows.
        throw this.#unknown(deadline.signal.reason);
      });
      try {
        return await (this.#stamp.kind === 'bare' ? this.#inspect(deadline) : this.settle(deadline));
      } finally {
        turn.leave();
      }
    } finally {
      deadline[Symbol.dispose]();
    }
  }

  // A bare fence must not send twice, so all that it can do is look for its own traces.
  async #inspect(deadline: Deadline): Promise<Done | Refused | FenceRefusal> {
    const item = await this.#look(deadline);
    const verdict = this.#judge(item);
    if (verdict.is === 'applied' || verdict.is === 'fenced') return this.#decide(verdict, item, deadline);
    throw this.#unknown(new Error('the item shows no trace of the write, which may still arrive'));
  }

  #judge(item: Item | undefined): Verdict {
    const { table, expects } = this.#plan;
    return judge(this.#stamp, item, expects, table.attributes, table.unfenced);
  }

  async #decide(
    verdict: Exclude<Verdict, { readonly is: 'unexplained' }>,
    item: Item | undefined,
    deadline: Deadline,
  ): Promise<Done | Refused | FenceRefusal> {
    switch (verdict.is) {
      case 'applied':
        return this.#replayed(item, verdict.newer);
      case 'fenced':
        return this.#fenced(verdict.seen);
      case 'token-reused':
      case 'superseded':
        return { ...this.#stampRefusal(verdict.seen), reason: verdict.is };
      case 'corrupt':
        throw this.#copies.undecided > 0 ? this.#unknown(this.#corrupt()) : this.#corrupt();
      case 'unfenced':
        throw this.#copies.undecided > 0
          ? this.#unknown(new UnfencedItemError(describeItem(this.#plan)))
          : new UnfencedItemError(describeItem(this.#plan));
      default:
        return this.#contentRefusal(verdict.is, item, deadline);
    }
  }

  async #contentRefusal(
    reason: ContentReason,
    item: Item | undefined,
    deadline: Deadline,
  ): Promise<Done | Refused | FenceRefusal> {
    if (this.#copies.undecided === 0) return this.#plan.refused(reason, item);
    const { table, key, verb } = this.#plan;
    const sealed = await seal(this.#wire, table, key, this.#stamp, deadline).catch((error: unknown) => ({
      is: 'unknown' as const,
      error,
    }));
    switch (sealed.is) {
      case 'applied':
        return this.#replayed(sealed.item, sealed.newer);
      case 'fenced':
        return this.#fenced(sealed.seen);
      case 'unknown':
        throw this.#unknown(sealed.error);
      case 'final': {
        const stillThere = isLive(sealed.item, table.attributes);
        // A delete leaves no version, so an item that is gone may be its own doing.
        if (verb === 'delete' && !stillThere)
          throw this.#unknown(new Error('the item is gone, and nothing tells who deleted it'));
        return this.#plan.refused(reason, stillThere ? sealed.item : item);
      }
    }
  }

  #replayed(item: Item | undefined, newer: Seen | undefined): Done {
    if (newer !== undefined) this.#session.markFenced(newer);
    return this.#plan.replayed(item, this.#stamp);
  }

  #fenced(seen: Seen): Fenced {
    this.#session.markFenced(seen);
    return { ...this.#stampRefusal(seen), reason: 'fenced' };
  }

  #stampRefusal(seen: Seen) {
    const { resource, token, holder } = this.#stamp;
    return { ok: false, resource, token, holder, ...seen, applied: this.#copies.applied } as const;
  }

  async #look(deadline: Deadline): Promise<Item | undefined> {
    const { table, key } = this.#plan;
    try {
      return await readItem(this.#wire, { TableName: table.tableName, Key: key }, deadline);
    } catch (cause) {
      if (this.#copies.undecided > 0) throw this.#unknown(cause);
      if (deadline.abortedByCaller) throw deadline.signal.reason;
      throw new UnavailableError(
        `The ${this.#plan.verb} of ${describeItem(this.#plan)} was refused, and the reason could not be read.`,
        { cause, advice: 'Call again: it is judged anew, on the item as it is then.' },
      );
    }
  }

  #corrupt(): CorruptFenceError {
    return new CorruptFenceError(
      `The stored fence of ${describeItem(this.#plan)} is no token that could have been issued.`,
    );
  }

  #unknown(cause: unknown): OutcomeUnknownError<Done | Refused | FenceRefusal> {
    return new OutcomeUnknownError(
      `The ${this.#plan.verb} of ${describeItem(this.#plan)} was sent ${this.#copies.sent} times, without an answer that decides.`,
      (options) => this.resolve(options),
      { cause },
    );
  }
}

function contention(retryAfterMs: number): FenceRefusal {
  return { ok: false, reason: 'contention', retryAfterMs };
}
