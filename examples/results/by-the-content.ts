// Refusals that the content of the item decides. Each function provokes one and returns it.
import { add, gte, unwrap } from 'dynamodb-fenced';
import type { Bank } from './bank.ts';

export async function notFound({ leases, accounts }: Bank) {
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  // #region not-found
  const result = await accounts.update(lease, { id: 'a1' }, { balance: add(10) });
  if (!result.ok && result.reason === 'not-found') {
    // An update makes no ghosts. To make the item where there is none, say so:
    await accounts.update(lease, { id: 'a1' }, { balance: add(10) }, { upsert: true });
  }
  // #endregion not-found
  return result;
}

export async function exists({ leases, accounts }: Bank) {
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  unwrap(await accounts.create(lease, { id: 'a1', balance: 70 }));
  // #region exists
  const result = await accounts.create(lease, { id: 'a1', balance: 100 });
  if (!result.ok && result.reason === 'exists') console.info(`open already, with ${result.item.balance}`);
  // #endregion exists
  return result;
}

export async function version({ leases, accounts }: Bank) {
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  const created = unwrap(await accounts.create(lease, { id: 'a1', balance: 100 }));
  unwrap(await accounts.update(lease, { id: 'a1' }, { balance: add(-30) }));
  // #region version
  // `created.version` travelled to a browser as an ETag, and comes back with its If-Match.
  const result = await accounts.put(lease, { id: 'a1', balance: 0 }, { ifVersion: created.version });
  if (!result.ok && result.reason === 'version') {
    console.info(`changed since: it is ${result.item.balance} now, version ${result.version}`);
  }
  // #endregion version
  return result;
}

export async function condition({ leases, accounts }: Bank) {
  const lease = unwrap(await leases.acquire('account/a1')).lease;
  unwrap(await accounts.create(lease, { id: 'a1', balance: 20 }));
  // #region condition
  const result = await accounts.update(
    lease,
    { id: 'a1' },
    { balance: add(-30) },
    { when: { balance: gte(30) } },
  );
  if (!result.ok && result.reason === 'condition') console.info(`only ${result.item.balance} left`);
  // #endregion condition
  return result;
}
