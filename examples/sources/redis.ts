// Fences of a team that locks with Redis: run with `REDIS_URL=redis://127.0.0.1:6379 npx tsx examples/sources/redis.ts`.
import { add, FencedRepository, LeaseManager, unwrap } from 'dynamodb-fenced';
import { fromIoredis, redisTokenSource } from 'dynamodb-fenced/sources/redis';
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';
import { Redis } from 'ioredis';

await using db = await startLocalDynamoDB();
await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
const accounts = new FencedRepository<{ id: string; balance: number }, 'id'>({
  client: db.client(),
  tableName: 'accounts',
  key: ['id'],
  resource: ({ id }) => `account/${id}`,
});
const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379');

// #region source
const leases = new LeaseManager({
  source: redisTokenSource({ connection: fromIoredis(redis) }),
  ttlMs: 10_000,
});
const lease = unwrap(await leases.acquire('account/a1', { waitMs: 2_000 })).lease;
const { item } = unwrap(await accounts.claim(lease, { id: 'a1' }));
if (item === undefined) unwrap(await accounts.create(lease, { id: 'a1', balance: 100 }));
const paid = unwrap(await accounts.update(lease, { id: 'a1' }, { balance: add(-30) }));
await lease.release();
// #endregion source
console.log(`${paid.item.balance} left, under token ${paid.token}`);

// #region floor
// Redis has lost its data, and counts from 1 again. A process that starts now knows no better, but the items do.
await redis.flushall();
const started = new LeaseManager({
  source: redisTokenSource({ connection: fromIoredis(redis) }),
  ttlMs: 10_000,
});
const early = unwrap(await started.acquire('account/a1')).lease;
const refused = await accounts.claim(early, { id: 'a1' });
await early.release();
if (!refused.ok && (refused.reason === 'fenced' || refused.reason === 'token-reused')) {
  const again = unwrap(await started.acquire('account/a1', { above: refused.lastToken })).lease;
  console.log(`refused as ${refused.reason}, accepted: ${(await accounts.claim(again, { id: 'a1' })).ok}`);
  await again.release();
}
// #endregion floor

redis.disconnect();
