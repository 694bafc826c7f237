import type { Deadline } from '../../../fence/deadline.ts';
import { TokenExhaustedError } from '../../../fence/errors.ts';
import { MAX_FENCING_TOKEN } from '../../../fence/token.ts';
import type { Gone, Granted, Newer, TakeOverRequest, Undecided } from '../../token-source.ts';
import { grantedNow } from './acquire.ts';
import { type Etcd, settle } from './exchange.ts';
import { grantTo, numbered, prepare } from './grant.ts';
import { numberOf, offsetIs, readStanding, standingOf } from './standing.ts';
import { isPresent, read, wasWrittenAt } from './txn.ts';
import { goneOrNewer } from './verdict.ts';

/** The key of the grant stays, so that nobody else can take it meanwhile; it changes its holder and the etcd lease that it goes with. */
export async function takeOver(
  etcd: Etcd,
  request: TakeOverRequest,
  deadline: Deadline,
): Promise<Granted | Gone | Newer | Undecided> {
  const { resource, holder, from } = request;
  const keys = etcd.keysOf(resource);
  if (request.above >= MAX_FENCING_TOKEN) throw new TokenExhaustedError(resource);
  return settle(etcd, deadline, async (exchange) => {
    const grant = await prepare(etcd, exchange, keys, request);
    for (let offset = 0n; ; ) {
      const answer = await exchange.txn({
        compare: [
          isPresent(keys.grant),
          wasWrittenAt(keys.last, BigInt(from) - offset),
          offsetIs(keys, offset),
        ],
        success: [read(keys.offset), ...grantTo(grant)],
        failure: readStanding(keys),
      });
      if (answer.succeeded) return grantedNow(exchange, grant, answer);
      const standing = standingOf(answer, keys);
      if (standing.holder === holder) return numbered(exchange, grant, standing, true);
      if (standing.holder === undefined || numberOf(standing) !== BigInt(from)) {
        return goneOrNewer(standing, resource, from);
      }
      // It stands, but another number is added than the one that was expected.
      deadline.signal.throwIfAborted();
      offset = standing.offset;
    }
  });
}
