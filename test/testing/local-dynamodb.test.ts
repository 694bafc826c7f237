import { copyFile, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startLocalDynamoDB } from '../../src/testing/index.ts';
import { addAlone, balance, gate, put, startAccounts } from './local/accounts.ts';

describe('startLocalDynamoDB', () => {
  it('answers without a socket', async () => {
    await using db = await startAccounts();
    const client = db.client();
    await client.send(put('a', { balance: { N: '7' } }));
    expect(await balance(client, 'a')).toBe(7);
  });

  it('answers over HTTP, on a free port, from the same store', async () => {
    await using db = await startAccounts();
    await db.client().send(put('a', { balance: { N: '7' } }));
    const endpoint = await db.listen();
    expect(await db.listen()).toBe(endpoint);
    expect(db.endpoint).toBe(endpoint);
    expect(await balance(db.client({ endpoint }), 'a')).toBe(7);
  });

  it('listens from the start where a port is given', async () => {
    await using db = await startAccounts({ port: 0 });
    expect(db.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await (await fetch(db.endpoint)).text()).toContain('healthy');
  });

  it('says how to get an endpoint where there is none', async () => {
    await using db = await startAccounts();
    expect(() => db.endpoint).toThrow(/listen\(\)/);
  });

  it('gives its handler to any client', async () => {
    await using db = await startAccounts();
    const client = new DynamoDBClient({
      region: 'eu-west-1',
      credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
      requestHandler: db.handler,
    });
    expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual(['accounts']);
  });

  it('lets options go over the defaults', async () => {
    await using db = await startAccounts();
    const config = db.client({ region: 'eu-central-1', maxAttempts: 1 }).config;
    expect(await config.region()).toBe('eu-central-1');
    expect(await config.maxAttempts()).toBe(1);
  });

  it('gives each database a name of its own, which no resolver knows', async () => {
    await using first = await startLocalDynamoDB();
    await using second = await startLocalDynamoDB();
    const names = await Promise.all(
      [first, second].map(async (db) => (await db.client().config.endpoint?.())?.hostname),
    );
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/\.invalid$/);
  });

  it('creates tables from the input of a command, active at once', async () => {
    await using db = await startLocalDynamoDB();
    await db.createTable({
      TableName: 'plain',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
    });
    const { Table } = await db.client().send(new DescribeTableCommand({ TableName: 'plain' }));
    expect(Table?.TableStatus).toBe('ACTIVE');
  });

  it('counts a missing dynalite, or another one, as a clear error', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-dynalite-'));
    try {
      const alone = join(folder, 'dynalite.ts');
      await copyFile(new URL('../../src/testing/local/dynalite.ts', import.meta.url), alone);
      const { loadDynalite } = await import(alone);
      expect(loadDynalite).toThrow('npm install --save-dev --save-exact dynalite@4.0.0');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('says which port is taken, and leaves nothing running', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    onTestFinished(() => void other.close());
    await expect(startLocalDynamoDB({ port })).rejects.toMatchObject({
      message: expect.stringContaining(`Port ${port} on 127.0.0.1 cannot be listened on: the port is taken.`),
      cause: { code: 'EADDRINUSE' },
    });

    await using db = await startLocalDynamoDB();
    await expect(db.listen(port)).rejects.toThrow('the port is taken');
    expect(() => db.endpoint).toThrow(/listen\(\)/);
    expect(await db.listen()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('says what is wrong with the address, instead of blaming the port', async () => {
    // Kept for documentation (RFC 5737): no machine has it.
    await expect(startLocalDynamoDB({ port: 0, host: '192.0.2.1' })).rejects.toThrow(
      'Port 0 on 192.0.2.1 cannot be listened on: the host is no address of this machine.',
    );
    await expect(startLocalDynamoDB({ port: 0, host: '' })).rejects.toThrow('The host is empty.');
    await expect(startLocalDynamoDB({ port: 65_536 })).rejects.toThrow('65536');
  });
});

describe('on disk', () => {
  let path: string;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'local-dynamodb-'));
  });
  afterEach(async () => {
    await rm(path, { recursive: true });
  });

  it('keeps tables and items', async () => {
    {
      await using db = await startAccounts({ path });
      await db.client().send(put('a', { balance: { N: '7' } }));
    }
    await using db = await startLocalDynamoDB({ path });
    expect(await balance(db.client(), 'a')).toBe(7);
  });

  it('makes the folder, and those above it, also for two at once', async () => {
    const paths = ['a', 'b'].map((name) => join(path, 'deep', 'er', name));
    const all = await Promise.all(paths.map((path) => startLocalDynamoDB({ path })));
    await Promise.all(all.map((db) => db.close()));
    expect(await readdir(join(path, 'deep', 'er'))).toEqual(['a', 'b']);
  });

  it('says what is in the way of the folder', async () => {
    await expect(startLocalDynamoDB({ path: '' })).rejects.toThrow('The path of the data is empty.');
    const file = join(path, 'file');
    await writeFile(file, '');
    for (const place of [file, join(file, 'below')]) {
      await expect(startLocalDynamoDB({ path: place })).rejects.toMatchObject({
        message: expect.stringContaining(`The folder ${place} cannot keep the data: `),
        cause: { code: 'ENOTDIR' },
      });
    }
    const nowhere = join(path, 'link');
    await symlink(join(path, 'gone'), nowhere);
    await expect(startLocalDynamoDB({ path: nowhere })).rejects.toThrow('EEXIST');
  });

  it('says what the store says about a folder with other things in it', async () => {
    await writeFile(join(path, 'CURRENT'), 'something else');
    await expect(startLocalDynamoDB({ path })).rejects.toThrow(/cannot keep the data: .*CURRENT/);
  });

  it('refuses a folder that is in use, and goes on in the other', async () => {
    await using db = await startAccounts({ path });
    await expect(startLocalDynamoDB({ path })).rejects.toMatchObject({
      message: `The folder ${path} cannot keep the data: it is in use already.`,
      cause: { cause: { code: 'LEVEL_LOCKED' } },
    });
    await db.client().send(put('a', { balance: { N: '7' } }));
    expect(await balance(db.client(), 'a')).toBe(7);
  });
});

