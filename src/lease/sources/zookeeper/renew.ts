import type { Deadline } from '../../../fence/deadline.ts';
import type { Gone, Newer, Renewed, RenewRequest, Undecided } from '../../token-source.ts';
import { settle, type ZooKeeper } from './exchange.ts';
import { checkTtlOf } from './grant.ts';
import { asBytes, look } from './standing.ts';
import { currentGrant, goneOrNewer } from './verdict.ts';

/** Writes a later end into the record, if the holder's node is still there. */
export async function renew(
  zookeeper: ZooKeeper,
  { resource, holder, token, ttlMs }: RenewRequest,
  deadline: Deadline,
): Promise<Renewed | Gone | Newer | Undecided> {
  const paths = zookeeper.pathsOf(resource);
  return settle(zookeeper, deadline, async (exchange) => {
    checkTtlOf(exchange, ttlMs);
    for (;;) {
      deadline.signal.throwIfAborted();
      const now = await exchange.time(paths);
      const standing = await look(exchange, paths, resource);
      const grant = currentGrant(standing, holder, token);
      if (standing === undefined || grant === undefined) return goneOrNewer(standing, token);
      const expiresAtMs = Math.max(grant.until, Math.ceil(now + ttlMs));
      const { node, data } = grant;
      const record = { token: String(token), holder, node, until: expiresAtMs };
      const next = asBytes(data === undefined ? record : { ...record, data });
      const done = await exchange.commit((changes) =>
        changes.check(`${paths.lease}/${node}`).setData(paths.lease, next, standing.version),
      );
      if (done) return { is: 'renewed', expiresAtMs, remainingMs: expiresAtMs - now };
    }
  });
}
