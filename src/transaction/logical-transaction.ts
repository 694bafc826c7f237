import { storedStamp, versionOf } from '../dynamo/attributes.ts';
import { cancellationReasons, turnedAway } from '../dynamo/cancellation.ts';
import type { Wire } from '../dynamo/client.ts';
import type { Decision, Refused, Settling, Undertaking } from '../dynamo/logical-request.ts';
import type { WritePlan } from '../dynamo/plan.ts';
import { incomparable } from '../dynamo/refusal-evidence.ts';
import { type Sealed, seal } from '../dynamo/seal.ts';
import type { Output, Request } from '../dynamo/send.ts';
import type { Place } from '../dynamo/turn.ts';
import { isSealOf, type Seen } from '../dynamo/verdict.ts';
import { isFencingError } from '../fence/errors.ts';
import type { Stamp } from '../fence/session.ts';
import type { Action } from './actions.ts';
import { type Finding, findingsOf, isStrong, type Judged, judged, tracesOf } from './findings.ts';
import { isForGood, refusedWith } from './gravest-first.ts';
import { type Part, type PartRefusal, partRefusal, placed } from './part.ts';
import { type Stamps, stampIn, transactRequest } from './transact-request.ts';
import type { StepPlace } from './transact-result.ts';

/** What a transaction answers, before its steps' types are given back to it. */
export type Outcome =
  | {
      readonly ok: true;
      readonly replayed: boolean;
      /** By the names of the steps. */
      readonly versions: ReadonlyMap<string | number, string | undefined>;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly step: StepPlace['step'] | undefined;
      readonly refused: readonly PartRefusal[];
    };

/**
 * One transaction: the stamps that all its copies share, and what their answers mean. Every write that is under a
 * lease is refused a second time, and with it the whole; so one trace of ours proves that all was applied.
 */
export class LogicalTransaction implements Undertaking<Outcome> {
  readonly name: string;
  readonly places: readonly Place[];
  readonly request: Request;
  readonly repeatable: boolean;
  readonly attempts = 'unanswered';
  readonly #wire: Wire;
  readonly #actions: readonly Action[];
  readonly #stamps: Stamps;
  /** The write that is sealed where a refusal has to be made final. */
  readonly #sealed: Part | undefined;
  /** The refusal that a seal was placed for. */
  #refused: readonly PartRefusal[] = [];

  constructor(wire: Wire, places: readonly Place[], actions: readonly Action[], stamps: Stamps) {
    this.#wire = wire;
    this.#actions = actions;
    this.#stamps = stamps;
    this.places = places;
    this.name = `The transaction of ${this.#parts.map(({ name, item }) => `${name} (${item})`).join(', ')}`;
    this.request = { op: 'TransactWriteItems', input: transactRequest(actions, stamps) };
    const strong = actions.filter((action) => isStrong(action, stamps)).map(({ writer }) => writer);
    // A delete leaves no version, so it cannot tell its own doing from others'.
    this.#sealed = strong.find((part) => part?.write?.verb !== 'delete') ?? strong[0];
    this.repeatable = strong.length > 0 || actions.every(({ writer }) => writer === undefined);
  }

