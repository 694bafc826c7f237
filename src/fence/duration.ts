import { describe } from './describe.ts';
import { InvalidInputError } from './errors.ts';

/** Checks a length of time in ms that a caller gave. */
export function checkDuration(value: number, path: string): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidInputError(
    path,
    `${describe(value)} is not a length of time`,
    'Pass a finite number of milliseconds greater than 0.',
  );
}
