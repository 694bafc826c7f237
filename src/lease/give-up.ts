import { DEFAULT_TIMEOUT_MS } from '../fence/deadline.ts';
import { within } from '../fence/within.ts';
import type { LeaseContext } from './lease-context.ts';
import type { GrantRequest } from './token-source.ts';

/**
 * Releases what a call that gives up may have been granted without hearing of it, so that it blocks nobody.
 * It is one try in the background, because whoever gives up does not want to wait; what is granted even later
 * ends with its ttl.
 *
 * @returns when the try is over, whatever came of it.
 */
export async function giveUp(
  { clock, source }: Pick<LeaseContext, 'clock' | 'source'>,
  { resource, holder, ttlMs }: Pick<GrantRequest, 'resource' | 'holder' | 'ttlMs'>,
): Promise<void> {
  const bounds = { timeoutMs: Math.min(ttlMs, DEFAULT_TIMEOUT_MS) };
  await within(clock, bounds, (deadline) =>
    source.release({ resource, holder, token: undefined }, deadline),
  ).catch(() => undefined);
}
