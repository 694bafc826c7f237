import { storedStamp, versionOf } from '../dynamo/attributes.ts';
import { cancellationReasons, turnedAway } from '../dynamo/cancellation.ts';
import type { Wire } from '../dynamo/client.ts';
import type { Subject } from '../dynamo/item-report.ts';
import type { Decision, Refused, Settling, Undertaking } from '../dynamo/logical-request.ts';
import type { WritePlan } from '../dynamo/plan.ts';
import { incomparable } from '../dynamo/refusal-evidence.ts';
import { seal } from '../dynamo/seal.ts';
import type { Output, Request } from '../dynamo/send.ts';
import type { Place } from '../dynamo/turn.ts';
import { isSealOf, mayHaveDeleted } from '../dynamo/verdict.ts';
import type { Stamp } from '../fence/session.ts';
import type { Action } from './actions.ts';
import { type Finding, findingsOf, judgedOrUnknown, tracesOf } from './findings.ts';
import { isForGood, refusedWith } from './gravest-first.ts';
import { underNames } from './named-steps.ts';
import { type Part, type PartRefusal, partRefusal, placed, subjectOfPart } from './part.ts';
import { type Stamps, stampIn, transactRequest } from './transact-request.ts';
import type { StepPlace } from './transact-result.ts';

/** What a transaction answers, before the types of its steps are given back to it. */
export type Outcome =
  | {
      readonly ok: true;
      readonly replayed: boolean;
      readonly versions: ReturnType<typeof underNames<string | undefined>>;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly step: StepPlace['step'] | undefined;
      readonly refused: readonly PartRefusal[];
    };

