// The quick start in plain JavaScript: Node 20 knows no `await using`, so `leases.using` releases the lease.
import { add, dynamoTokenSource, FencedRepository, gte, LeaseManager, unwrap } from 'dynamodb-fenced';
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';

// A DynamoDB in this process, so that this runs anywhere. In production: const client = new DynamoDBClient({}).
const db = await startLocalDynamoDB();
await db.createTable({ tableName: 'leases', partitionKey: 'resource' });
await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
const client = db.client();

const leases = new LeaseManager({
  source: dynamoTokenSource({ client, tableName: 'leases' }),
  ttlMs: 10_000,
});
/** @type {FencedRepository<{ id: string, balance: number }, 'id'>} */
const accounts = new FencedRepository({
  client,
  tableName: 'accounts',
  key: ['id'],
  resource: ({ id }) => `account/${id}`,
});

// #region work
const worked = await leases.using('account/a1', { waitMs: 2_000 }, async (lease) => {
  // Reads, and from then on no earlier holder can write.
  const { item } = unwrap(await accounts.claim(lease, { id: 'a1' }));
  if (item === undefined) unwrap(await accounts.create(lease, { id: 'a1', balance: 100 }));
  return accounts.update(lease, { id: 'a1' }, { balance: add(-30) }, { when: { balance: gte(30) } });
});

if (!worked.ok) console.log(`${worked.holder} has the account`);
else if (worked.value.ok) console.log(`30 paid out, ${worked.value.item.balance} left`);
else console.log(`not paid out: ${worked.value.reason}`);
// #endregion work

await db.close();
