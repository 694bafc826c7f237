import type { Refusal, RefusalReason } from 'dynamodb-fenced';
import type { Account, Entry } from './records.ts';

/**
 * What a transfer answers. Refusals by the ledger:
 * - `key-reused`: this key stands for another transfer, which is `entry`.
 * - `no-account`: there is no such account.
 * - `currency`: the accounts are kept in different ones.
 * - `insufficient`: it would have put `from` below its limit.
 * - `overflow`: `to` would have more than can be counted exactly.
 *
 * And those by which a process was too late (`fenced`, `lost`, `version`) or others were busy (`held`, `contention`):
 * nothing was moved, and the same call may be made again, under a newer fence if it had one.
 */
export type TransferResult =
  | {
      readonly ok: true;
      readonly entry: Entry;
      /** True where an earlier call, or an earlier copy of this one, has carried it out. */
      readonly replayed: boolean;
    }
  | { readonly ok: false; readonly reason: 'key-reused'; readonly entry: Entry }
  | { readonly ok: false; readonly reason: 'no-account'; readonly account: string }
  | { readonly ok: false; readonly reason: 'currency' | 'overflow' }
  | { readonly ok: false; readonly reason: 'insufficient'; readonly balance: number; readonly limit: number }
  | Refused;

/** A refusal that is not the ledger's own. What else it says, as tokens, is in it. */
export interface Refused extends Refusal {
  readonly resource?: string;
  /** What was presented; of `held`, what its holder has. */
  readonly token?: number;
}

/** What opening an account answers. `exists`: there is one on other terms. */
export type OpenResult =
  | { readonly ok: true; readonly account: Account }
  | { readonly ok: false; readonly reason: 'exists'; readonly account: Account }
  | { readonly ok: false; readonly reason: RefusalReason };
