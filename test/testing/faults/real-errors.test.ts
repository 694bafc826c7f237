import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { DynamoDBClient, GetItemCommand, type GetItemCommandOutput } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { abortBody, cutAnswer } from '../../../src/testing/faults/cut.ts';
import { dropResponse } from '../../../src/testing/faults/drop-response.ts';
import type { Fault } from '../../../src/testing/faults/fault.ts';
import { hang, refuse, reset } from '../../../src/testing/faults/lost-requests.ts';
import { faults } from '../../../src/testing/faults.ts';
import type { SdkRequestHandler } from '../../../src/testing/index.ts';

/*
 * The injected errors must be those that a program really meets. Here a real client with its own NodeHttpHandler
 * meets a server that really behaves so, and the same client meets the fault.
 */

const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
const get = new GetItemCommand({ TableName: 't', Key: { id: { S: 'a' } } });
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: 26\r\n\r\n';
const body = '{"Item":{"id":{"S":"abc"}}';
const answer = `${head}${body}`;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server that does this with each request. */
async function serve(onRequest: (socket: Socket, bytes: Buffer) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => onRequest(socket, bytes));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function clientOf(
  port: number,
  requestHandler?: SdkRequestHandler | { requestTimeout: number; throwOnRequestTimeout: true },
) {
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials,
    maxAttempts: 1,
    ...(requestHandler === undefined ? {} : { requestHandler }),
  });
  onTestFinished(() => client.destroy());
  return client;
}

/** The same client with a fault in front of its own handler. */
function faultyClientOf(port: number, fault: Fault) {
  const handler = clientOf(port).config.requestHandler as SdkRequestHandler;
  return clientOf(port, faults(handler, [{ do: fault }]));
}

/** All that a caller can tell errors by. The SDK adds a hint of its own to some messages, on both sides. */
function identity(call: Promise<GetItemCommandOutput>) {
  return call.then(
    () => 'no error',
    ({ name, code, errno, syscall, message, $metadata }) => ({
      ...{ name, code, errno, syscall, message },
      status: $metadata?.httpStatusCode,
    }),
  );
}

const closes = (socket: Socket) => socket.end();
const answers = (socket: Socket) => socket.write(answer);

it.each([
  ['reset', reset(), closes],
  ['dropResponse', dropResponse(), closes],
  ['cutAnswer', cutAnswer({ afterBytes: 9 }), (socket: Socket) => socket.end(`${head}${body.slice(0, 9)}`)],
  [
    'cutAnswer by end',
    cutAnswer({ afterBytes: 9, by: 'end' }),
    (socket: Socket) => socket.end(`${head.replace('26', '9')}${body.slice(0, 9)}`),
  ],
])('%s is as a server that does it', async (_, fault, onRequest) => {
  const real = await identity(clientOf(await serve(onRequest)).send(get));
  const injected = await identity(faultyClientOf(await serve(answers), fault).send(get));
  expect(injected).toEqual(real);
  expect(real).toHaveProperty('name');
});

it('refuse is as a port where nobody listens', async () => {
  const port = await serve(answers);
  await new Promise((resolve) => servers.pop()?.close(resolve));
  const real = await identity(clientOf(port).send(get));
  expect(await identity(faultyClientOf(port, refuse()).send(get))).toEqual(real);
  expect(real).toMatchObject({ code: 'ECONNREFUSED' });
});

it("dropResponse as timeout is as the client's own timeout", async () => {
  const port = await serve(() => {});
  const impatient = clientOf(port, { requestTimeout: 20, throwOnRequestTimeout: true });
  const real = await identity(impatient.send(get));
  const injected = await identity(
    faultyClientOf(await serve(answers), dropResponse({ as: 'timeout' })).send(get),
  );
  // The message tells how many ms were configured, and here none were.
  expect(injected).toEqual({ ...(real as object), message: expect.stringContaining('requestTimeout') });
  expect(real).toMatchObject({ name: 'TimeoutError', code: 'ETIMEDOUT' });
});

it('a call that is given up is as the real one', async () => {
  const call = (client: DynamoDBClient) =>
    identity(client.send(get, { abortSignal: AbortSignal.timeout(10) }));
  const real = await call(clientOf(await serve(() => {})));
  expect(await call(faultyClientOf(await serve(answers), hang()))).toEqual(real);
  expect(real).toMatchObject({ name: 'AbortError' });
});

it('abortBody really sends a part of the body, and breaks off', async () => {
  let received = '';
  let closed!: () => void;
  const gone = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const port = await serve((socket, bytes) => {
    if (received === '') socket.once('close', closed);
    received += bytes;
  });
  expect(await identity(faultyClientOf(port, abortBody({ afterBytes: 12 })).send(get))).toMatchObject({
    name: 'TimeoutError',
    code: 'ECONNRESET',
  });
  await gone;
  const [headers, part] = received.split('\r\n\r\n');
  const whole = '{"TableName":"t","Key":{"id":{"S":"a"}}}';
  expect(part).toBe(whole.slice(0, 12));
  expect(headers?.toLowerCase()).toContain(`content-length: ${whole.length}`);
});
