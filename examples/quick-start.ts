import { add, dynamoTokenSource, FencedRepository, gte, LeaseManager, unwrap } from 'dynamodb-fenced';
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';

interface Account {
  id: string;
  balance: number;
}

// A DynamoDB in this process, so that this runs anywhere. In production: const client = new DynamoDBClient({}).
await using db = await startLocalDynamoDB();
await db.createTable({ tableName: 'leases', partitionKey: 'resource' });
await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
const client = db.client();

const leases = new LeaseManager({
  source: dynamoTokenSource({ client, tableName: 'leases' }),
  ttlMs: 10_000,
});
const accounts = new FencedRepository<Account, 'id'>({
  client,
  tableName: 'accounts',
  key: ['id'],
  resource: ({ id }) => `account/${id}`,
});

// #region work
await using lease = unwrap(await leases.acquire('account/a1', { waitMs: 2_000 })).lease;

// Reads, and from then on no earlier holder can write.
const { item } = unwrap(await accounts.claim(lease, { id: 'a1' }));
if (item === undefined) unwrap(await accounts.create(lease, { id: 'a1', balance: 100 }));

const paidOut = await accounts.update(
  lease,
  { id: 'a1' },
  { balance: add(-30) },
  { when: { balance: gte(30) } },
);
if (paidOut.ok) console.log(`30 paid out, ${paidOut.item.balance} left`);
else if (paidOut.reason === 'fenced') console.log(`we are late: token ${paidOut.lastToken} has written`);
else console.log(`not paid out: ${paidOut.reason}`);
// #endregion work
