import type { Deadline } from '../../../fence/deadline.ts';
import type { FencingToken } from '../../../fence/token.ts';
import type { Granted, GrantRequest, HeldBySomebody, Undecided } from '../../token-source.ts';
import { encodeData } from '../json-data.ts';
import { type Exchange, settle, type ZooKeeper } from './exchange.ts';
import { checkTtlOf, grantTo, recovered } from './grant.ts';
import { holderOf } from './paths.ts';
import { giveUpPlaces } from './queue.ts';
import { look, makeLease, placeOf, type Standing } from './standing.ts';

/** A node of its own, then the record, if nobody has it and nobody was there before. */
export async function acquire(
  zookeeper: ZooKeeper,
  request: GrantRequest,
  deadline: Deadline,
): Promise<Granted | HeldBySomebody | Undecided> {
  const { resource, holder } = request;
  const paths = zookeeper.pathsOf(resource);
  encodeData(request.data);
  return settle(zookeeper, deadline, async (exchange) => {
    checkTtlOf(exchange, request.ttlMs);
    let waits = false;
    const answer = async (): Promise<Granted | HeldBySomebody> => {
      for (;;) {
        deadline.signal.throwIfAborted();
        const now = await exchange.time(paths);
        const standing = await look(exchange, paths, resource);
        if (standing === undefined) {
          await makeLease(exchange, paths);
          continue;
        }
        const { grant, queue } = standing;
        if (grant?.holder === holder) return recovered(grant, lastOf(standing), now);
        const mine = placeOf(standing, holder);
        const first = queue[0];
        if ((grant !== undefined && grant.until > now) || (first !== undefined && first !== mine)) {
          return held(exchange, standing, now);
        }
        if (mine === undefined) waits = true;
        const node = mine ?? (await exchange.join(paths, holder));
        const granted = await grantTo(exchange, paths, node, request, standing, now);
        if (granted !== undefined) {
          waits = false;
          return granted;
        }
      }
    };
    try {
      return await answer();
    } finally {
      // Nobody waits at a place that was taken for this try.
      if (waits) await giveUpPlaces(exchange, paths, resource, holder);
    }
  });
}

export function lastOf({ last = 0 as FencingToken }: Standing): FencingToken {
  return last;
}

function held({ session }: Exchange, standing: Standing, now: number): HeldBySomebody {
  const { grant, queue } = standing;
  if (grant !== undefined && grant.until > now) {
    const { holder, until } = grant;
    const end = { expiresAtMs: until, remainingMs: until - now };
    return { is: 'held', holder, token: lastOf(standing), ...end, applied: 'no' };
  }
  // It is kept for whoever is the first to wait, as long as the session of that one lasts.
  const remainingMs = session.client.getSessionTimeout();
  const holder = holderOf(queue[0] ?? '') ?? '';
  return {
    is: 'held',
    holder,
    token: lastOf(standing),
    expiresAtMs: now + remainingMs,
    remainingMs,
    applied: 'no',
  };
}
