import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { decode } from '../../dynamo/decode.ts';
import { encode } from '../../dynamo/encode.ts';
import { type Clock, systemClock } from '../../fence/clock.ts';
import { checkClock } from '../../fence/clock-option.ts';
import type { Deadline } from '../../fence/deadline.ts';
import { checkResource } from '../../fence/fence.ts';
import { checkOptions } from '../../fence/options.ts';
import type { FencingToken } from '../../fence/token.ts';
import { wallTimeMs } from '../../fence/wall-time.ts';
import { nextToken } from '../next-token.ts';
import type {
  CanInspect,
  CanRaise,
  CanTakeOver,
  Gone,
  Granted,
  GrantRequest,
  HeldBySomebody,
  LeaseRecord,
  Newer,
  Raised,
  RaiseRequest,
  Released,
  ReleaseRequest,
  Renewed,
  RenewRequest,
  TakeOverRequest,
  TokenSource,
  Undecided,
} from '../token-source.ts';
import { tooLate } from './too-late.ts';

/** Leases in the memory of this process. */
export interface MemoryTokenSource extends TokenSource, CanTakeOver, CanInspect, CanRaise {}

interface Row {
  token: FencingToken;
  grant: { holder: string; expiresAtMs: number; data: AttributeValue | undefined } | undefined;
}

/**
 * Keeps leases in memory: the reference implementation of {@link TokenSource}, and a source for tests of code
 * that takes leases. Every step is a few lines that nothing can interrupt, so it shows what a source must do
 * without any of the ways in which a network can fail. It guards nothing outside this process.
 *
 * @param options `clock`, default the system's: the same one as the manager's.
 * @returns a source for `LeaseManager`.
 * @example
 * const leases = new LeaseManager({ source: memoryTokenSource(), ttlMs: 10_000 });
 */
export function memoryTokenSource(options?: { readonly clock?: Clock }): MemoryTokenSource {
  const { clock = systemClock } = checkOptions(options, { clock: checkClock });
  return new MemorySource(clock);
}

class MemorySource implements MemoryTokenSource {
  readonly #clock: Clock;
  readonly #rows = new Map<string, Row>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async acquire(request: GrantRequest, deadline: Deadline): Promise<Granted | HeldBySomebody | Undecided> {
    const row = this.#row(request.resource);
    if (deadline.over) return tooLate(deadline);
    if (row?.grant !== undefined) {
      const { holder, expiresAtMs } = row.grant;
      if (holder === request.holder) return { is: 'granted', token: row.token, expiresAtMs, recovered: true };
      if (expiresAtMs > wallTimeMs(this.#clock)) {
        return { is: 'held', token: row.token, holder, expiresAtMs, applied: 'no' };
      }
    }
    return this.#grant(request, Math.max(request.above, row?.token ?? 0));
  }

  async takeOver(request: TakeOverRequest, deadline: Deadline): Promise<Granted | Gone | Newer | Undecided> {
    const row = this.#row(request.resource);
    if (deadline.over) return tooLate(deadline);
    if (row?.grant?.holder === request.holder) {
      return { is: 'granted', token: row.token, expiresAtMs: row.grant.expiresAtMs, recovered: true };
    }
    if (row !== undefined && row.token > request.from) return newer(row);
    if (row?.grant === undefined || row.token < request.from) return { is: 'lost' };
    return this.#grant(request, Math.max(request.above, row.token));
  }

  async renew(request: RenewRequest, deadline: Deadline): Promise<Renewed | Gone | Newer | Undecided> {
    const row = this.#row(request.resource);
    if (deadline.over) return tooLate(deadline);
    if (row !== undefined && row.token > request.token) return newer(row);
    if (row?.token !== request.token || row.grant?.holder !== request.holder) return { is: 'lost' };
    row.grant.expiresAtMs = Math.max(row.grant.expiresAtMs, this.#expiry(request.ttlMs));
    return { is: 'renewed', expiresAtMs: row.grant.expiresAtMs };
  }

  async release(
    { resource, holder, token }: ReleaseRequest,
    deadline: Deadline,
  ): Promise<Released | Undecided> {
    const row = this.#row(resource);
    if (deadline.over) return tooLate(deadline);
    if (row?.grant?.holder === holder && (token === undefined || row.token === token)) row.grant = undefined;
    return { is: 'released' };
  }

  async raise({ resource, above }: RaiseRequest, deadline: Deadline): Promise<Raised | Undecided> {
    const row = this.#row(resource);
    if (deadline.over) return tooLate(deadline);
    const token = nextToken(resource, wallTimeMs(this.#clock), Math.max(above, row?.token ?? 0));
    this.#rows.set(resource, { token, grant: undefined });
    return { is: 'raised', token };
  }

  async inspect(resource: string): Promise<LeaseRecord | undefined> {
    const row = this.#row(resource);
    if (row === undefined) return undefined;
    const { token, grant } = row;
    const data = grant?.data === undefined ? undefined : decode(grant.data, 'data');
    return { resource, token, holder: grant?.holder, expiresAtMs: grant?.expiresAtMs, data };
  }

  #row(resource: string): Row | undefined {
    return this.#rows.get(checkResource(resource));
  }

  #grant({ resource, holder, ttlMs, data }: GrantRequest, above: number): Granted {
    const token = nextToken(resource, wallTimeMs(this.#clock), above);
    const expiresAtMs = this.#expiry(ttlMs);
    // Stored as DynamoDB would, so that what it cannot store is refused here too.
    const stored = data === undefined ? undefined : encode(data, 'data');
    this.#rows.set(resource, { token, grant: { holder, expiresAtMs, data: stored } });
    return { is: 'granted', token, expiresAtMs, recovered: false };
  }

  #expiry(ttlMs: number): number {
    return Math.ceil(wallTimeMs(this.#clock) + ttlMs);
  }
}

function newer({ token, grant }: Row): Newer {
  return { is: 'fenced', lastToken: token, lastHolder: grant?.holder, applied: 'no' };
}
