import { FencedError, RefusedError } from './errors.ts';
import type { Fenced, Refusal } from './result.ts';

type Success<R> = Extract<R, { readonly ok: true }>;

/**
 * The bridge from results to exceptions: gives the success, throws the refusal. For code that has nothing
 * sensible to do with a refusal but to stop.
 *
 * @param result what a call of this library answered.
 * @returns the `ok: true` branch.
 * @throws {@link FencedError} for `fenced`, {@link RefusedError} (`code` is the reason) for every other refusal.
 * @example
 * const { item } = unwrap(await accounts.claim(lease, { id: 'a1' }));
 */
export function unwrap<R extends { readonly ok: boolean }>(result: R): Success<R> {
  if (result.ok) return result as Success<R>;
  const refusal = result as unknown as Refusal;
  if (refusal.reason === 'fenced') throw new FencedError(refusal as Fenced);
  throw new RefusedError(refusal);
}
