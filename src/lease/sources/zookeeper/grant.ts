import { InvalidInputError, TokenExhaustedError } from '../../../fence/errors.ts';
import { type FencingToken, MAX_FENCING_TOKEN } from '../../../fence/token.ts';
import type { Granted, GrantRequest } from '../../token-source.ts';
import { encodeData } from '../json-data.ts';
import { storedToken } from '../stored-token.ts';
import type { Exchange } from './exchange.ts';
import type { Paths } from './paths.ts';
import { asBytes, type Grant, type Standing } from './standing.ts';

/**
 * Grants a lease to the holder of a node, in place of what stands in its way.
 *
 * The token is the number of the change that made the node, its czxid, which grows with every change of the ensemble; where that does
 * not reach what was issued or seen before, because the ensemble is a new one, one more than that.
 *
 * @returns undefined where somebody was quicker.
 */
export async function grantTo(
  exchange: Exchange,
  { lease }: Paths,
  node: string,
  { resource, holder, ttlMs, above, data }: GrantRequest,
  { version, last = 0 as FencingToken, grant }: Pick<Standing, 'version' | 'last' | 'grant'>,
  now: number,
): Promise<Granted | undefined> {
  const made = await exchange.createdBy(`${lease}/${node}`);
  if (made === undefined) return undefined;
  const token = largest(resource, made, last, above);
  const expiresAtMs = Math.ceil(now + ttlMs);
  const encoded = encodeData(data);
  const record = { token: String(token), holder, node, until: expiresAtMs };
  const next = asBytes(encoded === undefined ? record : { ...record, data: encoded });
  const done = await exchange.commit((changes) => {
    const mine = changes.check(`${lease}/${node}`).setData(lease, next, version);
    return grant === undefined ? mine : mine.remove(`${lease}/${grant.node}`);
  });
  if (!done) return undefined;
  return { is: 'granted', token, expiresAtMs, remainingMs: expiresAtMs - now, recovered: false };
}

function largest(resource: string, made: bigint, last: number, above: number): FencingToken {
  const floor = Math.max(last, above);
  if (floor >= MAX_FENCING_TOKEN) throw new TokenExhaustedError(resource);
  const next = BigInt(floor) + 1n;
  return storedToken(made > next ? made : next, resource, `The czxid of a node of ${resource} in ZooKeeper`);
}

/** The answer to a holder that was granted it before. */
export function recovered({ until }: Grant, token: FencingToken, now: number): Granted {
  const remainingMs = Math.max(0, until - now);
  return { is: 'granted', token, expiresAtMs: until, remainingMs, recovered: true };
}

/** A holder that hears nothing for as long as its session must have ended by its own count. */
export function checkTtlOf({ session }: Exchange, ttlMs: number): void {
  const longest = session.client.getSessionTimeout();
  if (ttlMs <= longest) return;
  throw new InvalidInputError(
    'ttlMs',
    `${ttlMs} ms are more than the ${longest} ms that the session with ZooKeeper outlives its connection`,
    'A grant ends with the session of its holder, so pass a sessionTimeout to createClient that is at least as long, or a shorter ttlMs.',
  );
}
