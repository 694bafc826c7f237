import type { Deadline } from '../../../fence/deadline.ts';
import { TokenExhaustedError } from '../../../fence/errors.ts';
import { type FencingToken, MAX_FENCING_TOKEN } from '../../../fence/token.ts';
import type { Raised, RaiseRequest, Undecided } from '../../token-source.ts';
import { lastOf } from './acquire.ts';
import { settle, type ZooKeeper } from './exchange.ts';
import { asBytes, look, makeLease } from './standing.ts';

export async function raise(
  zookeeper: ZooKeeper,
  { resource, above }: RaiseRequest,
  deadline: Deadline,
): Promise<Raised | Undecided> {
  const paths = zookeeper.pathsOf(resource);
  return settle(zookeeper, deadline, async (exchange) => {
    for (;;) {
      deadline.signal.throwIfAborted();
      const standing = await look(exchange, paths, resource);
      if (standing === undefined) {
        // Which makes the folders too.
        await exchange.time(paths);
        await makeLease(exchange, paths);
        continue;
      }
      const floor = Math.max(above, lastOf(standing));
      if (floor >= MAX_FENCING_TOKEN) throw new TokenExhaustedError(resource);
      const token = (floor + 1) as FencingToken;
      const { grant, version } = standing;
      const next = asBytes({ token: String(token) });
      const done = await exchange.commit((changes) => {
        const raised = changes.setData(paths.lease, next, version);
        return grant === undefined ? raised : raised.remove(`${paths.lease}/${grant.node}`);
      });
      if (done) return { is: 'raised', token };
    }
  });
}
