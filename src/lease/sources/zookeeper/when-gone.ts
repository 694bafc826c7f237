import { abortable } from '../../../fence/abortable.ts';
import type { Gone, GrantInQuestion, Newer } from '../../token-source.ts';
import { Exchange, type ZooKeeper } from './exchange.ts';
import { SessionOver } from './failure.ts';
import { look } from './standing.ts';
import { currentGrant, goneOrNewer } from './verdict.ts';

/** Watches the holder's node, and the session that it goes with. A broken connection says nothing: the session outlives it. */
export async function whenGone(
  { sessions, pathsOf }: ZooKeeper,
  { resource, holder, token }: GrantInQuestion,
  signal: AbortSignal,
): Promise<Gone | Newer> {
  const paths = pathsOf(resource);
  const session = sessions.current();
  const exchange = new Exchange(session, signal);
  try {
    for (;;) {
      await session.connected(signal);
      const standing = await look(exchange, paths, resource);
      const grant = currentGrant(standing, holder, token);
      if (grant === undefined) return goneOrNewer(standing, token);
      await abortable(session.watch(`${paths.lease}/${grant.node}`), signal);
    }
  } catch (error) {
    if (error instanceof SessionOver && !signal.aborted) return { is: 'lost' };
    throw error;
  }
}
