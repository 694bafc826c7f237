import type { Deadline } from '../../../fence/deadline.ts';
import { TokenExhaustedError } from '../../../fence/errors.ts';
import type { Applied } from '../../../fence/result.ts';
import { MAX_FENCING_TOKEN } from '../../../fence/token.ts';
import type { Granted, GrantRequest, HeldBySomebody, Undecided } from '../../token-source.ts';
import { encodeData } from '../json-data.ts';
import { type Etcd, type Exchange, keysIn, settle, type TxnAnswer } from './exchange.ts';
import { grantTo, type NewGrant, numbered, prepare } from './grant.ts';
import { placeOf } from './keys.ts';
import { PLACE_SECONDS } from './place.ts';
import { offsetIn, readStanding, type Standing, standingOf, tokenOf } from './standing.ts';
import { del, isAbsent, isEmpty, noneBefore, read, wasCreatedAt } from './txn.ts';

/**
 * Three requests where it is free: a look, an etcd lease, and a transaction that attaches the grant to it. Where it is not, the look
 * is all, as an etcd lease would stay there until its time is over. Where others wait, it is free only for the first of them.
 */
export async function acquire(
  etcd: Etcd,
  request: GrantRequest,
  deadline: Deadline,
): Promise<Granted | HeldBySomebody | Undecided> {
  const { resource, holder } = request;
  const keys = etcd.keysOf(resource);
  encodeData(request.data);
  if (request.above >= MAX_FENCING_TOKEN) throw new TokenExhaustedError(resource);
  return settle(etcd, deadline, async (exchange) => {
    const seen = standingOf(await exchange.read(readStanding(keys)), keys);
    if (isTaken(seen, holder)) return held(etcd, resource, seen, 'no');
    const grant = await prepare(etcd, exchange, keys, request);
    let answer = await takeFree(exchange, grant);
    for (;;) {
      if (answer.succeeded) return grantedNow(exchange, grant, answer);
      const standing = standingOf(answer, keys);
      if (standing.holder === holder) return numbered(exchange, grant, standing, true);
      // Somebody was quicker, and an etcd lease is left.
      if (isTaken(standing, holder)) return held(etcd, resource, standing, 'unknown');
      deadline.signal.throwIfAborted();
      const { first } = standing;
      answer = await (first === undefined
        ? takeFree(exchange, grant)
        : takeTurn(exchange, grant, first.since));
    }
  });
}

/** Whether somebody else has it, or comes first. */
function isTaken({ holder, first }: Standing, me: string): boolean {
  const next = holder ?? first?.holder;
  return next !== undefined && next !== me;
}

function takeFree(exchange: Exchange, grant: NewGrant): Promise<TxnAnswer> {
  const { keys } = grant;
  return exchange.txn({
    compare: [isAbsent(keys.grant), isEmpty(keys.queue)],
    success: [read(keys.offset), ...grantTo(grant)],
    failure: readStanding(keys),
  });
}

function takeTurn(exchange: Exchange, grant: NewGrant, since: bigint): Promise<TxnAnswer> {
  const { keys, holder } = grant;
  const place = placeOf(keys, holder);
  return exchange.txn({
    compare: [isAbsent(keys.grant), wasCreatedAt(place, since), noneBefore(keys.queue, since)],
    success: [read(keys.offset), ...grantTo(grant), del(place)],
    failure: readStanding(keys),
  });
}

/** A grant at the revision of the transaction that made it. */
export function grantedNow(exchange: Exchange, grant: NewGrant, answer: TxnAnswer): Promise<Granted> {
  const offset = offsetIn(keysIn(answer.responses[0])[0], grant.keys);
  const { expiresAtMs } = grant;
  return numbered(exchange, grant, { last: answer.revision, offset, expiresAtMs }, false);
}

function held({ clock }: Etcd, resource: string, standing: Standing, applied: Applied): HeldBySomebody {
  const { holder, first } = standing;
  return {
    is: 'held',
    // It is kept for whoever is the first to wait.
    holder: holder ?? first?.holder ?? '',
    token: tokenOf(standing, resource),
    expiresAtMs: holder === undefined ? Math.ceil(clock.now()) + PLACE_SECONDS * 1000 : standing.expiresAtMs,
    applied,
  };
}
