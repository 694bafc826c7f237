// Fences on their way to clients and back.
import type { LeaseManager } from 'dynamodb-fenced';
import { type Sequencer, sequencer } from 'dynamodb-fenced/sequencer';

// #region keys
/** The keys come from where secrets are kept, as base64; the older one for as long as its sequencers may be out. */
export function sealsOf(key: string, previousKey?: string): Sequencer {
  const bytes = (secret: string) => Buffer.from(secret, 'base64');
  return sequencer(bytes(key), previousKey === undefined ? {} : { previousKey: bytes(previousKey) });
}
// #endregion keys

// #region seal
/** Grants a client the account for a minute, and hands out what the client will have to show. */
export async function reserve(leases: LeaseManager, seals: Sequencer, account: string) {
  const acquired = await leases.acquire(`account/${account}`, { ttlMs: 60_000 });
  return acquired.ok ? { ok: true as const, sealed: seals.seal(acquired.lease) } : acquired;
}
// #endregion seal

// #region open
/** What a client may write to the account with, or why it may not. */
export function shown(seals: Sequencer, sealed: string, account: string) {
  const opened = seals.open(sealed, { resource: `account/${account}` });
  return opened.ok ? { ok: true as const, fence: opened.fence } : opened;
}
// #endregion open
