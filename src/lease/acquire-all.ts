import type { CallOptions } from '../fence/call-options.ts';
import { type Clock, stopwatch } from '../fence/clock.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { checkResource } from '../fence/fence.ts';
import { giveBack } from './give-back.ts';
import type { Lease } from './lease.ts';
import type { AcquireOptions } from './lease-options.ts';
import type { AcquireAllResult, AcquireResult } from './lease-result.ts';

type Acquire = (resource: string, options: AcquireOptions) => Promise<AcquireResult>;

/**
 * Acquires several leases or none. They are taken in one order everywhere, whatever the order of the
 * arguments, so that two callers never wait for each other in a circle.
 */
export async function acquireAll(
  clock: Clock,
  acquire: Acquire,
  resources: readonly string[],
  options: AcquireOptions & { readonly ttlMs: number },
): Promise<AcquireAllResult> {
  checkResources(resources);
  const { waitMs = 0, timeoutMs, signal } = options;
  // The signal is that of the call: its bound on a request goes on after it.
  const lasting = timeoutMs === undefined ? {} : { timeoutMs };
  const bounds = signal === undefined ? lasting : { ...lasting, signal };
  const elapsed = stopwatch(clock);
  const taken = new Map<string, Lease>();
  const take = async (resource: string, leftMs: number) => {
    const result = await acquire(resource, { ...options, waitMs: leftMs });
    if (result.ok) taken.set(resource, result.lease);
    return result;
  };

  try {
    for (const resource of [...resources].sort()) {
      const result = await take(resource, Math.max(0, waitMs - elapsed()));
      if (!result.ok) {
        await giveBack(taken.values(), bounds);
        return result;
      }
    }
    // The first ones have grown old while the others were waited for.
    for (const [resource, lease] of [...taken]) {
      if (await isFresh(lease, options.ttlMs, bounds)) continue;
      taken.delete(resource);
      await giveBack([lease], bounds);
      const result = await take(resource, 0);
      if (!result.ok) {
        await giveBack(taken.values(), bounds);
        return result;
      }
    }
  } catch (error) {
    await giveBack(taken.values(), bounds);
    throw error;
  }
  const leases = resources.map((resource) => taken.get(resource) as Lease);
  return { ok: true, leases, [Symbol.asyncDispose]: () => giveBack(leases, lasting) };
}

/** Whether a lease has held without a gap and goes on for a while, renewed if need be. */
async function isFresh(lease: Lease, ttlMs: number, bounds: CallOptions): Promise<boolean> {
  if (lease.remainingMs() >= ttlMs / 2) return true;
  const { ok } = await lease.renew(bounds);
  return ok && !lease.signal.aborted;
}

function checkResources(resources: readonly string[]): void {
  if (!Array.isArray(resources) || resources.length === 0) {
    throw new InvalidInputError('resources', 'there are none', 'Pass at least one name.');
  }
  for (const [index, resource] of resources.entries()) {
    checkResource(resource);
    if (resources.indexOf(resource) === index) continue;
    throw new InvalidInputError(
      `resources[${index}]`,
      `${resource} is named twice`,
      'Name each resource once: a lease cannot be held twice.',
    );
  }
}
