import { CorruptFenceError, TokenExhaustedError } from '../../fence/errors.ts';
import { type FencingToken, MAX_FENCING_TOKEN } from '../../fence/token.ts';

const integer = /^[0-9]+$/;

/**
 * A token as a server with 64-bit integers tells it: decimal text, or a bigint. It stays text until here, because a number
 * of JavaScript would round it first, and two tokens that round to the same number fence nobody.
 *
 * @param where what it was read from, for the error: `the counter of account/a1 in Redis`.
 * @throws TokenExhaustedError beyond 2^53 − 1; CorruptFenceError where it is no integer.
 */
export function storedToken(stored: string | bigint, resource: string, where: string): FencingToken {
  const text = String(stored);
  if (!integer.test(text)) {
    throw new CorruptFenceError(`${where} is ${JSON.stringify(text.slice(0, 80))}, which is no integer.`);
  }
  if (BigInt(text) > BigInt(MAX_FENCING_TOKEN)) {
    throw new TokenExhaustedError(resource, {
      cause: new RangeError(`${where} is ${text.slice(0, 80)}, beyond 2^53 − 1`),
    });
  }
  return Number(text) as FencingToken;
}
