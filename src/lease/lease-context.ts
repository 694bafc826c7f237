import type { Clock } from '../fence/clock.ts';
import type { Random } from '../fence/random.ts';
import type { LastSeen } from './last-seen.ts';
import type { TokenSource } from './token-source.ts';

/** What the leases of one manager share. */
export interface LeaseContext<S extends TokenSource = TokenSource> {
  readonly source: S;
  readonly clock: Clock;
  readonly random: Random;
  readonly ttlMs: number;
  /** The part of every holder that says which process it is. */
  readonly holderName: string;
  /** How often leases are renewed by themselves, by their ttl in ms; undefined for never. */
  readonly heartbeatMs: ((ttlMs: number) => number) | undefined;
  readonly lastSeen: LastSeen;
}

/** The same for a lease that is granted without the heartbeat of its manager. */
export function contextFor<S extends TokenSource>(
  context: LeaseContext<S>,
  { heartbeat }: { readonly heartbeat?: false },
): LeaseContext<S> {
  return heartbeat === undefined ? context : { ...context, heartbeatMs: undefined };
}

/** A holder that no other call has: the process, and a nonce. */
export function newHolder({ holderName, random }: Pick<LeaseContext, 'holderName' | 'random'>): string {
  return `${holderName}/${random.nonce()}`;
}
