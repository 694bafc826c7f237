import type { Deadline } from '../../../fence/deadline.ts';
import type { Released, ReleaseRequest, Undecided } from '../../token-source.ts';
import { Exchange, settle, type ZooKeeper } from './exchange.ts';
import { isNodeOf, type Paths } from './paths.ts';
import { never } from './queue.ts';
import { look } from './standing.ts';
import { currentGrant } from './verdict.ts';

/**
 * Removes the holder's node; without a token all of its nodes, a place in the queue too. Nodes go with the session alone, which may
 * last: what cannot be removed now is removed once there is a connection again.
 */
export async function release(
  zookeeper: ZooKeeper,
  request: ReleaseRequest,
  deadline: Deadline,
): Promise<Released | Undecided> {
  const paths = zookeeper.pathsOf(request.resource);
  const { sessions } = zookeeper;
  const session = sessions.current();
  const answer = await settle(zookeeper, deadline, async (exchange) => {
    await removeNodes(exchange, paths, request);
    return { is: 'released' as const };
  });
  if (answer.is === 'undecided' && !session.over.aborted) {
    session.owe(() => removeNodes(new Exchange(session, never), paths, request));
  }
  return answer;
}

async function removeNodes(
  exchange: Exchange,
  paths: Paths,
  { resource, holder, token }: ReleaseRequest,
): Promise<void> {
  if (token === undefined) {
    const children = (await exchange.children(paths.lease)) ?? [];
    await Promise.all(
      children.filter((node) => isNodeOf(holder, node)).map((node) => exchange.leave(paths, node)),
    );
    return;
  }
  const standing = await look(exchange, paths, resource);
  const grant = currentGrant(standing, holder, token);
  // A late copy of its request may have made a second one, which would keep everybody else waiting.
  const places = standing?.queue.filter((node) => isNodeOf(holder, node)) ?? [];
  const nodes = grant === undefined ? places : [...places, grant.node];
  await Promise.all(nodes.map((node) => exchange.leave(paths, node)));
}
