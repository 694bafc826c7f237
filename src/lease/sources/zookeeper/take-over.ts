import type { Deadline } from '../../../fence/deadline.ts';
import type { Gone, Granted, Newer, TakeOverRequest, Undecided } from '../../token-source.ts';
import { encodeData } from '../json-data.ts';
import { lastOf } from './acquire.ts';
import { settle, type ZooKeeper } from './exchange.ts';
import { checkTtlOf, grantTo, recovered } from './grant.ts';
import { giveUpPlaces } from './queue.ts';
import { look, placeOf } from './standing.ts';
import { goneOrNewer } from './verdict.ts';

/** The node of the giver goes in the same moment in which the record names that of the taker: those who wait are not asked. */
export async function takeOver(
  zookeeper: ZooKeeper,
  request: TakeOverRequest,
  deadline: Deadline,
): Promise<Granted | Gone | Newer | Undecided> {
  const { resource, holder, from } = request;
  const paths = zookeeper.pathsOf(resource);
  encodeData(request.data);
  return settle(zookeeper, deadline, async (exchange) => {
    checkTtlOf(exchange, request.ttlMs);
    let waits = false;
    const answer = async (): Promise<Granted | Gone | Newer> => {
      for (;;) {
        deadline.signal.throwIfAborted();
        const now = await exchange.time(paths);
        const standing = await look(exchange, paths, resource);
        if (standing === undefined) return { is: 'lost' };
        const { grant } = standing;
        if (grant?.holder === holder) return recovered(grant, lastOf(standing), now);
        if (grant === undefined || lastOf(standing) !== from) return goneOrNewer(standing, from);
        waits = true;
        const node = placeOf(standing, holder) ?? (await exchange.join(paths, holder));
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
      if (waits) await giveUpPlaces(exchange, paths, resource, holder);
    }
  });
}
