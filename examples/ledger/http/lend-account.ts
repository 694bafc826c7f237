import { respond } from 'dynamodb-fenced/http';
import { accountResource } from '../tables.ts';
import type { LedgerApi } from './ledger-api.ts';

/** How long others keep off while a client decides. */
const LEASE_MS = 30_000;

/** Longer than the lease: whether somebody newer has come in between, the storage knows. */
const SEAL_MS = 5 * 60_000;

// #region lease
/** 201 with the account as nobody older can change it any more, and the fence for one transfer from it; or 423. */
export async function lendAccount({ ledger, leases, seals }: LedgerApi, id: string): Promise<Response> {
  const { accounts } = ledger.tables;
  // First: a lease and a claim would leave a row for every name that somebody makes up.
  if ((await accounts.get({ id })) === undefined) return respond({ ok: false, reason: 'not-found' });
  const acquired = await leases.acquire(accountResource(id), { ttlMs: LEASE_MS });
  if (!acquired.ok) return respond(acquired);
  // Not released: the client has it until it ends, or until it has paid.
  const { lease } = acquired;
  const sealed = seals.seal(lease, { ttlMs: SEAL_MS });
  const claimed = await accounts.claim(lease, { id });
  if (!claimed.ok) await lease.release();
  return respond(claimed, { status: 201, headers: { 'Fencing-Token': sealed } });
}
// #endregion lease
