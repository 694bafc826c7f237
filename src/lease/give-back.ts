import { abortable } from '../fence/abortable.ts';
import type { CallOptions } from '../fence/call-options.ts';
import type { Lease } from './lease.ts';

/**
 * Frees leases that a call does not need any more, so that they can be had when its answer is there. A caller who has
 * given up does not wait for it; a release that fails is no error, because the lease ends by itself.
 *
 * @param bounds those of the call: `timeoutMs` for each release, and the signal that ends the wait for them, not them.
 * @throws the signal's reason.
 */
export async function giveBack(leases: Iterable<Lease>, { timeoutMs, signal }: CallOptions): Promise<void> {
  const bounds = timeoutMs === undefined ? {} : { timeoutMs };
  const releases = Promise.all([...leases].map((lease) => lease.release(bounds).catch(() => undefined)));
  await (signal === undefined ? releases : abortable(releases, signal));
}
