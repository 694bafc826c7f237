import { createHash } from 'node:crypto';
import { int64In, objectIn } from './answers.ts';
import { isLeaseMissing, isLeaseTaken } from './etcd-error.ts';
import type { Exchange } from './exchange.ts';
import type { JsonObject } from './json-object.ts';

/** What an etcd lease holds alive. */
export type LeaseUse = 'grant' | 'place';

/**
 * The number of an etcd lease, by what it is for. It is the same whenever it is asked for, so that a request whose answer was lost
 * can be sent again and finds the lease that it has made.
 */
export function leaseId(use: LeaseUse, key: string, holder: string): bigint {
  const digest = createHash('sha256')
    .update(JSON.stringify([use, key, holder]))
    .digest();
  // 0 would let etcd choose, and a sign has no place in a name.
  return BigInt.asUintN(63, digest.readBigUInt64BE()) || 1n;
}

/** etcd counts in whole seconds. */
export function wholeSeconds(ttlMs: number): bigint {
  return BigInt(Math.ceil(ttlMs / 1000));
}

/** Makes sure that there is an etcd lease with its whole time before it. */
export async function holdLease(exchange: Exchange, id: bigint, seconds: bigint): Promise<void> {
  for (;;) {
    try {
      await exchange.ask('lease/grant', { ID: String(id), TTL: String(seconds) });
      return;
    } catch (error) {
      if (!isLeaseTaken(error)) throw error;
    }
    // It may end between the two, and is made anew then.
    if ((await keepAlive(exchange, id)) > 0n) return;
  }
}

/** Begins the time of a lease anew. @returns for how many seconds; 0 where there is none. */
export async function keepAlive(exchange: Exchange, id: bigint): Promise<bigint> {
  const answer = await exchange.ask('lease/keepalive', { ID: String(id) });
  const kept: JsonObject = objectIn(answer, 'result');
  return int64In(kept, 'TTL');
}

/** Ends a lease, and with it what it holds alive, and whatever a late copy of a request would attach to it. */
export async function revoke(exchange: Exchange, id: bigint): Promise<void> {
  try {
    await exchange.change('lease/revoke', { ID: String(id) });
  } catch (error) {
    if (!isLeaseMissing(error)) throw error;
  }
}
