import { type Fenced, type FenceRefusal, fencedResult } from '../fence/result.ts';
import type { Stamp } from '../fence/session.ts';
import { type Item, isLive } from './attributes.ts';
import type { Wire } from './client.ts';
import { type Subject, subjectOf } from './item-report.ts';
import type { Decision, Refused as RefusedCopy, Settling, Undertaking } from './logical-request.ts';
import { describeItem, type WritePlan } from './plan.ts';
import { incomparable, lookAt, stampRefusal } from './refusal-evidence.ts';
import { seal } from './seal.ts';
import type { Output, Request } from './send.ts';
import type { Place } from './turn.ts';
import { type ContentReason, judge, mayHaveDeleted, type Seen, type Verdict } from './verdict.ts';

/** One write: the stamp that all its copies share, and what their answers mean. */
export class LogicalWrite<Done, Refused> implements Undertaking<Done | Refused | FenceRefusal> {
  readonly #wire: Wire;
  readonly #place: Place;
  readonly #plan: WritePlan<Done, Refused>;
  readonly #stamp: Stamp;

  constructor(wire: Wire, place: Place, plan: WritePlan<Done, Refused>, stamp: Stamp) {
    this.#wire = wire;
    this.#place = place;
    this.#plan = plan;
    this.#stamp = stamp;
  }

  get name(): string {
    return `The ${this.#plan.verb} of ${describeItem(this.#plan)}`;
  }

  get places(): readonly Place[] {
    return [this.#place];
  }

  get subjects(): readonly Subject[] {
    return [subjectOf(this.#place.session, this.#plan)];
  }

  get repeatable(): boolean {
    return this.#stamp.kind !== 'bare';
  }

  get request(): Request {
    return this.#plan.build(this.#stamp);
  }

  done({ Attributes }: Output): Done {
    return this.#plan.done(Attributes, this.#stamp);
  }

  turnedAway(retryAfterMs: number): FenceRefusal {
    return { ok: false, reason: 'contention', retryAfterMs };
  }

  async decide(
    { item: shown, request }: RefusedCopy,
    settling: Settling,
  ): Promise<Decision<Done | Refused | FenceRefusal>> {
    const item = shown ?? (await this.#look(settling));
    const verdict = this.#judge(item);
    if (verdict.is !== 'unexplained') {
      return { is: 'decided', result: await this.#decide(verdict, item, settling) };
    }
    // Only a claim has another one to send.
    const next = this.#plan.build(this.#stamp, item);
    const { ConditionExpression: sent } = request.input as { readonly ConditionExpression?: string };
    return { is: 'again', request: next.input.ConditionExpression === sent ? request : next };
  }

  async trace(settling: Settling): Promise<Done | Refused | FenceRefusal | undefined> {
    const item = await this.#look(settling);
    const verdict = this.#judge(item);
    return verdict.is === 'applied' || verdict.is === 'fenced'
      ? this.#decide(verdict, item, settling)
      : undefined;
  }

  #judge(item: Item | undefined): Verdict {
    const { table, expects } = this.#plan;
    return judge(this.#stamp, item, expects, table.attributes, table.unfenced);
  }

  async #decide(
    verdict: Exclude<Verdict, { readonly is: 'unexplained' }>,
    item: Item | undefined,
    settling: Settling,
  ): Promise<Done | Refused | FenceRefusal> {
    const { applied } = settling.copies;
    switch (verdict.is) {
      case 'applied':
        return this.#replayed(item, verdict.newer);
      case 'fenced':
        return this.#fenced(verdict.seen, settling);
      case 'token-reused':
      case 'superseded':
        return { ...stampRefusal(this.#stamp, verdict.seen, applied), reason: verdict.is };
      case 'corrupt':
      case 'unfenced':
        throw incomparable(verdict.is, describeItem(this.#plan), settling);
      default:
        return this.#contentRefusal(verdict.is, item, settling);
    }
  }

  async #contentRefusal(
    reason: ContentReason,
    item: Item | undefined,
    settling: Settling,
  ): Promise<Done | Refused | FenceRefusal> {
    const { copies, unknown } = settling;
    const { table, verb } = this.#plan;
    if (verb === 'delete' && mayHaveDeleted(this.#stamp, item, table.attributes)) {
      throw unknown(
        new Error('the item is gone, and an earlier call under the same number may have deleted it'),
      );
    }
    if (copies.undecided === 0) return this.#plan.refused(reason, item);
    const sealed = await seal(this.#wire, this.#plan, this.#stamp, settling);
    switch (sealed.is) {
      case 'applied':
        return this.#replayed(sealed.item, sealed.newer);
      case 'fenced':
        return this.#fenced(sealed.seen, settling);
      case 'unknown':
        throw unknown(sealed.error);
      case 'final':
        return this.#plan.refused(reason, isLive(sealed.item, table.attributes) ? sealed.item : item);
    }
  }

  #replayed(item: Item | undefined, newer: Seen | undefined): Done {
    if (newer !== undefined) this.#place.session.markFenced(newer);
    return this.#plan.replayed(item, this.#stamp);
  }

  #fenced(seen: Seen, { copies }: Settling): Fenced {
    this.#place.session.markFenced(seen);
    return fencedResult(this.#stamp, seen, copies.applied);
  }

  #look(settling: Settling): Promise<Item | undefined> {
    const { table, key } = this.#plan;
    const place = { TableName: table.tableName, Key: key };
    return lookAt(this.#wire, place, this.name, settling);
  }
}
