import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import type { Answer } from './faults/fault.ts';
import { forwardHandler } from './faults/forward-handler.ts';
import type { FaultRule } from './faults/rule.ts';
import { type FaultsOptions, type FaultyHandler, faults } from './faults.ts';

/** What {@link startFaultProxy} takes. */
export interface FaultProxyOptions extends FaultsOptions {
  /** The URL of what is behind it: `db.endpoint`, or that of any other DynamoDB over plain HTTP. */
  readonly target: string;
  /** The same rules as for `faults`. */
  readonly rules?: readonly FaultRule[];
  /** The port to listen on, on the loopback interface. Default 0: a free one. */
  readonly port?: number;
}

/** A running proxy. What it tells about its faults is as in {@link FaultyHandler}. */
export interface FaultProxy
  extends Pick<FaultyHandler, 'log' | 'bites' | 'add' | 'heal' | 'idle'>,
    AsyncDisposable {
  /** The URL to give to a program as its DynamoDB `endpoint`. */
  readonly endpoint: string;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

/**
 * The faults of `faults` for programs that run by themselves: a proxy that stands between a real process and
 * a DynamoDB, on real sockets. A lost answer is a connection that breaks, a pause is a request that stands
 * still in the network, and a late copy arrives also if the process that sent it is dead.
 *
 * `refuse()` looks like `reset()` here, because the connection to the proxy is there already.
 *
 * @returns the proxy; leaving its `await using` scope closes it.
 * @throws where the port is taken.
 * @example
 * await using db = await startLocalDynamoDB({ port: 0 });
 * await using proxy = await startFaultProxy({
 *   target: db.endpoint,
 *   rules: [{ on: { op: 'UpdateItem', nth: 3 }, do: dropResponse() }],
 * });
 * spawn('node', ['worker.js'], { env: { ...process.env, DYNAMODB_ENDPOINT: proxy.endpoint } });
 */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { target, rules = [], port = 0, ...time } = options;
  const behind = forwardHandler(new URL(target));
  const wire = faults(behind, rules, time);
  const server = createServer((incoming, outgoing) => void pass(wire, incoming, outgoing));
  await listen(server, port);

  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    behind.destroy();
    await closed;
  };
  const { log, bites, add, heal, idle } = wire;
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ log, bites, add, heal, idle },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function pass(wire: FaultyHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  incoming.on('error', () => {});
  outgoing.on('error', () => {});
  try {
    const { method = 'POST', url: path = '/', headers } = incoming;
    const http = {
      ...{ method, path, headers: headers as Record<string, string>, body: await read(incoming) },
      ...{ protocol: 'http:', hostname: '127.0.0.1' },
    };
    // Whether the caller still waits makes no difference to what is on the wire.
    await answer(await wire.handle(http), outgoing);
  } catch {
    // What has arrived of an answer is not taken back; where there is none, the connection is reset.
    if (outgoing.headersSent) outgoing.destroy();
    else incoming.socket.resetAndDestroy();
  }
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function answer({ response }: Answer, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.statusCode, response.headers);
  for await (const chunk of response.body as Readable) {
    // Until the operating system has it: the connection may break right after.
    await new Promise((resolve) => outgoing.write(chunk, resolve));
  }
  outgoing.end();
}
