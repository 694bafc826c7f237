// What operators do now and then, on a small bank: adopt a table that existed before, look at what is stored, and
// bring leases back after a restore.
import { type DynamoDBClient, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { dynamoTokenSource, FencedRepository, fence, LeaseManager, unwrap } from 'dynamodb-fenced';
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';

interface Account {
  id: string;
  balance: number;
}

await using db = await startLocalDynamoDB();
await db.createTable({ tableName: 'leases', partitionKey: 'resource' });
await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
const client = db.client();
const leases = new LeaseManager({
  source: dynamoTokenSource({ client, tableName: 'leases' }),
  ttlMs: 10_000,
});
const settings = {
  client,
  tableName: 'accounts',
  key: ['id'] as const,
  resource: ({ id }: Pick<Account, 'id'>) => `account/${id}`,
};
const accounts = new FencedRepository<Account, 'id'>(settings);

// Written before fencing was adopted.
for (const id of ['a1', 'a2']) {
  const Item = { id: { S: id }, balance: { N: '100' } };
  await client.send(new PutItemCommand({ TableName: 'accounts', Item }));
}
await adoptAll();
const strict = new FencedRepository<Account, 'id'>({ ...settings, unfenced: 'refuse' });
const adopted = await leases.using('account/a1', {}, (lease) => strict.claim(lease, { id: 'a1' }));
console.log(`adopted: ${adopted.ok && adopted.value.ok}`);

await look();

// The backup is from a time when lease 41 was running. Lease 42 came after it and is forgotten.
const old = { resource: 'account/a1', holder: 'fn-1/c0ffee', token: 41 };
await writeLeaseRow(client, { ...old, expiresAtMs: Date.now() + 60_000 });
await raiseAll();
const taken = await leases.takeOver(fence(old.resource, old.token));
console.log(`the lease of the backup is ${taken.ok ? 'alive' : taken.reason}`);
const again = unwrap(await leases.acquire('account/a1')).lease;
console.log(`the next token is larger: ${again.token > 42}`);

async function adoptAll(): Promise<void> {
  // #region adopt
  for await (const { id } of accounts.scan()) {
    const result = await leases.using(`account/${id}`, { waitMs: 20_000 }, (lease) =>
      accounts.claim(lease, { id }),
    );
    const claimed = result.ok ? result.value : result;
    if (!claimed.ok) console.warn(`${id} is not claimed (${claimed.reason}): run this again`);
  }
  // #endregion adopt
}

async function look(): Promise<void> {
  // #region look
  const row = await leases.inspect('account/a1');
  console.log(`last token ${row?.token}, held by ${row?.holder ?? 'nobody'}`);
  const { state, stamp } = await accounts.inspect({ id: 'a1' });
  console.log(`the item is ${state}, and was written last by`, stamp);
  // #endregion look
}

async function raiseAll(): Promise<void> {
  // #region raise
  // After the lease table was restored, before anybody works with it: ends every grant that the backup brought
  // back, and issues no number twice.
  const rows = paginateScan({ client }, { TableName: 'leases', ConsistentRead: true });
  for await (const { Items = [] } of rows) {
    for (const row of Items) await leases.raise(row.resource?.S ?? '', { above: 0 });
  }
  // #endregion raise
}

async function writeLeaseRow(
  to: DynamoDBClient,
  row: { resource: string; token: number; holder: string; expiresAtMs: number },
): Promise<void> {
  const { resource, token, holder, expiresAtMs } = row;
  const Item = {
    resource: { S: resource },
    token: { N: String(token) },
    holder: { S: holder },
    expiresAtMs: { N: String(expiresAtMs) },
  };
  await to.send(new PutItemCommand({ TableName: 'leases', Item }));
}
