import { stopwatch } from '../fence/clock.ts';
import type { Deadline } from '../fence/deadline.ts';
import { GrantedLease } from './granted-lease.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { Lease } from './lease.ts';
import type { LeaseContext } from './lease-context.ts';
import { StaleGrant } from './stale-grant.ts';
import { type Term, termOf, termRemainingMs } from './term.ts';
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
 * @param asked the time since the request that was granted, and since the first one of the call.
 */
export async function handOut(
  context: LeaseContext,
  { resource, holder, ttlMs }: GrantRequest,
  granted: Granted,
  asked: { readonly request: () => number; readonly call: () => number },
  deadline: Deadline,
): Promise<HandedOut | Undecided> {
  const { token } = granted;
  context.lastSeen.note(resource, token);
  const make = (expiresAtMs: number, term: Term): HandedOut => {
    const lease = new GrantedLease(context, { resource, token, holder, ttlMs, expiresAtMs, term });
    const intervalMs = context.heartbeatMs?.(ttlMs);
    if (intervalMs !== undefined) startHeartbeat(context.clock, intervalMs, lease);
    return { is: 'handed-out', lease };
  };
  const isFresh = (term: Term) => termRemainingMs(term) >= ttlMs / 2;
  // What was granted to an earlier request began with that one, unless the source says what is left of it now.
  const since = granted.recovered && granted.remainingMs === undefined ? asked.call : asked.request;
  const first = termOf(granted, ttlMs, since);
  if (isFresh(first)) return make(granted.expiresAtMs, first);

  const renewing = stopwatch(context.clock);
  const answer = await context.source.renew({ resource, token, holder, ttlMs }, deadline);
  const renewed = answer.is === 'renewed' ? termOf(answer, ttlMs, renewing) : undefined;
  if (answer.is === 'renewed' && renewed !== undefined && isFresh(renewed))
    return make(answer.expiresAtMs, renewed);
  if (answer.is === 'undecided') return { ...answer, applied: 'unknown' };
  if (answer.is === 'fenced') context.lastSeen.note(resource, answer.lastToken);
  const error =
    renewed !== undefined
      ? new StaleGrant({ resource, token }, renewed, ttlMs)
      : new Error(
          `${resource} was granted under token ${token}, but it had been taken over before its answer arrived`,
        );
  return { is: 'undecided', applied: 'unknown', error };
}
