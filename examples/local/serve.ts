import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer, type LocalApi } from './gateway.ts';

/** A server that runs. */
export interface LocalServer {
  readonly url: string;
  /** Answers the requests that run, and takes no others. */
  stop(): Promise<void>;
}

// What HTTP APIs take: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
const LARGEST_HEADERS = 10_240;

/** Requests that run are answered, if they take no longer than this, in ms; then there is nobody any more. */
const LAST_ANSWER_MS = 2_000;

/**
 * Serves APIs on the loopback of this machine.
 *
 * @param port 0 for a free one.
 * @throws where the port is taken.
 */
export async function serve(apis: readonly LocalApi[], port: number): Promise<LocalServer> {
  const server = createServer({ maxHeaderSize: LARGEST_HEADERS });
  const running = new Set<ServerResponse>();
  const respond = (request: IncomingMessage, response: ServerResponse, begin?: () => void) => {
    running.add(response);
    response.once('close', () => running.delete(response));
    void answer(apis, request, response, begin);
  };
  server.on('request', (request, response) => respond(request, response));
  // A client that asks before it sends is told to go on only where its body is wanted.
  server.on('checkContinue', (request, response) => {
    respond(request, response, () => response.writeContinue());
  });
  await listen(server, port);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, stop: () => stop(server, running) };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isTaken = code === 'EADDRINUSE';
    const what = isTaken ? 'is taken. Take another one, or 0 for a free one' : `cannot be had: ${message}`;
    throw new Error(`Port ${port} ${what}.`, { cause });
  }
}

async function stop(server: Server, running: Iterable<ServerResponse>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection that is kept for more requests would be waited for.
  for (const response of running) if (!response.headersSent) response.setHeader('connection', 'close');
  const timer = setTimeout(() => server.closeAllConnections(), LAST_ANSWER_MS);
  await closed;
  clearTimeout(timer);
}
