import type { Deadline } from '../../../fence/deadline.ts';
import { TokenExhaustedError } from '../../../fence/errors.ts';
import type { Raised, RaiseRequest, Undecided } from '../../token-source.ts';
import { type Etcd, settle } from './exchange.ts';
import { endGrant } from './grant.ts';
import { isTooLarge, numberOf, offsetIs, readStanding, standingOf, tokenOf } from './standing.ts';
import { isAbsent, put, wasWrittenAt } from './txn.ts';

/** Adds to the revision of the last grant what makes it large enough, unless somebody was quicker. */
export async function raise(
  etcd: Etcd,
  { resource, above }: RaiseRequest,
  deadline: Deadline,
): Promise<Raised | Undecided> {
  const keys = etcd.keysOf(resource);
  return settle(etcd, deadline, async (exchange) => {
    for (;;) {
      deadline.signal.throwIfAborted();
      const standing = standingOf(await exchange.read(readStanding(keys)), keys);
      const { last, offset } = standing;
      const before = numberOf(standing);
      const next = (before > BigInt(above) ? before : BigInt(above)) + 1n;
      if (isTooLarge(next)) throw new TokenExhaustedError(resource);
      if (last === undefined) {
        // Its revision is what is added to, so it must be known first.
        await exchange.txn({ compare: [isAbsent(keys.last)], success: [put(keys.last, '')], failure: [] });
        continue;
      }
      const raised = next - last;
      const answer = await exchange.txn({
        compare: [wasWrittenAt(keys.last, last), offsetIs(keys, offset)],
        success: [put(keys.offset, String(raised)), ...endGrant(keys)],
        failure: [],
      });
      if (answer.succeeded) return { is: 'raised', token: tokenOf({ last, offset: raised }, resource) };
    }
  });
}
