// Fences of a team that locks with ZooKeeper: run with `ZOOKEEPER_CONNECT=127.0.0.1:2181 npx tsx examples/sources/zookeeper.ts`.
import { add, FencedRepository, LeaseManager, unwrap } from 'dynamodb-fenced';
import { zooKeeperTokenSource } from 'dynamodb-fenced/sources/zookeeper';
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';
import zookeeper from 'node-zookeeper-client';

await using db = await startLocalDynamoDB();
await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
const accounts = new FencedRepository<{ id: string; balance: number }, 'id'>({
  client: db.client(),
  tableName: 'accounts',
  key: ['id'],
  resource: ({ id }) => `account/${id}`,
});
const ensemble = process.env.ZOOKEEPER_CONNECT ?? '127.0.0.1:2181';

// #region source
using source = zooKeeperTokenSource({
  // Called again after a session has expired: a client has only one.
  createClient: () => zookeeper.createClient(ensemble, { sessionTimeout: 10_000 }),
});
const leases = new LeaseManager({ source, ttlMs: 10_000 }); // at most the session timeout
const lease = unwrap(await leases.acquire('account/a1', { waitMs: 2_000 })).lease;
const { item } = unwrap(await accounts.claim(lease, { id: 'a1' }));
if (item === undefined) unwrap(await accounts.create(lease, { id: 'a1', balance: 100 }));
const paid = unwrap(await accounts.update(lease, { id: 'a1' }, { balance: add(-30) }));
await lease.release();
// #endregion source
console.log(`${paid.item.balance} left`);
const next = unwrap(await leases.acquire('account/a1')).lease;
console.log(`the next token is larger: ${next.token > lease.token}`);
