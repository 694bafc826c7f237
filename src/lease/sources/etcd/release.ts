import type { Deadline } from '../../../fence/deadline.ts';
import type { Released, ReleaseRequest, Undecided } from '../../token-source.ts';
import { leaseId, revoke } from './etcd-lease.ts';
import { type Etcd, type Exchange, settle } from './exchange.ts';
import { endGrant } from './grant.ts';
import { type Keys, placeOf } from './keys.ts';
import { offsetIs, readStanding, standingOf } from './standing.ts';
import { holds, wasWrittenAt } from './txn.ts';
import { isCurrent } from './verdict.ts';

/**
 * Ends the grant, then the etcd lease, so that no copy of a request that is late can attach anything to it; also where the grant is over
 * already, as after a takeover, or a release whose answer was lost. Without a token it ends whatever the holder has, a place in the queue too.
 */
export async function release(
  etcd: Etcd,
  { resource, holder, token }: ReleaseRequest,
  deadline: Deadline,
): Promise<Released | Undecided> {
  const keys = etcd.keysOf(resource);
  return settle(etcd, deadline, async (exchange) => {
    const lease = leaseId('grant', keys.grant, holder);
    if (token === undefined) {
      await revoke(exchange, leaseId('place', placeOf(keys, holder), holder));
      await revoke(exchange, lease);
    } else if (await endGrantOf(exchange, keys, holder, token)) {
      await revoke(exchange, lease);
    }
    return { is: 'released' };
  });
}

/** @returns whether the holder has none now: a newer one of the same holder is left alone. */
async function endGrantOf(
  exchange: Exchange,
  keys: Keys,
  holder: string,
  token: NonNullable<ReleaseRequest['token']>,
): Promise<boolean> {
  for (let offset = 0n; ; ) {
    const answer = await exchange.txn({
      compare: [
        holds(keys.grant, holder),
        wasWrittenAt(keys.last, BigInt(token) - offset),
        offsetIs(keys, offset),
      ],
      success: endGrant(keys),
      failure: readStanding(keys),
    });
    if (answer.succeeded) return true;
    const standing = standingOf(answer, keys);
    if (!isCurrent(standing, holder, token)) return standing.holder !== holder;
    offset = standing.offset;
  }
}
