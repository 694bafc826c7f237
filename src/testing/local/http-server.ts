import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from './engine.ts';
import { listenError } from './listen-error.ts';

export interface HttpServer {
  /** `http://127.0.0.1:8000`. */
  readonly endpoint: string;
  /** Stops listening and ends every connection, idle or not. */
  close(): Promise<void>;
}

// What DynamoDB itself accepts.
const largestBodyBytes = 16 * 1024 * 1024;

/**
 * Serves an engine over HTTP.
 *
 * @throws where it cannot listen there.
 */
export async function serveHttp(
  engine: Engine,
  address: { host: string; port: number },
): Promise<HttpServer> {
  // To Node it is every address there is, and this server is for nobody outside this machine unless told so.
  if (address.host === '')
    throw new Error('The host is empty. Name an address, or leave it out for 127.0.0.1.');
  const server = createServer((request, response) => {
    void answer(engine, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => {
      server.off('error', reject);
      resolve();
    });
  }).catch((error: unknown) => {
    throw listenError(address, error);
  });
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return {
    endpoint: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(engine: Engine, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('x-amzn-requestid', randomUUID());
  if (request.method === 'GET') {
    // Load balancers and start scripts ask AWS the same way.
    response.end('healthy: dynamodb.us-east-1.amazonaws.com ');
    return;
  }
  const body = await readBody(request);
  if (body === undefined) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const target = request.headers['x-amz-target'];
  const reply = await engine.answer(typeof target === 'string' ? target : undefined, body);
  response.writeHead(reply.statusCode, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(reply.body),
  });
  response.end(reply.body);
}

/**
 * The whole body; undefined where it is too large. Where the client goes away in the middle it never settles:
 * nobody waits for it, and nothing is done.
 */
function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > largestBodyBytes) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
  });
}
