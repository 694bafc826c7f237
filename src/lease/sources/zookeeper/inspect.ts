import type { Deadline } from '../../../fence/deadline.ts';
import { UnavailableError } from '../../../fence/errors.ts';
import type { LeaseRecord } from '../../token-source.ts';
import { decodeData } from '../json-data.ts';
import { settle, type ZooKeeper } from './exchange.ts';
import { look } from './standing.ts';

export async function inspect(
  zookeeper: ZooKeeper,
  resource: string,
  deadline: Deadline,
): Promise<LeaseRecord | undefined> {
  const paths = zookeeper.pathsOf(resource);
  const answer = await settle(zookeeper, deadline, async (exchange) => ({
    is: 'read' as const,
    standing: await look(exchange, paths, resource),
  }));
  if (answer.is === 'undecided') {
    if (deadline.abortedByCaller) throw deadline.signal.reason;
    throw new UnavailableError(`The lease of ${resource} could not be read.`, {
      cause: answer.error,
      advice: 'Check that ZooKeeper can be reached, then call again.',
    });
  }
  const { last, grant } = answer.standing ?? {};
  if (last === undefined) return undefined;
  const { holder, until } = grant ?? {};
  return { resource, token: last, holder, expiresAtMs: until, data: decodeData(grant?.data) };
}
