import type { Deadline } from '../../../fence/deadline.ts';
import { InvalidInputError } from '../../../fence/errors.ts';
import { wallTimeMs } from '../../../fence/wall-time.ts';
import type { Gone, Newer, Renewed, RenewRequest, Undecided } from '../../token-source.ts';
import { keepAlive, leaseId, wholeSeconds } from './etcd-lease.ts';
import { type Etcd, settle } from './exchange.ts';
import { endAsText, offsetIs, readStanding, standingOf } from './standing.ts';
import { holds, isBelow, put, wasWrittenAt } from './txn.ts';
import { goneOrNewer, isCurrent } from './verdict.ts';

/**
 * Keeps the etcd lease alive, and writes down until when. A grant that is over cannot be renewed: etcd has deleted it, and
 * another one has another revision.
 */
export async function renew(
  etcd: Etcd,
  { resource, holder, token, ttlMs }: RenewRequest,
  deadline: Deadline,
): Promise<Renewed | Gone | Newer | Undecided> {
  const keys = etcd.keysOf(resource);
  return settle(etcd, deadline, async (exchange) => {
    const expiresAtMs = Math.ceil(wallTimeMs(etcd.clock) + ttlMs);
    const lease = leaseId('grant', keys.grant, holder);
    const seconds = await keepAlive(exchange, lease);
    if (seconds === 0n) {
      return goneOrNewer(standingOf(await exchange.read(readStanding(keys)), keys), resource, token);
    }
    if (seconds < wholeSeconds(ttlMs)) throw tooLong(ttlMs, seconds);
    for (let offset = 0n; ; ) {
      const end = endAsText(expiresAtMs);
      const answer = await exchange.txn({
        compare: [
          holds(keys.grant, holder),
          wasWrittenAt(keys.last, BigInt(token) - offset),
          offsetIs(keys, offset),
          isBelow(keys.until, end),
        ],
        success: [put(keys.until, end, lease)],
        failure: readStanding(keys),
      });
      if (answer.succeeded) return { is: 'renewed', expiresAtMs };
      const standing = standingOf(answer, keys);
      if (!isCurrent(standing, holder, token)) return goneOrNewer(standing, resource, token);
      if (standing.expiresAtMs >= expiresAtMs) return { is: 'renewed', expiresAtMs: standing.expiresAtMs };
      // It stands, but another number is added than the one that was expected.
      deadline.signal.throwIfAborted();
      offset = standing.offset;
    }
  });
}

function tooLong(ttlMs: number, seconds: bigint): InvalidInputError {
  return new InvalidInputError(
    'ttlMs',
    `${ttlMs} ms are more than the ${seconds} s that the lease in etcd was made for`,
    'An etcd lease keeps the time that it was made with: acquire it with the longest one that you need.',
  );
}
