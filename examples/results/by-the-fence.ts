// Refusals that the fence decides. Each function provokes one and returns it.
import { add, fence, unwrap } from 'dynamodb-fenced';
import { throttle } from 'dynamodb-fenced/testing';
import type { Bank } from './bank.ts';

export async function fenced({ leases, accounts }: Bank) {
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  unwrap(await accounts.create(lease, { id: 'a1', balance: 100 }));
  const newer = unwrap(await leases.takeOver(fence('account/a1', lease.token))).lease;
  unwrap(await accounts.claim(newer, { id: 'a1' }));
  // #region fenced
  const result = await accounts.update(lease, { id: 'a1' }, { balance: add(-30) });
  if (!result.ok && result.reason === 'fenced') {
    const { resource, token, lastToken, lastHolder } = result;
    console.warn(`${resource}: our token ${token} is late, ${lastHolder} has ${lastToken}`);
    // Drop what was computed under this lease. If the work is still to be done: acquire, claim, start over.
  }
  // #endregion fenced
  return result;
}

export async function tokenReused({ accounts }: Bank) {
  // #region token-reused
  // An issuer that is broken: two holders got the same number.
  const one = fence('account/a1', 42, { holder: 'shop-1', seq: 1 });
  const other = fence('account/a1', 42, { holder: 'shop-2', seq: 1 });
  unwrap(await accounts.put(one, { id: 'a1', balance: 100 }));

  const result = await accounts.put(other, { id: 'a1', balance: 70 });
  if (!result.ok && result.reason === 'token-reused') {
    console.error(
      `${result.holder} and ${result.lastHolder} both have token ${result.token}: stop the issuer`,
    );
  }
  // #endregion token-reused
  return result;
}

export async function superseded({ accounts }: Bank) {
  // #region superseded
  // Messages that carry the token and a number of their own, and arrive in the wrong order.
  const first = fence('account/a1', 42, { holder: 'importer', seq: 1 });
  const second = fence('account/a1', 42, { holder: 'importer', seq: 2 });
  unwrap(await accounts.put(second, { id: 'a1', balance: 70 }));

  const result = await accounts.put(first, { id: 'a1', balance: 100 });
  if (!result.ok && result.reason === 'superseded') console.info('a later message has won: skip this one');
  // #endregion superseded
  return result;
}

export async function contention({ leases, accounts, wire }: Bank) {
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  wire.add({ on: { op: 'PutItem' }, do: throttle() });
  // #region contention
  const result = await accounts.put(lease, { id: 'a1', balance: 100 });
  if (!result.ok && result.reason === 'contention') {
    // Nothing was applied. Call again later, or hand the delay on: 503 with Retry-After.
    const retryAfterSeconds = Math.ceil(result.retryAfterMs / 1000);
    console.warn(`busy, again in ${retryAfterSeconds} s`);
  }
  // #endregion contention
  return result;
}
