import { FencedError } from './errors.ts';
import { type Fence, sessionOf } from './fence.ts';
import type { Stamp } from './session.ts';

/**
 * Takes the stamp for one logical write: who writes, under which token, as which of its requests. It is the
 * only call of the kernel that changes anything: the fence counts. Costs no request.
 *
 * Take it right before you send, keep it for all copies of that write, and let the writes of one fence to one
 * item follow one another: of two that overtake each other the later one wins and the earlier is `superseded`.
 *
 * @param fence a lease, or what `fence()` made.
 * @throws FencedError where a repository or a transaction has already met a newer token under this fence;
 * LeaseReleasedError after release; InvalidInputError where it is no fence, or its only number is used.
 * @example
 * const stamp = nextStamp(lease);
 */
export function nextStamp(fence: Fence): Stamp {
  const session = sessionOf(fence);
  session.assertUsable();
  if (session.fenced !== undefined) throw new FencedError(session.fenced);
  return session.nextStamp();
}
