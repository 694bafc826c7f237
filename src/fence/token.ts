import { InvalidInputError } from './errors.ts';
import { whyNoToken } from './no-token.ts';

declare const brand: unique symbol;

/**
 * A number that grows with every grant of a resource. The storage remembers the largest one that it has
 * seen and refuses writes that carry a smaller one.
 *
 * It is branded, so that no number that was not checked can stand in for one: make it with
 * {@link fencingToken}.
 */
export type FencingToken = number & { readonly [brand]: 'FencingToken' };

/** The largest token: 2^53 − 1, the last integer that JavaScript, JSON and DynamoDB all carry exactly. */
export const MAX_FENCING_TOKEN = Number.MAX_SAFE_INTEGER as FencingToken;

const decimal = /^(0|[1-9][0-9]{0,15})$/;

/**
 * Checks that a value can be ordered as a fencing token.
 *
 * Accepts a safe integer ≥ 0, a bigint in that range, or its plain decimal text (how a token should travel
 * in JSON and headers: `JSON.parse` rounds larger integers silently). Refuses UUIDs, fractions, hexadecimal,
 * signs and leading zeros: none of them has an order that every party agrees on.
 *
 * @param value the candidate.
 * @param path what to call it in the error; default `token`.
 * @returns the same number, branded.
 * @throws {@link InvalidInputError} where it is none.
 * @example
 * fencingToken(42); // 42
 * fencingToken('9007199254740991'); // 9007199254740991
 * fencingToken('3f2c-9a'); // throws
 */
export function fencingToken(value: unknown, path = 'token'): FencingToken {
  const number = toNumber(value);
  if (!Number.isSafeInteger(number) || number < 0) {
    const { problem, advice } = whyNoToken(value);
    throw new InvalidInputError(path, problem, advice);
  }
  return (number === 0 ? 0 : number) as FencingToken;
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && decimal.test(value)) return Number(value);
  return Number.NaN;
}
