import { publish } from '../fence/channel.ts';
import type { Clock } from '../fence/clock.ts';
import type { EventBase, LeaseVerb } from '../fence/events.ts';
import { Measure, type Report, type Thrown } from '../fence/reporting.ts';
import type { Lease } from './lease.ts';
import type { AcquireResult, RenewResult, TakeOverResult } from './lease-result.ts';
import type { HeldBySomebody } from './token-source.ts';

/** What the steps of a lease answer; a release answers nothing. */
type StepResult = AcquireResult | TakeOverResult | RenewResult | undefined;

/** Tells those who listen what came of one step of a lease. Made only where somebody listens. */
export class LeaseReport implements Report<StepResult> {
  readonly #measure: Measure;
  readonly #verb: LeaseVerb;
  readonly #who: Omit<EventBase, 'atMs'>;
  #attempts = 0;
  #waits = false;

  /** @param who takes the step; a token that is not granted yet is undefined. */
  constructor(clock: Clock, verb: LeaseVerb, { resource, token, holder }: Omit<EventBase, 'atMs'>) {
    this.#measure = new Measure(clock);
    this.#verb = verb;
    this.#who = { resource, token, holder };
  }

  /** Counts that the source is asked. */
  asks(): void {
    this.#attempts++;
  }

  /** Tells that the call meets a holder and goes on waiting: once, however often it asks again. */
  waits({ token, holder, expiresAtMs }: HeldBySomebody): void {
    if (this.#waits) return;
    this.#waits = true;
    const { atMs } = this.#measure.taken(0);
    const seen = { lastToken: token, lastHolder: holder, expiresAtMs };
    publish({ ...this.#who, atMs, event: 'wait', verb: 'acquire', ...seen });
  }

  answered(result: StepResult): void {
    if (result === undefined) this.#released();
    else if (!result.ok) this.#refused(result);
    else if ('lease' in result) this.#granted(result.lease);
    else this.#renewed(result);
  }

  threw(how: Thrown): void {
    publish({ ...this.#base, verb: this.#verb, ...how });
  }

  #granted({ token, holder, expiresAtMs }: Lease): void {
    const verb = this.#verb === 'take-over' ? 'take-over' : 'acquire';
    publish({ ...this.#base, event: 'acquire', verb, token, holder, expiresAtMs });
  }

  #renewed({ expiresAtMs, renewedLate }: Extract<RenewResult, { readonly ok: true }>): void {
    const { token } = this.#who;
    if (token === undefined) return;
    publish({ ...this.#base, event: 'renew', verb: 'renew', token, expiresAtMs, renewedLate });
  }

  #released(): void {
    const { token } = this.#who;
    // Where nobody was asked, an earlier call has released it and told so.
    if (token === undefined || this.#attempts === 0) return;
    publish({ ...this.#base, event: 'release', verb: 'release', token });
  }

  #refused(result: Extract<StepResult, { readonly ok: false }>): void {
    const common = { ...this.#base, event: 'refusal', verb: this.#verb } as const;
    const { reason } = result;
    if (reason === 'held') {
      const { token: lastToken, holder: lastHolder } = result;
      publish({ ...common, reason, lastToken, lastHolder, applied: undefined });
    } else if (reason === 'fenced') {
      const { token, lastToken, lastHolder, applied } = result;
      publish({ ...common, token, reason, lastToken, lastHolder, applied });
    } else {
      const { token } = result;
      publish({ ...common, token, reason, lastToken: undefined, lastHolder: undefined, applied: undefined });
    }
  }

  get #base() {
    return { ...this.#measure.taken(this.#attempts), ...this.#who };
  }
}
