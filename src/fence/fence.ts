import { describe } from './describe.ts';
import { InvalidInputError } from './errors.ts';
import { checkName } from './name.ts';
import { anything, checkOptions, type OptionChecks } from './options.ts';
import { type Random, systemRandom } from './random.ts';
import { Session, type SessionInit } from './session.ts';
import { type FencingToken, fencingToken } from './token.ts';

// A registered symbol: two copies of this package must find the same session on the same fence.
const sessionKey = Symbol.for('dynamodb-fenced.session');

// Seals take the halves between two requests, and above this number JavaScript has none.
const MAX_SEQ = 2 ** 52 - 1;

/**
 * A resource and the token that was granted for it: what every write carries.
 * A `Lease` is one; {@link fence} makes a bare one out of a token that came from elsewhere.
 */
export interface Fence {
  readonly resource: string;
  readonly token: FencingToken;
  /** Who holds it: a name, and a nonce that no other grant has. */
  readonly holder: string;
}

/** For callers who number their own requests. */
export interface NumberedRequest {
  /** The name that all requests of this holder share. */
  readonly holder: string;
  /** This request's number: larger than that of every earlier request of the same holder. An integer from 0 to 2^52 − 1. */
  readonly seq: number;
}

/**
 * Makes a fence out of a token that came from elsewhere: a header, a message, another lock service.
 *
 * Without `request` it is a *bare* fence. It keeps writers with older tokens out, but others may carry the
 * same token, so its writes are sent once and a lost answer is an `OutcomeUnknownError`. With
 * `{ holder, seq }` it carries one logical write that can be sent again safely, like a lease's. Another write under the same number
 * would be taken for a copy of the first: it is not applied, and answered `replayed` with what is there.
 *
 * @param resource the name that the token was granted for.
 * @param token the number, or its decimal text: see {@link fencingToken}.
 * @param request the holder and the number of this request, if you number them.
 * @returns the fence. Costs no request.
 * @throws {@link InvalidInputError} where the token has no order, or the resource is no name.
 * @example
 * const result = await accounts.put(fence('account/a1', event.token), { id: 'a1', balance: 0 });
 */
export function fence(resource: string, token: unknown, request?: NumberedRequest): Fence {
  const checked = { resource: checkResource(resource), token: fencingToken(token) };
  if (request === undefined) {
    return attachSession({ ...checked, holder: bareHolder(systemRandom) }, { kind: 'bare' });
  }
  const { holder, seq } = checkOptions(request, numberedRequest, 'request');
  checkName(holder, 'holder');
  if (!Number.isSafeInteger(seq) || seq < 0 || seq > MAX_SEQ) {
    throw new InvalidInputError(
      'seq',
      `${describe(seq)} is not a request number`,
      'Pass an integer from 0 to 2^52 − 1 that grows with every request of this holder.',
    );
  }
  return attachSession({ ...checked, holder }, { kind: 'numbered', seq });
}

const numberedRequest: OptionChecks<NumberedRequest> = { holder: anything, seq: anything };

/**
 * The text form of a fence, for headers, messages and logs: `account/a1:42` (Chubby's sequencer).
 * It says nothing about who holds it: what {@link parseFence} makes of it is a bare fence.
 */
export function formatFence(fence: Pick<Fence, 'resource' | 'token'>): string {
  if (typeof fence?.resource === 'string' && fence.token !== undefined)
    return `${fence.resource}:${fence.token}`;
  throw new InvalidInputError(
    'fence',
    `${describe(fence)} has no resource and token`,
    'Pass a lease, or what fence() gave.',
  );
}

/**
 * Reads what {@link formatFence} wrote.
 *
 * @returns a bare fence with a holder of its own.
 * @throws {@link InvalidInputError} for anything else.
 */
export function parseFence(text: string): Fence {
  const colon = typeof text === 'string' ? text.lastIndexOf(':') : -1;
  if (colon < 1) {
    throw new InvalidInputError(
      'fence',
      `${describe(text)} is not of the form resource:token`,
      'Pass what formatFence() gives, as account/a1:42.',
    );
  }
  return fence(text.slice(0, colon), text.slice(colon + 1));
}

/** @internal Gives a fence its session. */
export function attachSession<F extends Fence>(fence: F, init: Omit<SessionInit, keyof Fence>): F {
  const { resource, token, holder } = fence;
  const session = new Session({ ...init, resource, token, holder });
  // Not enumerable: a copy made by spreading or by JSON must not pass for the fence that it came from.
  Object.defineProperty(fence, sessionKey, { value: session });
  return fence;
}

/** @internal The session of a fence. */
export function sessionOf(fence: Fence): Session {
  const session = (fence as { [sessionKey]?: Session } | undefined | null)?.[sessionKey];
  if (session !== undefined) return session;
  throw new InvalidInputError(
    'fence',
    'this is neither a lease nor made by fence()',
    'Pass the lease itself (a copy of it, or what came out of JSON, is no lease), or make a fence of its token: fence(resource, token).',
  );
}

/** @internal Checks the name of a resource: it becomes a partition key, a header and a log field. */
export function checkResource(resource: string): string {
  return checkName(resource, 'resource');
}

function bareHolder(random: Random): string {
  return `bare/${random.nonce()}`;
}
