import { type EventEmitter, once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { balance, put, startAccounts } from './accounts.ts';

const post = (body: string | undefined, target = 'DynamoDB_20120810.ListTables') => ({
  method: 'POST',
  headers: { 'x-amz-target': target, 'content-type': 'application/x-amz-json-1.0' },
  ...(body === undefined ? {} : { body }),
});

// `once` of node:events would count the error that comes before as its own.
const closed = (emitter: EventEmitter) => new Promise((resolve) => emitter.once('close', resolve));

it('survives bodies that are cut off, and applies nothing of them', async () => {
  await using db = await startAccounts({ port: 0 });
  const { port } = new URL(db.endpoint);
  const body = JSON.stringify({ TableName: 'accounts', Item: { id: { S: 'cut' }, balance: { N: '1' } } });
  for (let copy = 0; copy < 10; copy += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    await once(socket, 'connect');
    socket.write(
      `POST / HTTP/1.1\r\nhost: x\r\nx-amz-target: DynamoDB_20120810.PutItem\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    socket.write(body.slice(0, 20 + copy));
    // Both ways to go away: with a reset, and in the middle of the body.
    if (copy % 2 === 0) socket.resetAndDestroy();
    else socket.end();
    await closed(socket);
  }
  const client = db.client({ endpoint: db.endpoint });
  await client.send(put('a', { balance: { N: '7' } }));
  expect(await balance(client, 'a')).toBe(7);
  expect(await balance(client, 'cut')).toBeUndefined();
});

it('applies a request whose client goes away before the answer', async () => {
  await using db = await startAccounts({ port: 0 });
  const body = JSON.stringify({ TableName: 'accounts', Item: { id: { S: 'whole' }, balance: { N: '1' } } });
  const sent = request(db.endpoint, post(undefined, 'DynamoDB_20120810.PutItem'));
  sent.on('error', () => {});
  sent.end(body, () => sent.destroy());
  await closed(sent);
  await expect.poll(() => balance(db.client(), 'whole')).toBe(1);
});

it('ends idle keep-alive connections when it closes', async () => {
  const db = await startAccounts({ port: 0 });
  const agent = new Agent({ keepAlive: true });
  const sent = request(db.endpoint, { agent });
  sent.end();
  const [response] = await once(sent, 'response');
  const { socket } = response;
  response.resume();
  await once(response, 'end');
  expect(socket.destroyed).toBe(false);
  await Promise.all([db.close(), closed(socket)]);
  agent.destroy();
});

it('does not wait for the rest of a request when it closes', async () => {
  const db = await startAccounts({ port: 0 });
  const socket = connect(Number(new URL(db.endpoint).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{');
  // So that the server has taken the connection before it closes.
  await fetch(db.endpoint);
  await Promise.all([db.close(), closed(socket)]);
});

it('refuses what is no request of the API', async () => {
  await using db = await startAccounts({ port: 0 });
  const answer = async (init: RequestInit) => {
    const response = await fetch(db.endpoint, init);
    return [response.status, ((await response.json()) as { __type: string }).__type.split('#')[1]];
  };
  expect(await answer(post('{}', 'DynamoDB_20120810.Nope'))).toEqual([400, 'UnknownOperationException']);
  expect(await answer(post('{}', 'Kinesis.PutItem'))).toEqual([400, 'UnknownOperationException']);
  expect(await answer(post('{'))).toEqual([400, 'SerializationException']);
  expect(await answer(post('[]'))).toEqual([400, 'SerializationException']);
  expect(await answer(post('{"Limit":"x"}'))).toEqual([400, 'SerializationException']);
  expect(await answer({ ...post('{}'), headers: {} })).toEqual([400, 'UnknownOperationException']);
});

it('refuses a body of more than 16 MB', async () => {
  await using db = await startAccounts({ port: 0 });
  const response = await fetch(db.endpoint, post('x'.repeat(16 * 1024 * 1024 + 1))).catch(() => undefined);
  // The connection is closed on the rest of the body, so the client may see either.
  if (response !== undefined) expect(response.status).toBe(413);
  await expect(
    db
      .client({ endpoint: db.endpoint })
      .send(new PutItemCommand({ TableName: 'accounts', Item: { id: { S: 'a' } } })),
  ).resolves.toBeDefined();
});
