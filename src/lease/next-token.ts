import { TokenExhaustedError } from '../fence/errors.ts';
import { type FencingToken, MAX_FENCING_TOKEN } from '../fence/token.ts';

/**
 * The token to propose: the clock in ms, or the next number where the resource is ahead of the clock.
 *
 * Starting from the clock is what keeps tokens growing where the row is lost, by an operator, a TTL or a
 * restore: the next one is still larger, unless the lost one was ahead of this clock. While the row lives it
 * only accepts what is larger, under any clocks.
 *
 * @param above the largest token that is known for the resource.
 * @throws TokenExhaustedError where there is no larger one.
 */
export function nextToken(resource: string, nowMs: number, above: number): FencingToken {
  const next = Math.max(Math.floor(nowMs), above + 1);
  if (next > MAX_FENCING_TOKEN) throw new TokenExhaustedError(resource);
  return next as FencingToken;
}
