import { isHeard } from '../fence/channel.ts';
import { type Fence, sessionOf } from '../fence/fence.ts';
import { reporting } from '../fence/reporting.ts';
import type { FenceRefusal } from '../fence/result.ts';
import type { Wire } from './client.ts';
import { inTurn, type WriteOptions } from './in-turn.ts';
import { ItemReport, subjectOf } from './item-report.ts';
import { LogicalRequest } from './logical-request.ts';
import { LogicalWrite } from './logical-write.ts';
import { queueKey, type WritePlan } from './plan.ts';

/**
 * Carries a write out under a fence: waits for its turn among the fence's writes to the same item, fixes
 * its stamp, and sends it until the storage has decided.
 *
 * @returns the success, the refusal of the content, or that of the fence. A fence that is known to be
 * fenced answers without a request.
 * @throws OutcomeUnknownError, UnavailableError, CorruptFenceError, UnfencedItemError, LeaseReleasedError, LeaseExpiredError, or the service's error.
 */
export async function write<Done, Refused>(
  wire: Wire,
  fence: Fence,
  plan: WritePlan<Done, Refused>,
  options: WriteOptions = {},
): Promise<Done | Refused | FenceRefusal> {
  const session = sessionOf(fence);
  const place = { session, keys: [queueKey(plan)] };
  const report = isHeard()
    ? new ItemReport<Done | Refused | FenceRefusal>(wire.clock, [subjectOf(session, plan)])
    : undefined;
  const written = inTurn<Done | Refused | FenceRefusal>(wire, [place], options, {
    known: () => session.fenced,
    send: async (deadline, objection) => {
      const stamp = session.nextStamp();
      const request = new LogicalRequest(wire, new LogicalWrite(wire, place, plan, stamp));
      report?.follow(request.copies);
      try {
        return await request.settle(deadline, objection);
      } finally {
        if (request.unseen) session.takeBack(stamp);
      }
    },
  });
  return report === undefined ? written : reporting(report, written, options.signal);
}
