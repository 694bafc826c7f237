import { abortable } from '../../../fence/abortable.ts';
import type { WaitRequest } from '../../token-source.ts';
import { Exchange, type ZooKeeper } from './exchange.ts';
import { look, makeLease, placeOf } from './standing.ts';

/** Waits in a queue, in the order of sequences, each for the one before it alone: a release wakes one waiter, and not all of them. */
export async function waitForRelease(
  { sessions, pathsOf }: ZooKeeper,
  { resource, holder }: WaitRequest,
  signal: AbortSignal,
): Promise<void> {
  const paths = pathsOf(resource);
  const session = sessions.current();
  await session.connected(signal);
  const exchange = new Exchange(session, signal);
  for (;;) {
    const standing = await look(exchange, paths, resource);
    if (standing === undefined) {
      await makeLease(exchange, paths);
      continue;
    }
    const { queue, grant } = standing;
    const mine = placeOf(standing, holder);
    if (mine === undefined) {
      await exchange.join(paths, holder);
      continue;
    }
    const inTheWay = queue[queue.indexOf(mine) - 1] ?? grant?.node;
    if (inTheWay === undefined) return;
    await abortable(session.watch(`${paths.lease}/${inTheWay}`), signal);
  }
}
