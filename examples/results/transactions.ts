// What becomes of transactions.
import { add, gte, transact, unwrap } from 'dynamodb-fenced';
import type { Bank } from './bank.ts';

/** A transfer of more than there is, to an account that is not there. */
export async function refusedSteps({ accounts, leases }: Bank) {
  const both = unwrap(await leases.acquireAll(['account/a1', 'account/b1']));
  const [a, b] = both.leases;
  if (a === undefined || b === undefined) throw new Error('both were granted');
  unwrap(await accounts.put(a, { id: 'a1', balance: 20 }));
  // #region refused-steps
  const result = await transact({
    debit: accounts.plan.update(a, { id: 'a1' }, { balance: add(-30) }, { when: { balance: gte(30) } }),
    credit: accounts.plan.update(b, { id: 'b1' }, { balance: add(30) }),
    held: leases.check(a),
  });
  if (!result.ok) {
    for (const { step, key, reason } of result.refused) console.warn(`${step} ${key.id}: ${reason}`);
    if (result.step === 'debit' && result.reason === 'condition') {
      console.warn(`only ${result.item.balance} left`);
    }
  }
  // #endregion refused-steps
  return result;
}
