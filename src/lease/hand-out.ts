import { stopwatch } from '../fence/clock.ts';
import type { Deadline } from '../fence/deadline.ts';
import { GrantedLease } from './granted-lease.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { Lease } from './lease.ts';
import type { LeaseContext } from './lease-context.ts';
import { StaleGrant } from './stale-grant.ts';
import type { Granted, GrantRequest, Undecided } from './token-source.ts';

export interface HandedOut {
  readonly is: 'handed-out';
  readonly lease: Lease;
}

/**
 * Makes a lease of a grant, if enough of it is left. A grant may be old when its answer arrives: the answer
 * was slow, or lost and found again by a later request. A caller that has waited for a lease must not be
 * given one that is about to end, so it is renewed first.
 *
 * @param elapsed the time since the grant was asked for, or since before that.
 */
export async function handOut(
  context: LeaseContext,
  { resource, holder, ttlMs }: GrantRequest,
  granted: Granted,
  elapsed: () => number,
  deadline: Deadline,
): Promise<HandedOut | Undecided> {
  const { token } = granted;
  context.lastSeen.note(resource, token);
  const make = (expiresAtMs: number, since: () => number): HandedOut => {
    const lease = new GrantedLease(context, { resource, token, holder, ttlMs, expiresAtMs, elapsed: since });
    const intervalMs = context.heartbeatMs?.(ttlMs);
    if (intervalMs !== undefined) startHeartbeat(context.clock, intervalMs, lease);
    return { is: 'handed-out', lease };
  };
  const isFresh = (since: () => number) => since() <= ttlMs / 2;
  if (isFresh(elapsed)) return make(granted.expiresAtMs, elapsed);

  const renewing = stopwatch(context.clock);
  const answer = await context.source.renew({ resource, token, holder, ttlMs }, deadline);
  if (answer.is === 'renewed' && isFresh(renewing)) return make(answer.expiresAtMs, renewing);
  if (answer.is === 'undecided') return { ...answer, applied: 'unknown' };
  if (answer.is === 'fenced') context.lastSeen.note(resource, answer.lastToken);
  const error =
    answer.is === 'renewed'
      ? new StaleGrant({ resource, token }, renewing(), ttlMs)
      : new Error(
          `${resource} was granted under token ${token}, but it had been taken over before its answer arrived`,
        );
  return { is: 'undecided', applied: 'unknown', error };
}
