// A test of code that writes under a lease: node --test. The late writer is made on purpose, and on time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamoTokenSource, FencedRepository, LeaseManager, unwrap } from 'dynamodb-fenced';
import { faults, pause, startLocalDynamoDB } from 'dynamodb-fenced/testing';

interface Account {
  id: string;
  balance: number;
}

// #region test
test('a write that arrives late changes nothing', async () => {
  await using db = await startLocalDynamoDB(); // in this process, ready in milliseconds
  await db.createTable({ tableName: 'leases', partitionKey: 'resource' });
  await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
  const gate = pause(); // holds the first write on the wire
  const client = db.client({
    requestHandler: faults(db.handler, [{ on: { op: 'PutItem', nth: 1 }, do: gate }]),
  });
  const source = dynamoTokenSource({ client, tableName: 'leases' });
  const leases = new LeaseManager({ source, ttlMs: 10_000 });
  const accounts = new FencedRepository<Account, 'id'>({
    client,
    tableName: 'accounts',
    key: ['id'],
    resource: ({ id }) => `account/${id}`,
  });

  const old = unwrap(await leases.acquire('account/a1')).lease;
  const late = accounts.put(old, { id: 'a1', balance: 70 });
  await gate.reached;
  const { lease } = unwrap(await leases.takeOver(old));
  unwrap(await accounts.put(lease, { id: 'a1', balance: 50 }));
  gate.release();

  const result = await late;
  assert.equal(!result.ok && result.reason, 'fenced');
  assert.equal((await accounts.get({ id: 'a1' }))?.item.balance, 50);
});
// #endregion test
