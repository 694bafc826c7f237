import type { Clock } from '../fence/clock.ts';
import { onAbort } from '../fence/on-abort.ts';
import type { Lease } from './lease.ts';

/**
 * Renews a lease every so often until its signal aborts: with its release, a newer token, or its local end.
 * It keeps no process alive and throws nowhere. What a renewal throws is no reason to give up, because only
 * the storage can say that a lease is lost; so it tries again while the lease runs.
 *
 * @param intervalMs also the longest that one renewal may take: a request that hangs must not eat the whole
 * rest of the lease.
 */
export function startHeartbeat(clock: Clock, intervalMs: number, lease: Lease): void {
  const { signal } = lease;
  let cancel = () => {};
  const schedule = (delayMs: number) => {
    if (!signal.aborted) cancel = clock.after(delayMs, () => void beat(), { unref: true });
  };
  const beat = async () => {
    // Asked of the clock: after a pause this timer may run although the lease is over, and must not revive it.
    const remainingMs = lease.remainingMs();
    if (remainingMs <= 0) return;
    try {
      await lease.renew({ timeoutMs: Math.min(remainingMs, intervalMs) });
      schedule(intervalMs);
    } catch {
      schedule(intervalMs / 3);
    }
  };
  onAbort(signal, () => cancel());
  schedule(intervalMs);
}
