import { describe } from './describe.ts';
import { InvalidInputError } from './errors.ts';

/** Checks that something is an AbortSignal, of any realm or library: told by what it can do. */
export function checkSignal(value: unknown, path = 'signal'): void {
  const signal = value as Partial<AbortSignal> | null;
  if (typeof signal?.aborted === 'boolean' && typeof signal.addEventListener === 'function') return;
  throw new InvalidInputError(
    path,
    `${describe(value)} is no AbortSignal`,
    'Pass the signal of an AbortController, or AbortSignal.timeout(ms).',
  );
}
