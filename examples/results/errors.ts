// What is thrown. Each function provokes one error, by which it ends, or which it returns.
import { setTimeout as sleep } from 'node:timers/promises';
import { add, FencedRepository, isFenced, isFencingError, isOutcomeUnknown, unwrap } from 'dynamodb-fenced';
import { dropResponse, refuse, type SkewedClock } from 'dynamodb-fenced/testing';
import type { Account, Bank } from './bank.ts';

export async function refused({ leases, accounts }: Bank) {
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  // #region refused
  try {
    unwrap(await accounts.update(lease, { id: 'a1' }, { balance: add(-30) }));
  } catch (error) {
    if (isFenced(error)) throw error;
    if (isFencingError(error) && error.code === 'not-found') console.info('no such account');
    return error;
  }
  // #endregion refused
  return undefined;
}

export async function invalidInput({ leases, accounts }: Bank) {
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  // #region invalid-input
  const account = { id: 'a1', balance: 0, openedAt: new Date(0) as unknown as string };
  await accounts.put(lease, account); // item.openedAt: a Date has no type in DynamoDB. Store date.toISOString() …
  // #endregion invalid-input
}

export async function unavailable({ leases, accounts, wire }: Bank) {
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  wire.add({ do: refuse() });
  // #region unavailable
  await accounts.put(lease, { id: 'a1', balance: 100 }); // nobody listens: nothing was sent, so call it again
  // #endregion unavailable
}

export async function outcomeUnknown({ leases, accounts, wire }: Bank) {
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  unwrap(await accounts.create(lease, { id: 'a1', balance: 100 }));
  wire.add({ on: { op: 'UpdateItem' }, do: dropResponse() });
  setTimeout(() => wire.heal(), 200);
  // #region outcome-unknown
  const withdraw = async (): ReturnType<typeof accounts.update> => {
    try {
      return await accounts.update(lease, { id: 'a1' }, { balance: add(-30) });
    } catch (error) {
      if (!isOutcomeUnknown<Awaited<ReturnType<typeof accounts.update>>>(error)) throw error;
      // It may have been applied. A second update would take another 30; resolve() asks about this one.
      await sleep(500);
      return await error.resolve();
    }
  };
  // #endregion outcome-unknown
  return withdraw();
}

export async function corruptFence({ leases, accounts, writeAround }: Bank) {
  await writeAround({ id: { S: 'a1' }, _fence: { S: 'forty-two' } });
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  // #region corrupt-fence
  const { state, stamp } = await accounts.inspect({ id: 'a1' });
  console.error(`${state}, stamp: ${stamp}`); // tombstone, stamp: corrupt
  await accounts.claim(lease, { id: 'a1' });
  // #endregion corrupt-fence
}

export async function tokenExhausted({ leases }: Bank) {
  // #region token-exhausted
  await leases.raise('account/a1', { above: Number.MAX_SAFE_INTEGER - 1 }); // somebody did this
  await leases.acquire('account/a1');
  // #endregion token-exhausted
}

export async function unfencedItem({ leases, strictAccounts, writeAround }: Bank) {
  await writeAround({ id: { S: 'a1' } });
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  // #region unfenced-item
  await strictAccounts.claim(lease, { id: 'a1' }); // made with `unfenced: 'refuse'`
  // #endregion unfenced-item
}

export async function unreadableValue({ accounts, settings, writeAround }: Bank) {
  await writeAround({ id: { S: 'a1' }, balance: { N: '0.1234567890123456789' } });
  // #region unreadable-value
  // With a function of yours the number comes as the text that is stored, for a decimal library, say.
  const exact = new FencedRepository<{ id: string; balance: unknown }, 'id'>({
    ...settings,
    numbers: (text) => text,
  });
  console.info((await exact.get({ id: 'a1' }))?.item.balance); // 0.1234567890123456789

  await accounts.get({ id: 'a1' }); // made without it: throws
  // #endregion unreadable-value
}

export async function leaseExpired({ leases, accounts }: Bank, clock: SkewedClock) {
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  clock.jump(10_000);
  // #region lease-expired
  const account: Account = { id: 'a1', balance: 100 };
  await accounts.put(lease, account, { whileHeld: true }); // refused here: nothing is sent
  // #endregion lease-expired
}

export async function leaseReleased({ leases, accounts }: Bank) {
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  // #region lease-released
  await lease.release();
  await accounts.put(lease, { id: 'a1', balance: 100 });
  // #endregion lease-released
}
