import { add, type Fence, fence, gte, lte } from 'dynamodb-fenced';
import type { Account, Entry } from './records.ts';
import { entryResource, type Tables } from './tables.ts';

// An entry is written once and never again, so it has no older holder to keep out, and all have one token.
// That there is none yet is what its step asks; who is late is refused by the steps beside it.
const ONCE = 1;

/** The steps by which a transfer is carried out, beside the checks of the two leases. */
export function transferSteps(
  { accounts, entries, lines }: Tables,
  leases: { readonly from: Fence; readonly to: Fence },
  from: Account,
  entry: Entry,
  precondition: { readonly ifVersion?: string } = {},
) {
  const { id, amount, currency, fromToken, toToken, atMs } = entry;
  const [debtor, creditor] = [entry.from, entry.to];
  const { limit } = from;
  return {
    debit: accounts.plan.update(
      leases.from,
      { id: debtor },
      { balance: add(-amount) },
      { when: { currency, limit, balance: gte(limit + amount) }, ...precondition },
    ),
    credit: accounts.plan.update(
      leases.to,
      { id: creditor },
      { balance: add(amount) },
      { when: { currency, balance: lte(Number.MAX_SAFE_INTEGER - amount) } },
    ),
    entry: entries.plan.create(fence(entryResource(id), ONCE), entry),
    debitLine: lines.plan.create(leases.from, {
      ...{ account: debtor, token: fromToken, amount: -amount },
      ...{ counterpart: creditor, entry: id, atMs },
    }),
    creditLine: lines.plan.create(leases.to, {
      ...{ account: creditor, token: toToken, amount },
      ...{ counterpart: debtor, entry: id, atMs },
    }),
  };
}