describe('close', () => {
  it('may be called again, and then looks like a server that is gone', async () => {
    const db = await startAccounts();
    const client = db.client({ maxAttempts: 1 });
    await Promise.all([db.close(), db.close()]);
    await db.close();
    await expect(client.send(put('a'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('lets running requests finish', async () => {
    const db = await startAccounts();
    const client = db.client({ maxAttempts: 1 });
    const writes = Array.from({ length: 20 }, () => client.send(addAlone('a', 1)));
    // The SDK takes some turns before a request reaches the wire.
    await new Promise((resolve) => setImmediate(resolve));
    await db.close();
    const settled = await Promise.allSettled(writes);
    for (const write of settled) {
      if (write.status === 'rejected') expect(write.reason).toMatchObject({ code: 'ECONNREFUSED' });
    }
  });

  it('does not wait for a hook that never returns', async () => {
    const { hold, reached } = gate();
    const db = await startAccounts({ beforeCommit: hold });
    const write = db.client({ maxAttempts: 1 }).send(put('a'));
    write.catch(() => {});
    await reached;
    await db.close();
    await expect(write).rejects.toMatchObject({ name: 'InternalServerError' });
  });
});

it('ends a call by its AbortSignal, not what the engine is doing', async () => {
  const { hold, reached, open } = gate();
  await using db = await startAccounts({ beforeCommit: hold });
  const abort = new AbortController();
  const write = db.client().send(addAlone('a', 1), { abortSignal: abort.signal });
  await reached;
  abort.abort();
  await expect(write).rejects.toMatchObject({ name: 'AbortError' });
  open();
  await db.client().send(addAlone('a', 1));
  expect(await balance(db.client(), 'a')).toBe(2);
});

it('answers a defect with a 500 that says what it was', async () => {
  await using db = await startAccounts({
    beforeCommit: () => {
      throw new Error('a defect');
    },
  });
  const client = db.client({ maxAttempts: 1 });
  await expect(client.send(put('a'))).rejects.toMatchObject({
    name: 'InternalServerError',
    message: 'a defect',
    $metadata: { httpStatusCode: 500 },
  });
  const query = new QueryCommand({
    TableName: 'accounts',
    KeyConditionExpression: 'id = :a',
    ExpressionAttributeValues: { ':a': { S: 'a' } },
  });
  expect((await client.send(query)).Count).toBe(0);
});
