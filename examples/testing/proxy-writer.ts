// A program that knows nothing of tests: it pays 30 out of the account, over HTTP. Run by fault-proxy.ts.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { add, dynamoTokenSource, FencedRepository, LeaseManager, unwrap } from 'dynamodb-fenced';

const client = new DynamoDBClient({
  region: 'local',
  credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
});
const leases = new LeaseManager({
  source: dynamoTokenSource({ client, tableName: 'leases' }),
  ttlMs: 60_000,
});
const accounts = new FencedRepository<{ id: string; balance: number }, 'id'>({
  client,
  tableName: 'accounts',
  key: ['id'],
  resource: ({ id }) => `account/${id}`,
});

const { lease } = unwrap(await leases.acquire('account/a1'));
unwrap(await accounts.update(lease, { id: 'a1' }, { balance: add(-30) }, { upsert: true }));
await lease.release();
