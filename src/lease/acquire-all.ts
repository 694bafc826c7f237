import type { Clock } from '../fence/clock.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { checkResource } from '../fence/fence.ts';
import type { Lease } from './lease.ts';
import { type AcquireOptions, checkWait } from './lease-options.ts';
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
  const endsAt = clock.elapsed() + checkWait(options.waitMs);
  const taken = new Map<string, Lease>();
  const releaseAll = async () => {
    await Promise.all([...taken.values()].map((lease) => lease[Symbol.asyncDispose]()));
  };
  const take = async (resource: string, waitMs: number) => {
    const result = await acquire(resource, { ...options, waitMs });
    if (result.ok) taken.set(resource, result.lease);
    return result;
  };

  try {
    for (const resource of [...resources].sort()) {
      const result = await take(resource, Math.max(0, endsAt - clock.elapsed()));
      if (!result.ok) {
        await releaseAll();
        return result;
      }
    }
    // The first ones have grown old while the others were waited for.
    for (const [resource, lease] of [...taken]) {
      if (await isFresh(lease, options.ttlMs, options)) continue;
      await lease[Symbol.asyncDispose]();
      const result = await take(resource, 0);
      if (!result.ok) {
        await releaseAll();
        return result;
      }
    }
  } catch (error) {
    await releaseAll();
    throw error;
  }
  const leases = resources.map((resource) => taken.get(resource) as Lease);
  return { ok: true, leases, [Symbol.asyncDispose]: releaseAll };
}

/** Whether a lease has held without a gap and goes on for a while, renewed if need be. */
async function isFresh(lease: Lease, ttlMs: number, options: AcquireOptions): Promise<boolean> {
  if (lease.remainingMs() >= ttlMs / 2) return true;
  const { ok } = await lease.renew(options);
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
