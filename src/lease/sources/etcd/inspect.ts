import type { Deadline } from '../../../fence/deadline.ts';
import { UnavailableError } from '../../../fence/errors.ts';
import type { LeaseRecord } from '../../token-source.ts';
import { decodeData } from '../json-data.ts';
import { type Etcd, settle } from './exchange.ts';
import { readStanding, standingOf, tokenOf } from './standing.ts';

export async function inspect(
  etcd: Etcd,
  resource: string,
  deadline: Deadline,
): Promise<LeaseRecord | undefined> {
  const keys = etcd.keysOf(resource);
  const answer = await settle(etcd, deadline, async (exchange) => ({
    is: 'read' as const,
    standing: standingOf(await exchange.read(readStanding(keys)), keys),
  }));
  if (answer.is === 'undecided') {
    if (deadline.abortedByCaller) throw deadline.signal.reason;
    throw new UnavailableError(`The lease of ${resource} could not be read.`, {
      cause: answer.error,
      advice: 'Check that etcd can be reached, then call again.',
    });
  }
  const { standing } = answer;
  const { holder, expiresAtMs } = standing;
  if (standing.last === undefined && holder === undefined) return undefined;
  return {
    resource,
    token: tokenOf(standing, resource),
    holder,
    expiresAtMs: holder === undefined ? undefined : expiresAtMs,
    data: holder === undefined ? undefined : decodeData(standing.data),
  };
}
