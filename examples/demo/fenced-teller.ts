import { FencedRepository, type Lease, unwrap } from 'dynamodb-fenced';
import { type Account, accountsTable, resourceOf } from './accounts.ts';
import type { Teller } from './teller.ts';
import type { Desk } from './withdraw.ts';

/** With fencing: every write carries the lease, and the storage compares its token. */
export function fencedTeller(
  bank: Omit<Desk, 'leases'>,
  id: string,
  lease: Lease,
  reading: Teller['reading'],
): Teller {
  const accounts = new FencedRepository<Account, 'id'>({
    ...bank,
    tableName: accountsTable,
    key: ['id'],
    resource: resourceOf,
  });
  return {
    reading,
    async read() {
      const seen =
        reading === 'claim' ? unwrap(await accounts.claim(lease, { id })) : await accounts.get({ id });
      return seen?.item?.balance ?? Number.NaN;
    },
    async write(balance) {
      const result = await accounts.put(lease, { id, balance });
      if (result.ok) return { accepted: true };
      if (result.reason !== 'fenced') return { accepted: false, reason: result.reason };
      const { reason, lastToken, lastHolder, applied } = result;
      return { accepted: false, reason, lastToken, lastHolder, applied };
    },
  };
}
