import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTableInput } from '../../../src/testing/table-definition.ts';

/*
 * The local DynamoDB on disk, killed with SIGKILL in the middle of its work, again and again. Whatever it
 * acknowledged must be there, once; whatever it did not may be asked for again under the same token.
 */

const rounds = 6;
const workers = 8;
const killAfter = 60;
const start = 10_000;
const TableName = 'accounts';

let path: string;
beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'kill-'));
});
afterAll(async () => {
  await rm(path, { recursive: true });
});

async function startServer(): Promise<{ process: ChildProcess; client: DynamoDBClient }> {
  const script = fileURLToPath(new URL('server.ts', import.meta.url));
  const server = spawn(process.execPath, ['--import', 'tsx', script, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [endpoint] = await once(createInterface(server.stdout), 'line');
  return {
    process: server,
    client: new DynamoDBClient({
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    }),
  };
}

async function kill(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

/** Moves 1 from a to b, counts it, and leaves a receipt that an index knows: one transaction. */
const transfer = (id: string) => {
  const add = (account: string, amount: number) => ({
    Update: {
      TableName,
      Key: { id: { S: account } },
      UpdateExpression: 'ADD balance :amount',
      ExpressionAttributeValues: { ':amount': { N: String(amount) } },
    },
  });
  const receipt = { Put: { TableName, Item: { id: { S: `receipt-${id}` }, kind: { S: 'receipt' } } } };
  return new TransactWriteItemsCommand({
    TransactItems: [add('a', -1), add('b', 1), add('made', 1), receipt],
    ClientRequestToken: id,
  });
};
const single = (id: string) =>
  new PutItemCommand({ TableName, Item: { id: { S: `single-${id}` }, kind: { S: 'single' } } });

it(`acknowledged equals applied, over ${rounds} kills`, async () => {
  let { process: server, client } = await startServer();
  await client.send(
    new CreateTableCommand(
      createTableInput({
        tableName: TableName,
        partitionKey: 'id',
        indexes: [{ indexName: 'by-kind', partitionKey: 'kind', sortKey: 'id' }],
      }),
    ),
  );
  for (const id of ['a', 'b']) {
    await client.send(
      new PutItemCommand({ TableName, Item: { id: { S: id }, balance: { N: String(start) } } }),
    );
  }

  const acknowledged = new Set<string>();
  const open = new Set<string>();
  let lostAnswers = 0;

  for (let round = 0; round < rounds; round += 1) {
    const done = () => acknowledged.size;
    const target = done() + killAfter;
    const work = async () => {
      // The open ones of the last round first, each with its own token; then new ones, until the server is gone.
      for (;;) {
        const [again] = open;
        const id = again ?? randomUUID();
        open.delete(id);
        try {
          await client.send(transfer(id));
          await client.send(single(id));
          acknowledged.add(id);
          if (done() === target) server.kill('SIGKILL');
        } catch {
          lostAnswers += 1;
          return id;
        }
      }
    };
    const ended = once(server, 'exit');
    const left = await Promise.all(Array.from({ length: workers }, work));
    await ended;
    for (const id of left) open.add(id);
    client.destroy();
    ({ process: server, client } = await startServer());
  }
  for (const id of open) {
    await client.send(transfer(id));
    await client.send(single(id));
    acknowledged.add(id);
  }

  const number = async (id: string) => {
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: { id: { S: id } } }));
    return Number(Item?.balance?.N);
  };
  expect(await number('made')).toBe(acknowledged.size);
  expect(await number('a')).toBe(start - acknowledged.size);
  expect(await number('b')).toBe(start + acknowledged.size);

  const ids = async (IndexName?: string) => {
    const { Items = [] } = await client.send(
      new ScanCommand({ TableName, ...(IndexName ? { IndexName } : {}) }),
    );
    return Items.flatMap(({ id, kind }) => (kind === undefined ? [] : [String(id?.S)])).sort();
  };
  const expected = [...acknowledged].flatMap((id) => [`receipt-${id}`, `single-${id}`]).sort();
  expect(await ids()).toEqual(expected);
  expect(await ids('by-kind')).toEqual(expected);

  expect(acknowledged.size).toBeGreaterThanOrEqual(rounds * killAfter);
  // Every round broke off every worker in the middle of something.
  expect(lostAnswers).toBe(rounds * workers);
  await kill(server);
  client.destroy();
  console.log(
    `${rounds} kills: ${acknowledged.size} acknowledged, all applied once; ${lostAnswers} answers were lost`,
  );
});
