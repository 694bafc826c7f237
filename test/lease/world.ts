import type { Deadline } from '../../src/fence/deadline.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import type { LeaseManagerOptions } from '../../src/lease/lease-options.ts';
import type { MemoryTokenSource } from '../../src/lease/sources/memory.ts';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.ts';
import { seededRandom } from '../../src/testing/seeded-random.ts';
import { type UnrulySource, unrulySource } from './unruly-source.ts';

export const TTL_MS = 10_000;

/** Several processes around one source, and the time that all of them live in. */
export interface World extends UnrulySource {
  readonly clock: ManualClock;
  /** A process: its manager, whose holders are called `name/…`. */
  process(
    name: string,
    options?: Partial<LeaseManagerOptions<MemoryTokenSource>>,
  ): LeaseManager<MemoryTokenSource>;
  /** What is stored of a resource. */
  stored(resource?: string): ReturnType<MemoryTokenSource['inspect']>;
}

export function world(): World {
  const clock = manualClock();
  const unruly = unrulySource(clock);
  let seed = 0;
  return {
    ...unruly,
    clock,
    process: (name: string, options = {}) => {
      seed++;
      const base = { source: unruly.source, ttlMs: TTL_MS, holder: name, clock, random: seededRandom(seed) };
      return new LeaseManager({ ...base, ...options });
    },
    stored: (resource = 'r') => unruly.source.inspect(resource, undefined as unknown as Deadline),
  };
}

/** Lets time pass in small steps until something is settled, at most for a while. */
export async function whilePending<T>(clock: ManualClock, work: Promise<T>, atMostMs: number): Promise<T> {
  let settled = false;
  work.then(
    () => {
      settled = true;
    },
    () => {
      settled = true;
    },
  );
  for (let passed = 0; !settled && passed <= atMostMs; passed++) await clock.advance(1);
  return work;
}
