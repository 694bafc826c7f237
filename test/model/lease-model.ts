import type { Input } from '../simulation/ask.ts';
import type { Row } from '../simulation/storage.ts';
import type { Promises } from './promises.ts';

export type LeaseRequest = 'acquire' | 'take over' | 'raise' | 'renew' | 'release' | 'give up';

/** Which of the requests on a lease row this is. */
export function leaseRequestOf({ ExpressionAttributeValues: values }: Input): LeaseRequest {
  if (':from' in values) return 'take over';
  if (':now' in values) return 'acquire';
  if (':next' in values) return 'raise';
  if (':expiresAtMs' in values) return 'renew';
  return ':token' in values ? 'release' : 'give up';
}

/** One lease row as the documentation describes it: tokens that only grow, and grants that belong to one holder. */
export class LeaseModel {
  readonly #promises: Promises;
  /** Who was granted what; an operator's raise grants it to nobody. */
  readonly #issued = new Map<number, Set<string | undefined>>();
  readonly #released = new Set<string>();
  #newest = 0;
  /** Whether the row that knew the newest token was deleted, or replaced by an older one. */
  #forgotten = false;

  constructor(promises: Promises) {
    this.#promises = promises;
  }

  /** An operator has deleted the row, or put an older one in its place. */
  replaced(row: Row | undefined): void {
    this.#forgotten ||= tokenOf(row) < this.#newest;
  }

  /** @param proposedAtMs the clock of the sender when it made the request. */
  accepted(
    name: string,
    input: Input,
    proposedAtMs: number,
    before: Row | undefined,
    after: Row | undefined,
  ): void {
    const request = leaseRequestOf(input);
    const token = tokenOf(after);
    const { expect } = this.#promises;
    if (request === 'renew' || request === 'release' || request === 'give up') {
      const { ':holder': holder } = input.ExpressionAttributeValues;
      expect(before?.holder?.S === holder.S, `it changed a grant that is not its own: ${name}`);
      expect(token === tokenOf(before), `it changed the token: ${name}`);
      const shorter = endOf(after) < endOf(before);
      expect(request !== 'renew' || !shorter, `a renewal made the grant shorter: ${name}`);
      return;
    }
    expect(token > tokenOf(before), `the row accepted a token that is not larger: ${name}`);
    // The documented limit: where the row is lost, only the issuer's clock keeps tokens growing, and a copy of an
    // old request may be accepted again.
    const forgotten = this.#forgotten;
    const holder = after?.holder?.S;
    const sameGrant = this.#issued.get(token)?.has(holder) === true;
    const excused = forgotten && (this.#newest >= proposedAtMs || sameGrant);
    expect(token > this.#newest || excused, `a token was issued again, or went back: ${name}`);
    expect(token >= proposedAtMs, `a token is behind the clock of its issuer: ${name}`);
    if (token > this.#newest) this.#forgotten = false;
    else this.#promises.happened('a token went back, after its row was lost');
    this.#newest = Math.max(this.#newest, token);
    this.#issued.set(token, (this.#issued.get(token) ?? new Set()).add(holder));
    const { ':now': now } = input.ExpressionAttributeValues;
    const held = request === 'acquire' && before?.holder !== undefined && endOf(before) > Number(now.N);
    expect(!held, `it was granted while somebody held it: ${name}`);
    const cameBack = holder !== undefined && this.#released.has(holder) && !forgotten;
    expect(!cameBack, `a grant came back after its release: ${name}`);
  }

  /** A caller was given a lease. */
  granted(name: string, token: number, holder: string): void {
    this.#promises.expect(
      this.#issued.get(token)?.has(holder) === true,
      `a lease was handed out that was never granted: ${name}`,
    );
  }

  /** A caller was told that its release is done. */
  released(holder: string): void {
    this.#released.add(holder);
  }

  /** A caller was told of a newer token, or of somebody else with its own. */
  refused(name: string, reason: string, token: number, lastToken: number): void {
    const { expect } = this.#promises;
    if (reason === 'fenced') {
      const real = lastToken > token && this.#issued.has(lastToken);
      expect(real, `told of token ${lastToken}, which nobody was granted: ${name}`);
    }
    if (reason === 'token-reused') {
      expect((this.#issued.get(token)?.size ?? 0) > 1, `told that its token was granted twice: ${name}`);
    }
  }
}

function tokenOf(row: Row | undefined): number {
  return Number(row?.token?.N ?? 0);
}

function endOf(row: Row | undefined): number {
  return Number(row?.expiresAtMs?.N ?? 0);
}