/** What is to be sent. */
export interface Planned {
  /** In the order of the steps. */
  readonly parts: readonly Part[];
  readonly actions: readonly Action[];
  readonly places: readonly Place[];
}

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
  readonly #parts: readonly Part[];
  readonly #actions: readonly Action[];
  readonly #stamps: Stamps;
  /** The write that is sealed where a refusal has to be made final; none where nothing is written. */
  readonly #sealable: Sealable | undefined;
  /** The refusal that a seal was placed for. */
  #refused: readonly PartRefusal[] = [];

  constructor(wire: Wire, { parts, actions, places }: Planned, stamps: Stamps) {
    this.#wire = wire;
    this.#parts = parts;
    this.#actions = actions;
    this.#stamps = stamps;
    this.#sealable = sealable(actions, stamps);
    this.places = places;
    this.name = `The transaction of ${parts.map(({ name, item }) => `${name} (${item})`).join(', ')}`;
    this.request = { op: 'TransactWriteItems', input: transactRequest(actions, stamps) };
    // One write that a second copy cannot repeat keeps all of them from being repeated.
    this.repeatable = this.#sealable !== undefined || parts.every(({ write }) => write === undefined);
  }

  get subjects(): readonly Subject[] {
    return this.#parts.map(subjectOfPart);
  }

  done({ ConsumedCapacity = [] }: Output, { copies }: Settling): Outcome {
    // A replay by its token reads what it does not write again. Where the engine does not say, it is assumed that
    // the copy that nobody heard of was the one that did it.
    const wrote = ConsumedCapacity.some(({ WriteCapacityUnits = 0 }) => WriteCapacityUnits > 0);
    const read = ConsumedCapacity.some(({ ReadCapacityUnits = 0 }) => ReadCapacityUnits > 0);
    return this.#applied(!wrote && (read || copies.undecided > 0));
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
    const { applied, refused, sealed } = this.#read(findings, settling);
    if (applied) return decided(this.#applied(true));
    if (this.#mayHaveDeleted(findings)) {
      throw settling.unknown(
        new Error('an item is gone, and an earlier call under the same number may have deleted it'),
      );
    }
    if (refused.length === 0 && !sealed) return { is: 'again', request };
    if (settling.copies.undecided === 0 || isForGood(refused)) return decided(refusedWith(refused));
    if (!sealed) return decided(await this.#sealedRefusal(refused, settling));
    // An earlier call placed the seal and did not hear of it: what it was placed for has become final.
    const final = refused.length > 0 ? refused : this.#refused;
    if (final.length === 0) throw settling.unknown(error);
    return decided(refusedWith(final));
  }

  async trace(settling: Settling): Promise<Outcome | undefined> {
    const findings = await tracesOf(this.#looking, settling);
    const { applied, refused } = this.#read(findings, settling);
    if (applied) return this.#applied(true);
    return refused.length > 0 && !this.#mayHaveDeleted(findings) ? refusedWith(refused) : undefined;
  }

  get #looking() {
    return { wire: this.#wire, actions: this.#actions, stamps: this.#stamps, name: this.name };
  }

  /** What the findings amount to. All of them are looked at before one is believed: a trace of ours outweighs any refusal. */
  #read(findings: readonly Finding[], settling: Settling) {
    const verdicts = judgedOrUnknown(findings, this.#stamps, settling);
    for (const { part, verdict } of verdicts) {
      const newer =
        verdict.is === 'applied' ? verdict.newer : verdict.is === 'fenced' ? verdict.seen : undefined;
      if (newer !== undefined) part.session.markFenced(newer);
    }
    const applied = verdicts.some(
      ({ part, verdict }) => part.write !== undefined && verdict.is === 'applied',
    );
    const sealed = findings.find((finding) => this.#meetsOwnSeal(finding));
    if (applied) return { applied, refused: [], sealed: sealed !== undefined };

    // What our own seal keeps out is refused by nobody else.
    const refusing = verdicts.filter(
      ({ part, verdict: { is } }) =>
        is !== 'unexplained' &&
        is !== 'applied' &&
        !(is === 'superseded' && sealed?.action.parts.includes(part)),
    );
    const refused = refusing.map(({ part, verdict, item }) => {
      if (verdict.is === 'corrupt' || verdict.is === 'unfenced') {
        throw incomparable(verdict.is, part.item, settling);
      }
      return partRefusal(part, verdict, item, stampIn(this.#stamps, part.session), settling.copies.applied);
    });
    return { applied, refused: this.#inOrder(refused), sealed: sealed !== undefined };
  }

  #meetsOwnSeal({ action, item }: Finding): boolean {
    if (this.#sealable === undefined || action.writer !== this.#sealable.part) return false;
    const { write, stamp } = this.#sealable;
    return isSealOf(stamp, storedStamp(item, write.table.attributes));
  }

  #mayHaveDeleted(findings: readonly Finding[]): boolean {
    if (this.#sealable?.write.verb !== 'delete') return false;
    const { part, write, stamp } = this.#sealable;
    return findings.some(
      ({ action, item }) => action.writer === part && mayHaveDeleted(stamp, item, write.table.attributes),
    );
  }

  /** Makes a refusal of the content final: after the seal no copy of the transaction can be applied any more. */
  async #sealedRefusal(refused: readonly PartRefusal[], settling: Settling): Promise<Outcome> {
    if (this.#sealable === undefined) return refusedWith(refused);
    const { part, write, stamp } = this.#sealable;
    this.#refused = refused;
    const sealed = await seal(this.#wire, write, stamp, settling);
    switch (sealed.is) {
      case 'applied':
        if (sealed.newer !== undefined) part.session.markFenced(sealed.newer);
        return this.#applied(true);
      case 'fenced': {
        part.session.markFenced(sealed.seen);
        const fenced = partRefusal(part, sealed, undefined, stamp, settling.copies.applied);
        return refusedWith(this.#inOrder([...refused.filter(({ step }) => step !== part.name), fenced]));
      }
      case 'unknown':
        throw settling.unknown(sealed.error);
      case 'final':
        // The seal has seen its item last, and may have given it a version.
        return refusedWith(
          refused.map((refusal) =>
            refusal.step === part.name && 'item' in refusal
              ? placed(part, part.refused(refusal.reason, sealed.item))
              : refusal,
          ),
        );
    }
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
    return { ok: true, replayed, versions: underNames(versions) };
  }
}

/** A write that can be kept from being repeated, and with it the whole transaction. */
interface Sealable {
  readonly part: Part;
  readonly write: WritePlan<unknown, unknown>;
  readonly stamp: Stamp;
}

function sealable(actions: readonly Action[], stamps: Stamps): Sealable | undefined {
  const candidates = actions.flatMap(({ writer }) => {
    if (writer?.write === undefined) return [];
    const stamp = stampIn(stamps, writer.session);
    return stamp.kind === 'bare' ? [] : [{ part: writer, write: writer.write, stamp }];
  });
  // A delete leaves no version, so it cannot tell its own doing from others'.
  return candidates.find(({ write }) => write.verb !== 'delete') ?? candidates[0];
}

function decided(result: Outcome): Decision<Outcome> {
  return { is: 'decided', result };
}

function leavesVersion(write: WritePlan<unknown, unknown> | undefined): boolean {
  return write !== undefined && write.verb !== 'delete';
}
