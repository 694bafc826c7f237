// What is sent, and what that costs: run with `npx tsx examples/testing/record.ts`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FencedRepository, fence } from 'dynamodb-fenced';
import { dropResponse, faults, record, startLocalDynamoDB } from 'dynamodb-fenced/testing';

const settings = { tableName: 'accounts', key: ['id'] as const, resource: ({ id }: { id: string }) => id };

test('what was sent', async () => {
  await using db = await startLocalDynamoDB();
  await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
  // #region record
  const wire = record(db.handler);
  const client = db.client({ requestHandler: wire });
  const accounts = new FencedRepository<{ id: string }, 'id'>({ ...settings, client });

  await accounts.claim(fence('a1', 42), { id: 'a1' });
  assert.deepEqual(wire.ops, ['UpdateItem']); // one request, and no read before it
  assert.deepEqual(wire.requests[0]?.input.Key, { id: { S: 'a1' } });

  wire.forget();
  await accounts.get({ id: 'a1' });
  assert.equal(wire.requests[0]?.input.ConsistentRead, true);
  // #endregion record
});

test('what was sent, and what arrived', async () => {
  await using db = await startLocalDynamoDB();
  await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
  // #region both
  const arrived = record(db.handler);
  const lossy = faults(arrived, [{ on: { op: 'GetItem', nth: 1 }, do: dropResponse() }]);
  const sent = record(lossy, ({ input }) => assert.equal(input.TableName, 'accounts'));
  // #endregion both
  const client = db.client({ requestHandler: sent });
  const accounts = new FencedRepository<{ id: string }, 'id'>({ ...settings, client });
  await accounts.get({ id: 'a1' });
  assert.deepEqual([sent.ops.length, arrived.ops.length], [2, 2]);
});
