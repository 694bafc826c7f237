import { TokenExhaustedError } from '../../../fence/errors.ts';
import { wallTimeMs } from '../../../fence/wall-time.ts';
import type { Granted, GrantRequest } from '../../token-source.ts';
import { encodeData } from '../json-data.ts';
import { holdLease, leaseId, wholeSeconds } from './etcd-lease.ts';
import type { Etcd, Exchange } from './exchange.ts';
import type { JsonObject } from './json-object.ts';
import type { Keys } from './keys.ts';
import { endAsText, isTooLarge, numberOf, offsetIs, type Standing, tokenOf } from './standing.ts';
import { del, holds, put, wasWrittenAt } from './txn.ts';

/** What is granted, with the etcd lease that it is going to be attached to. */
export interface NewGrant {
  readonly keys: Keys;
  readonly resource: string;
  readonly holder: string;
  readonly above: number;
  readonly data: string | undefined;
  readonly lease: bigint;
  readonly expiresAtMs: number;
}

export async function prepare(
  { clock }: Etcd,
  exchange: Exchange,
  keys: Keys,
  { resource, holder, ttlMs, above, data }: GrantRequest,
): Promise<NewGrant> {
  const encoded = encodeData(data);
  const lease = leaseId('grant', keys.grant, holder);
  // From before the etcd lease begins, as it must not look longer than it is.
  const expiresAtMs = Math.ceil(wallTimeMs(clock) + ttlMs);
  await holdLease(exchange, lease, wholeSeconds(ttlMs));
  return { keys, resource, holder, above, data: encoded, lease, expiresAtMs };
}

/** The operations that make a grant. Its number is the revision of the transaction that they are in. */
export function grantTo({ keys, holder, lease, expiresAtMs, data }: NewGrant): readonly JsonObject[] {
  return [
    put(keys.grant, holder, lease),
    put(keys.until, endAsText(expiresAtMs), lease),
    data === undefined ? del(keys.data) : put(keys.data, data, lease),
    put(keys.last, ''),
  ];
}

/** The operations that end whatever grant there is. */
export function endGrant({ grant, until, data }: Keys): readonly JsonObject[] {
  return [del(grant), del(until), del(data)];
}

/**
 * Hands a grant out under a number that is large enough. The revision is known only once the grant is made; where it does not reach
 * `above`, because the cluster is a new one or was restored, what is missing is added then, and for all grants to come. Nobody has
 * been told of the number before.
 */
export async function numbered(
  exchange: Exchange,
  { keys, resource, holder, above }: NewGrant,
  { last = 0n, offset, expiresAtMs }: Pick<Standing, 'last' | 'offset' | 'expiresAtMs'>,
  recovered: boolean,
): Promise<Granted> {
  const number = numberOf({ last, offset });
  const stillMine = [holds(keys.grant, holder), wasWrittenAt(keys.last, last), offsetIs(keys, offset)];
  if (isTooLarge(number)) {
    await exchange.txn({ compare: stillMine, success: endGrant(keys), failure: [] });
    throw new TokenExhaustedError(resource, { cause: new RangeError(`its token would be ${number}`) });
  }
  if (number > BigInt(above)) {
    return { is: 'granted', token: tokenOf({ last, offset }, resource), expiresAtMs, recovered };
  }
  const enough = BigInt(above) + 1n - last;
  const raised = await exchange.txn({
    compare: stillMine,
    success: [put(keys.offset, String(enough))],
    failure: [],
  });
  if (!raised.succeeded) throw new Error(`${resource} was taken over before its token was large enough`);
  return { is: 'granted', token: tokenOf({ last, offset: enough }, resource), expiresAtMs, recovered };
}
