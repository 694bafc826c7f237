// Fences of a team that locks with etcd: run with `ETCD_ENDPOINTS=http://127.0.0.1:2379 npx tsx examples/sources/etcd.ts`.
import { add, FencedRepository, LeaseManager, unwrap } from 'dynamodb-fenced';
import { etcdTokenSource } from 'dynamodb-fenced/sources/etcd';
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';

await using db = await startLocalDynamoDB();
await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
const accounts = new FencedRepository<{ id: string; balance: number }, 'id'>({
  client: db.client(),
  tableName: 'accounts',
  key: ['id'],
  resource: ({ id }) => `account/${id}`,
});
const endpoints = (process.env.ETCD_ENDPOINTS ?? 'http://127.0.0.1:2379').split(',');

// #region source
const leases = new LeaseManager({
  source: etcdTokenSource({ endpoints }),
  ttlMs: 10_000,
  heartbeat: true, // a lease that has ended in etcd cannot be renewed any more
});
const lease = unwrap(await leases.acquire('account/a1', { waitMs: 2_000 })).lease;
const { item } = unwrap(await accounts.claim(lease, { id: 'a1' }));
if (item === undefined) unwrap(await accounts.create(lease, { id: 'a1', balance: 100 }));
const paid = unwrap(await accounts.update(lease, { id: 'a1' }, { balance: add(-30) }));
await lease.release();
// #endregion source
console.log(`${paid.item.balance} left`);

// #region floor
// Before anybody works with a cluster that was restored, or is a new one: the items remember what was issued.
const { stamp } = await accounts.inspect({ id: 'a1' });
if (stamp === undefined || stamp === 'corrupt') throw new Error('the account has no fence');
const floor = await leases.raise('account/a1', { above: stamp.token });
// #endregion floor
const next = unwrap(await leases.acquire('account/a1')).lease;
console.log(`later tokens are larger: ${next.token > floor && floor > stamp.token}`);
await next.release();
