// What becomes of leases. Each function provokes a refusal and returns it.
import { formatFence, parseFence, unwrap } from 'dynamodb-fenced';
import type { Bank } from './bank.ts';

export async function held({ leases }: Bank) {
  unwrap(await leases.acquire('account/a1'));
  // #region held
  const result = await leases.acquire('account/a1', { waitMs: 100 });
  if (!result.ok) console.info(`${result.holder} has it for ${result.retryAfterMs} ms more, or less`);
  // #endregion held
  return result;
}

export async function lost({ leases }: Bank) {
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  const message = { fence: formatFence(lease) };
  await lease.release();
  // #region lost
  // The fence came with a message, to go on where its sender stopped. But the sender has released the lease.
  const result = await leases.takeOver(parseFence(message.fence));
  if (!result.ok && result.reason === 'lost') {
    const lease = unwrap(await leases.acquire(result.resource, { waitMs: 2_000 })).lease;
    // Others may have worked on it in between: claim, and start over.
    await lease.release();
  }
  // #endregion lost
  return result;
}
