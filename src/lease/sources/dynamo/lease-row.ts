import type { Item } from '../../../dynamo/attributes.ts';
import { own } from '../../../dynamo/own.ts';
import { CorruptFenceError, TokenExhaustedError } from '../../../fence/errors.ts';
import { type FencingToken, MAX_FENCING_TOKEN } from '../../../fence/token.ts';
import type { LeaseTable } from './lease-table.ts';

/** A stored row as far as decisions need it. A grant has both a holder and an expiry; a free row has neither. */
export interface LeaseRow {
  readonly token: FencingToken;
  readonly grant: { readonly holder: string; readonly expiresAtMs: number } | undefined;
}

/**
 * Reads a row.
 *
 * @throws CorruptFenceError where it could never have been written by a lease: its token cannot be compared,
 * or it has a holder whose grant would never end.
 * @throws TokenExhaustedError where the counter was raised beyond the last token.
 */
export function leaseRow(item: Item, resource: string, { names, tableName }: LeaseTable): LeaseRow {
  const corrupt = (problem: string) =>
    new CorruptFenceError(`The lease row of ${resource} in ${tableName} is damaged: ${problem}.`);
  const token = Number(own(item, names.token)?.N ?? Number.NaN);
  if (Number.isInteger(token) && token > MAX_FENCING_TOKEN) throw new TokenExhaustedError(resource);
  if (!Number.isSafeInteger(token) || token < 0) throw corrupt(`${names.token} is no token`);

  const holder = own(item, names.holder);
  if (holder === undefined) return { token: token as FencingToken, grant: undefined };
  const expiresAtMs = Number(own(item, names.expiresAtMs)?.N ?? Number.NaN);
  if (holder.S === undefined) throw corrupt(`${names.holder} is no text`);
  if (!Number.isFinite(expiresAtMs)) throw corrupt(`it has a holder, and ${names.expiresAtMs} is no number`);
  return { token: token as FencingToken, grant: { holder: holder.S, expiresAtMs } };
}
