import type { CallOptions } from '../fence/call-options.ts';
import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { decodeCursor } from './cursor.ts';

/** How pages are read. */
export interface PageOptions extends CallOptions {
  /**
   * How many live items a page has; tombstones and filtered items do not count. It bounds a page, not the
   * iteration, which goes on to the end: `first(n)` gives so many items and no more. The last page may have fewer,
   * or none, and so may one whose `timeoutMs` are over: where it got anywhere it has a cursor to go on from. Default: what one answer of DynamoDB holds (up to 1 MB), which may be none too.
   */
  readonly limit?: number;
  /** Where an earlier page ended. */
  readonly cursor?: string;
  /** Read strongly consistently: twice the cost, and not possible on a global secondary index. Default false. */
  readonly consistent?: boolean;
}

/** @throws InvalidInputError where they cannot work. */
export function checkPageOptions({ limit, cursor }: PageOptions): void {
  if (limit !== undefined && !isCount(limit)) {
    throw new InvalidInputError(
      'limit',
      `${describe(limit)} is no size of a page`,
      'Pass a whole number from 1, or leave it out.',
    );
  }
  if (cursor !== undefined) decodeCursor(cursor);
}

/** @throws InvalidInputError where it is no number of items to ask for. */
export function checkNumberOfItems(n: number): void {
  if (isCount(n)) return;
  throw new InvalidInputError('n', `${describe(n)} is no number of items`, 'Pass a whole number from 1.');
}

function isCount(n: number): boolean {
  return Number.isSafeInteger(n) && n > 0;
}
