import type { Deadline } from '../../../fence/deadline.ts';
import { isFencingError, UnavailableError } from '../../../fence/errors.ts';
import type {
  Gone,
  GrantEnd,
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
  Undecided,
} from '../../token-source.ts';
import { decodeData, encodeData } from '../json-data.ts';
import { storedToken } from '../stored-token.ts';
import { ask, type Reply } from './ask.ts';
import type { RedisConnection } from './connection.ts';
import type { Places } from './places.ts';
import {
  acquireScript,
  inspectScript,
  raiseScript,
  releaseScript,
  renewScript,
  takeOverScript,
} from './scripts.ts';

/** Where leases are, and who is asked. */
export interface Redis {
  readonly connection: RedisConnection;
  readonly placesOf: (resource: string) => Places;
}

export async function acquire(
  { connection, placesOf }: Redis,
  { resource, holder, ttlMs, above, data }: GrantRequest,
  deadline: Deadline,
): Promise<Granted | HeldBySomebody | Undecided> {
  const args = [holder, wholeMs(ttlMs), String(above), encodeData(data)];
  const step = { script: acquireScript, args };
  const reply = await ask(connection, placesOf(resource), resource, step, deadline);
  if (reply.is === 'undecided') return reply;
  if (reply.word === 'granted') return granted(reply, resource);
  const [token, expiresAtMs, remainingMs, by] = reply.rest;
  return {
    is: 'held',
    token: tokenOf(token, resource),
    ...endOf(expiresAtMs, remainingMs),
    holder: by as string,
    applied: 'no',
  };
}

export async function takeOver(
  { connection, placesOf }: Redis,
  { resource, holder, ttlMs, above, from, data }: TakeOverRequest,
  deadline: Deadline,
): Promise<Granted | Gone | Newer | Undecided> {
  const args = [holder, wholeMs(ttlMs), String(above), String(from), encodeData(data)];
  const step = { script: takeOverScript, args };
  const reply = await ask(connection, placesOf(resource), resource, step, deadline);
  if (reply.is === 'undecided') return reply;
  return reply.word === 'granted' ? granted(reply, resource) : goneOrNewer(reply, resource);
}

export async function renew(
  { connection, placesOf }: Redis,
  { resource, holder, token, ttlMs }: RenewRequest,
  deadline: Deadline,
): Promise<Renewed | Gone | Newer | Undecided> {
  const args = [holder, wholeMs(ttlMs), String(token)];
  const reply = await ask(connection, placesOf(resource), resource, { script: renewScript, args }, deadline);
  if (reply.is === 'undecided') return reply;
  if (reply.word === 'renewed') return { is: 'renewed', ...endOf(reply.rest[0], reply.rest[1]) };
  return goneOrNewer(reply, resource);
}

export async function release(
  { connection, placesOf }: Redis,
  { resource, holder, token }: ReleaseRequest,
  deadline: Deadline,
): Promise<Released | Undecided> {
  const places = placesOf(resource);
  const args = [holder, places.released, token === undefined ? undefined : String(token)];
  const reply = await ask(connection, places, resource, { script: releaseScript, args }, deadline);
  return reply.is === 'undecided' ? reply : { is: 'released' };
}

export async function raise(
  { connection, placesOf }: Redis,
  { resource, above }: RaiseRequest,
  deadline: Deadline,
): Promise<Raised | Undecided> {
  const places = placesOf(resource);
  const args = [String(above), places.released];
  const reply = await ask(connection, places, resource, { script: raiseScript, args }, deadline);
  return reply.is === 'undecided' ? reply : { is: 'raised', token: tokenOf(reply.rest[0], resource) };
}

export async function inspect(
  { connection, placesOf }: Redis,
  resource: string,
  deadline: Deadline,
): Promise<LeaseRecord | undefined> {
  const step = { script: inspectScript, args: [] };
  const reply = await ask(connection, placesOf(resource), resource, step, deadline);
  if (reply.is === 'undecided') throw unreadable(resource, reply.error, deadline);
  if (reply.word === 'none') return undefined;
  const [token, holder, expiresAtMs, data] = reply.rest;
  return {
    resource,
    token: tokenOf(token, resource),
    holder: holder ?? undefined,
    expiresAtMs: expiresAtMs == null ? undefined : Number(expiresAtMs),
    data: decodeData(data ?? undefined),
  };
}

type Word = Reply['rest'][number] | undefined;

function endOf(expiresAtMs: Word, remainingMs: Word): GrantEnd {
  return { expiresAtMs: Number(expiresAtMs), remainingMs: Number(remainingMs) };
}

function granted({ rest: [token, expiresAtMs, remainingMs, recovered] }: Reply, resource: string): Granted {
  return {
    is: 'granted',
    token: tokenOf(token, resource),
    ...endOf(expiresAtMs, remainingMs),
    recovered: recovered === '1',
  };
}

function goneOrNewer({ word, rest: [token, holder] }: Reply, resource: string): Gone | Newer {
  if (word !== 'fenced') return { is: 'lost' };
  return {
    is: 'fenced',
    lastToken: tokenOf(token, resource),
    lastHolder: holder ?? undefined,
    applied: 'no',
  };
}

function tokenOf(text: string | null | undefined, resource: string) {
  return storedToken(text ?? '', resource, `The counter of ${resource} in Redis`);
}

function wholeMs(ms: number): string {
  return String(Math.ceil(ms));
}

function unreadable(resource: string, cause: unknown, deadline: Deadline): unknown {
  if (deadline.abortedByCaller) return deadline.signal.reason;
  if (isFencingError(cause)) return cause;
  return new UnavailableError(`The lease of ${resource} could not be read.`, {
    cause,
    advice: 'Check that Redis can be reached, then call again.',
  });
}
