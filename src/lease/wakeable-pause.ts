import { sleep } from '../fence/clock.ts';
import type { LeaseContext } from './lease-context.ts';
import { linkedSignal } from './linked-signal.ts';
import type { CanWait, TokenSource, WaitRequest } from './token-source.ts';

/** How long a waiter pauses where nobody wakes it, in ms. */
export interface Pauses {
  /** Where the source can tell of a release: it is only asked for a grant that ended without one. */
  readonly longestMs: number;
  /** Where it cannot tell at the moment: as often as without it. */
  readonly pollMs: number;
}

/** After a wake, in ms: one that tells of nothing, however often it comes, must not keep the process busy. */
const LEAST_MS = 20;

/** Whether a source can wake those who wait. */
export function canWait<S extends TokenSource>(source: S): source is S & CanWait {
  return typeof (source as Partial<CanWait>).waitForRelease === 'function';
}

/** Waits until the source tells of a release, or the pause is over. @throws the signal's reason. */
export async function wakeablePause(
  { source, clock }: Pick<LeaseContext<TokenSource & CanWait>, 'source' | 'clock'>,
  who: WaitRequest,
  { longestMs, pollMs }: Pauses,
  signal: AbortSignal | undefined,
): Promise<void> {
  const over = new AbortController();
  const link = linkedSignal([signal, over.signal]);
  // What the source cannot tell is no reason to give up: the next poll says whether it can be reached.
  const wait = async () => source.waitForRelease(who, link.signal);
  const told = wait().then(
    () => sleep(clock, Math.min(pollMs, LEAST_MS), link.signal),
    () => sleep(clock, pollMs, link.signal),
  );
  try {
    await Promise.race([told, sleep(clock, longestMs, link.signal)]);
  } finally {
    over.abort();
    link[Symbol.dispose]();
  }
}
