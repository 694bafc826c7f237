import { type CallOptions, Deadline } from '../fence/deadline.ts';
import { type Fence, sessionOf } from '../fence/fence.ts';
import type { FenceRefusal } from '../fence/result.ts';
import type { Wire } from './client.ts';
import { LogicalWrite } from './logical-write.ts';
import { queueKey, type WritePlan } from './plan.ts';
import { takeTurn } from './turn.ts';

export interface WriteOptions extends CallOptions {
  /**
   * Send no copy of the write once the lease is over by this process's own clock. Default false: the storage
   * decides, and accepts a late write as long as nobody newer has written.
   */
  readonly whileHeld?: boolean;
}

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
  const deadline = new Deadline(wire.clock, options);
  try {
    session.assertUsable(options.whileHeld);
    if (session.fenced !== undefined) return session.fenced;
    const turn = await takeTurn(session, [queueKey(plan)], deadline);
    try {
      // Much may have happened while it waited.
      session.assertUsable(options.whileHeld);
      if (session.fenced !== undefined) return session.fenced;
      const logical = new LogicalWrite(wire, session, plan, session.nextStamp());
      return await logical.settle(deadline, () => !(options.whileHeld && session.expired));
    } finally {
      turn.leave();
    }
  } finally {
    deadline[Symbol.dispose]();
  }
}
