import { add } from '../../../src/expressions.ts';
import { type Clock, stopwatch } from '../../../src/fence/clock.ts';
import type { Fence } from '../../../src/index.ts';
import type { UpdateOptions } from '../../../src/repository/options.ts';
import { type Account, type Accounts, account } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { balance, before, live, stamp } from './stored.ts';

export const id = { id: 'a' };

/** The account as somebody wrote it, and claimed it again later. */
export const full = live(balance(100), before, 5, stamp(before, 7));

/** A write that shows if it is applied twice. */
export function withdraw(accounts: Accounts, by: Fence, options: UpdateOptions<Account> = {}) {
  return accounts.update(by, id, { balance: add(-10) }, options);
}

/** A lease on the account that ends so many ms from now, by this clock. */
export function grantedFor(ttlMs: number, token: number, clock: Clock): Fence {
  const elapsedMs = stopwatch(clock);
  return granted(account('a'), token, { remainingMs: () => ttlMs - elapsedMs() });
}
