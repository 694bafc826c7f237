import { attachSession, type Fence } from '../../src/fence/fence.ts';
import { fencingToken } from '../../src/fence/token.ts';

let grants = 0;

/**
 * A fence as a lease is one: with a holder of its own, a request counter, and the order of its writes.
 * For tests of writes, which must not depend on how leases are granted.
 */
export function granted(
  resource: string,
  token: number,
  options: { remainingMs?: () => number } = {},
): Fence {
  grants += 1;
  const holder = `test/${grants}`;
  return attachSession({ resource, token: fencingToken(token), holder }, { kind: 'lease', ...options });
}
