import type { Wire } from '../../../dynamo/client.ts';
import { encode } from '../../../dynamo/encode.ts';
import type { Deadline } from '../../../fence/deadline.ts';
import { TokenExhaustedError } from '../../../fence/errors.ts';
import { MAX_FENCING_TOKEN } from '../../../fence/token.ts';
import { wallTimeMs } from '../../../fence/wall-time.ts';
import { nextToken } from '../../next-token.ts';
import type {
  Gone,
  Granted,
  GrantRequest,
  HeldBySomebody,
  Newer,
  TakeOverRequest,
  Undecided,
} from '../../token-source.ts';
import { readRow } from './attempt.ts';
import { acquireInput, type Proposal, takeOverInput } from './lease-requests.ts';
import { type LeaseRow, leaseRow } from './lease-row.ts';
import type { LeaseTable } from './lease-table.ts';
import { rounds } from './rounds.ts';

/**
 * Takes a free lease. One request where nobody holds it, a second one only while the row is ahead of the
 * clock and this caller has not seen by how much.
 */
export async function acquire(
  wire: Wire,
  table: LeaseTable,
  request: GrantRequest,
  deadline: Deadline,
): Promise<Granted | HeldBySomebody | Undecided> {
  const proposals = new Proposals(request, request.above);
  let now = 0;
  return rounds(wire, table, deadline, {
    resource: request.resource,
    ask() {
      now = wallTimeMs(wire.clock);
      return acquireInput(table, proposals.next(now), now);
    },
    accepted: () => proposals.granted(),
    refused(row, applied) {
      const own = proposals.recovered(row);
      if (own !== undefined) return own;
      if (row?.grant !== undefined && row.grant.expiresAtMs > now) {
        return { is: 'held', token: row.token, ...row.grant, applied };
      }
      proposals.raiseAbove(row?.token);
      return undefined;
    },
  });
}

/** Takes the lease from its holder, who knows about it. */
export async function takeOver(
  wire: Wire,
  table: LeaseTable,
  request: TakeOverRequest,
  deadline: Deadline,
): Promise<Granted | Gone | Newer | Undecided> {
  const { from, resource } = request;
  if (from === MAX_FENCING_TOKEN) return takeOverLast(wire, table, request, deadline);
  const proposals = new Proposals(request, Math.max(request.above, from));
  return rounds<Granted | Gone | Newer>(wire, table, deadline, {
    resource,
    ask: () => takeOverInput(table, proposals.next(wallTimeMs(wire.clock)), from),
    accepted: () => proposals.granted(),
    refused(row, applied) {
      // First of all: after a lost answer the newer token in the row is our own.
      const own = proposals.recovered(row);
      if (own !== undefined) return own;
      if (row === undefined || row.token < from) return { is: 'lost' };
      if (row.token > from) {
        return { is: 'fenced', lastToken: row.token, lastHolder: row.grant?.holder, applied };
      }
      return row.grant === undefined ? { is: 'lost' } : undefined;
    },
  });
}

/**
 * No token is larger than this one, so no takeover of it can be proposed, and only the row can say why there is none: a
 * token that comes from elsewhere may never have been issued.
 */
async function takeOverLast(
  wire: Wire,
  table: LeaseTable,
  { resource, from }: TakeOverRequest,
  deadline: Deadline,
): Promise<Gone | Undecided> {
  const read = await readRow(wire, table, resource, deadline);
  if (read.is === 'undecided') return read;
  const row = read.item === undefined ? undefined : leaseRow(read.item, resource, table);
  if (row?.token !== from || row.grant === undefined) return { is: 'lost' };
  throw new TokenExhaustedError(resource);
}

/** The grants that one request proposes, each with a larger token and a later end than the one before. */
class Proposals {
  readonly #request: GrantRequest;
  readonly #data: Proposal['data'];
  #above: number;
  #last: Granted | undefined;

  constructor(request: GrantRequest, above: number) {
    this.#request = request;
    this.#above = above;
    this.#data = request.data === undefined ? undefined : encode(request.data, 'data');
  }

  next(now: number): Proposal {
    const { resource, holder, ttlMs } = this.#request;
    const token = nextToken(resource, now, this.#above);
    const expiresAtMs = Math.ceil(now + ttlMs);
    this.#last = { is: 'granted', token, expiresAtMs, recovered: false };
    return { resource, holder, next: token, expiresAtMs, data: this.#data };
  }

  granted(): Granted {
    return this.#last as Granted;
  }

  /** The grant that an earlier copy brought, although its answer was lost. */
  recovered(row: LeaseRow | undefined): Granted | undefined {
    if (row?.grant?.holder !== this.#request.holder) return undefined;
    return { is: 'granted', token: row.token, expiresAtMs: row.grant.expiresAtMs, recovered: true };
  }

  raiseAbove(token: number | undefined): void {
    this.#above = Math.max(this.#above, token ?? 0);
  }
}
