// Faults between real processes, on real sockets: run with `npx tsx examples/testing/fault-proxy.ts`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  dropResponse,
  duplicate,
  pause,
  startFaultProxy,
  startLocalDynamoDB,
  type WireRequest,
} from 'dynamodb-fenced/testing';

const update = {
  op: 'UpdateItem',
  where: ({ input }: WireRequest) => input.TableName === 'accounts',
} as const;

function startWriter(endpoint: string) {
  const writer = fileURLToPath(new URL('proxy-writer.ts', import.meta.url));
  const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: endpoint };
  return spawn(process.execPath, ['--import', 'tsx', writer], { env, stdio: 'inherit' });
}

async function openTables() {
  const db = await startLocalDynamoDB({ port: 0 });
  await db.createTable({ tableName: 'leases', partitionKey: 'resource' });
  await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
  const read = new GetItemCommand({ TableName: 'accounts', Key: { id: { S: 'a1' } }, ConsistentRead: true });
  const balance = async () => (await db.client().send(read)).Item?.balance?.N;
  return Object.assign(db, { balance });
}

test('a connection that breaks after the write, and a copy that arrives later', async () => {
  await using db = await openTables();
  // #region lost
  await using proxy = await startFaultProxy({
    target: db.endpoint,
    rules: [{ on: { ...update, nth: 1 }, do: [dropResponse(), duplicate()] }],
  });
  const [code] = await once(startWriter(proxy.endpoint), 'exit');
  await proxy.idle(); // until the copy has arrived
  assert.deepEqual([code, await db.balance()], [0, '-30']);
  assert.equal(proxy.bites(), 2);
  // #endregion lost
});

test('a request that outlives its process', async () => {
  await using db = await openTables();
  // #region dead
  const gate = pause();
  await using proxy = await startFaultProxy({ target: db.endpoint, rules: [{ on: update, do: gate }] });
  const writer = startWriter(proxy.endpoint);
  await gate.reached; // its write is in the network
  writer.kill('SIGKILL');
  await once(writer, 'exit');
  assert.equal(await db.balance(), undefined);
  gate.release();
  await proxy.idle();
  assert.equal(await db.balance(), '-30'); // the dead have written
  // #endregion dead
});