  get #parts(): readonly Part[] {
    return this.#actions.flatMap(({ parts }) => parts);
  }

  done({ ConsumedCapacity }: Output, { copies }: Settling): Outcome {
    // A replay by its token reads what it does not write again. Where the engine does not say, it is assumed that
    // the copy that nobody heard of was the one that did it.
    const writes = ConsumedCapacity?.some(({ WriteCapacityUnits = 0 }) => WriteCapacityUnits > 0);
    return this.#applied(writes === undefined ? copies.undecided > 0 : !writes);
  }

  turnedAway(retryAfterMs: number, error: unknown): Outcome {
    const reasons = cancellationReasons(error);
    const contention = { ok: false, reason: 'contention', retryAfterMs } as const;
    const refused = this.#actions
      .filter((_, index) => turnedAway.has(reasons[index]?.code ?? ''))
      .flatMap(({ parts }) => parts.map((part) => placed(part, contention)));
    return refused.length > 0 ? refusedWith(refused) : { ...contention, step: undefined, refused };
  }

  async decide({ error, request }: Refused, settling: Settling): Promise<Decision<Outcome>> {
    const findings = await findingsOf(this.#looking, error, settling);
    const verdicts = this.#judge(findings, settling);
    const known = this.#replayed(verdicts);
    if (known !== undefined) return decided(known);
    const refused = this.#refusals(verdicts, findings, settling);
    const isSealed = findings.some((finding) => this.#meetsOwnSeal(finding));
    if (refused.length === 0 && !isSealed) return { is: 'again', request };
    if (settling.copies.undecided === 0 || isForGood(refused)) return decided(refusedWith(refused));
    if (isSealed) {
      const final = refused.length > 0 ? refused : this.#refused;
      if (final.length === 0) throw settling.unknown(error);
      return decided(refusedWith(final));
    }
    return decided(await this.#sealedRefusal(refused, settling));
  }

  async trace(settling: Settling): Promise<Outcome | undefined> {
    const findings = await tracesOf(this.#looking, settling);
    const verdicts = this.#judge(findings, settling);
    const known = this.#replayed(verdicts);
    if (known !== undefined) return known;
    const fenced = this.#refusals(verdicts, findings, settling).filter(({ reason }) => reason === 'fenced');
    return fenced.length > 0 ? refusedWith(fenced) : undefined;
  }

  get #looking() {
    return { wire: this.#wire, actions: this.#actions, stamps: this.#stamps, name: this.name };
  }

  #judge(findings: readonly Finding[], { copies, unknown }: Settling): readonly Judged[] {
    try {
      return findings.flatMap((finding) => judged(finding, this.#stamps));
    } catch (error) {
      // A lease row that is damaged says nothing about the transaction.
      throw copies.undecided > 0 && isFencingError(error) ? unknown(error) : error;
    }
  }

  /** The success of an earlier copy, where any of the writes shows it. */
  #replayed(verdicts: readonly Judged[]): Outcome | undefined {
    const traces = verdicts.filter(
      ({ part, verdict }) => part.write !== undefined && verdict.is === 'applied',
    );
    if (traces.length === 0) return undefined;
    for (const { part, verdict } of verdicts) {
      const newer =
        verdict.is === 'applied' ? verdict.newer : verdict.is === 'fenced' ? verdict.seen : undefined;
      if (newer !== undefined) part.session.markFenced(newer);
    }
    return this.#applied(true);
  }

  #refusals(
    verdicts: readonly Judged[],
    findings: readonly Finding[],
    settling: Settling,
  ): readonly PartRefusal[] {
    const ours = new Set(
      findings.filter((finding) => this.#meetsOwnSeal(finding)).map(({ action }) => action.writer),
    );
    const refusing = new Set(findings.filter(({ refused }) => refused).flatMap(({ action }) => action.parts));
    const refused = verdicts.filter(
      ({ part, verdict: { is } }) =>
        refusing.has(part) &&
        is !== 'unexplained' &&
        is !== 'applied' &&
        !(is === 'superseded' && ours.has(part)),
    );
    for (const { part, verdict } of refused)
      if (verdict.is === 'fenced') part.session.markFenced(verdict.seen);
    for (const { part, verdict } of refused) {
      if (verdict.is === 'corrupt' || verdict.is === 'unfenced') {
        throw incomparable(verdict.is, part.item, settling);
      }
    }
    return this.#inOrder(
      refused.map(({ part, verdict, item }) =>
        partRefusal(part, verdict, item, stampIn(this.#stamps, part.session), settling.copies.applied),
      ),
    );
  }

  #meetsOwnSeal({ action, item }: Finding): boolean {
    const { write } = this.#sealed ?? {};
    if (write === undefined || action.writer !== this.#sealed) return false;
    return isSealOf(this.#sealStamp, storedStamp(item, write.table.attributes));
  }

  get #sealStamp(): Stamp {
    return stampIn(this.#stamps, (this.#sealed as Part).session);
  }

  /** Makes a refusal of the content final: after the seal no copy of the transaction can be applied any more. */
  async #sealedRefusal(refused: readonly PartRefusal[], settling: Settling): Promise<Outcome> {
    const part = this.#sealed;
    if (part?.write === undefined) return refusedWith(refused);
    this.#refused = refused;
    const sealed = await seal(this.#wire, part.write, this.#sealStamp, settling.deadline);
    switch (sealed.is) {
      case 'applied':
        if (sealed.newer !== undefined) part.session.markFenced(sealed.newer);
        return this.#applied(true);
      case 'fenced':
        return refusedWith(this.#replaced(refused, part, this.#fenced(part, sealed.seen, settling)));
      case 'unknown':
        throw settling.unknown(sealed.error);
      case 'final':
        return refusedWith(refused.map((refusal) => this.#asSealed(refusal, part, sealed)));
    }
  }

  #fenced(part: Part, seen: Seen, { copies }: Settling): PartRefusal {
    part.session.markFenced(seen);
    return partRefusal(part, { is: 'fenced', seen }, undefined, this.#sealStamp, copies.applied);
  }

  #replaced(refused: readonly PartRefusal[], part: Part, by: PartRefusal): readonly PartRefusal[] {
    return this.#inOrder([...refused.filter(({ step }) => step !== part.name), by]);
  }

  // The seal has seen the item last, and may have given it a version.
  #asSealed(
    refusal: PartRefusal,
    part: Part,
    sealed: Extract<Sealed, { readonly is: 'final' }>,
  ): PartRefusal {
    const { reason, step } = refusal;
    if (step !== part.name || !('item' in refusal)) return refusal;
    return placed(part, part.refused(reason, sealed.item));
  }

  #inOrder(refused: readonly PartRefusal[]): readonly PartRefusal[] {
    const order = this.#parts.map(({ name }) => name);
    return [...refused].sort((one, other) => order.indexOf(one.step) - order.indexOf(other.step));
  }

  #applied(replayed: boolean): Outcome {
    const versions = this.#parts.map(({ name, write, session }) => {
      const version = leavesVersion(write) ? versionOf(stampIn(this.#stamps, session)) : undefined;
      return [name, version] as const;
    });
    return { ok: true, replayed, versions: new Map(versions) };
  }
}

function decided(result: Outcome): Decision<Outcome> {
  return { is: 'decided', result };
}

function leavesVersion(write: WritePlan<unknown, unknown> | undefined): boolean {
  return write !== undefined && write.verb !== 'delete';
}
