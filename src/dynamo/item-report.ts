import { publish } from '../fence/channel.ts';
import type { Clock } from '../fence/clock.ts';
import type { Effort, EventBase, ItemPlace, ItemVerb } from '../fence/events.ts';
import { Measure, type Report, type Thrown } from '../fence/reporting.ts';
import type { Applied, RefusalReason } from '../fence/result.ts';
import type { Session } from '../fence/session.ts';
import type { Item } from './attributes.ts';
import type { Copies } from './deliver.ts';
import { type ItemPlan, plainKey, type WritePlan } from './plan.ts';
import type { Seen } from './verdict.ts';

/** One item that a request is about: what is done to it, and under which fence. */
export interface Subject {
  readonly session: Pick<Session, 'resource' | 'token' | 'holder'>;
  readonly verb: ItemVerb;
  readonly tableName: string;
  readonly key: Item;
  /** The step that it is, in a transaction. */
  readonly step: string | number | undefined;
}

/** What a write that is sent by itself is about. */
export function subjectOf(
  session: Session,
  { verb, table, key }: ItemPlan<unknown> & Pick<WritePlan<unknown, unknown>, 'verb'>,
): Subject {
  return { session, verb, tableName: table.tableName, key, step: undefined };
}

/** The answers of all verbs and of transactions, as far as they are told. */
type Answer =
  | { readonly ok: true; readonly replayed: boolean }
  | (Refused & { readonly refused?: readonly (Refused & Pick<Subject, 'step'>)[] });

type Refused = { readonly ok: false; readonly reason: RefusalReason } & Partial<Seen> & {
    readonly applied?: Applied;
  };

/**
 * Tells those who listen what came of a write or a transaction: of each item that was written, or that refused. Made
 * only where somebody listens.
 */
export class ItemReport<Result> implements Report<Result> {
  readonly #measure: Measure;
  readonly #subjects: readonly Subject[];
  #copies: Copies | undefined;

  constructor(clock: Clock, subjects: readonly Subject[], copies?: Copies) {
    this.#measure = new Measure(clock);
    this.#subjects = subjects;
    this.#copies = copies;
  }

  /** The copies that will be sent, as soon as they are counted. */
  follow(copies: Copies): void {
    this.#copies = copies;
  }

  answered(result: Result): void {
    const answer = result as Answer;
    if (answer.ok) this.#applied(answer.replayed);
    else this.#refused(answer);
  }

  threw(how: Thrown): void {
    for (const subject of this.#subjects) publish({ ...this.#of(subject), ...how });
  }

  #applied(replayed: boolean): void {
    for (const subject of this.#subjects) {
      const { verb } = subject;
      // It has changed nothing, and what it asked for is what everybody expects.
      if (verb === 'check') continue;
      const common = this.#of(subject);
      if (replayed) publish({ ...common, event: 'replay', verb });
      else if (verb === 'claim') publish({ ...common, event: 'claim', verb });
      else publish({ ...common, event: 'write', verb });
    }
  }

  #refused(answer: Refused & { readonly refused?: readonly (Refused & Pick<Subject, 'step'>)[] }): void {
    const { refused = [] } = answer;
    for (const subject of this.#subjects) {
      // A transaction that was turned away as a whole names no step.
      const why = refused.length === 0 ? answer : refused.find(({ step }) => step === subject.step);
      if (why === undefined) continue;
      const { reason, lastToken, lastHolder, applied } = why;
      publish({ ...this.#of(subject), event: 'refusal', reason, lastToken, lastHolder, applied });
    }
  }

  #of({ session, verb, tableName, key, step }: Subject): Common {
    const { resource, token, holder } = session;
    const { sent = 0, requestId } = this.#copies ?? {};
    const place = { table: tableName, key: plainKey(key), step };
    return { ...this.#measure.taken(sent, requestId), resource, token, holder, verb, ...place };
  }
}

type Common = EventBase & Effort & ItemPlace & { readonly token: Session['token']; readonly verb: ItemVerb };
