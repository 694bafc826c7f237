// What API Gateway does before a function, for requests of this machine.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpEventV2, HttpLambda, HttpResultV2 } from 'dynamodb-fenced/http';
import type { Route } from './routes-of.ts';

/** Routes, and what answers them. */
export interface LocalApi {
  readonly routes: readonly Route[];
  readonly handler: HttpLambda;
}

/** Who every request counts as: nobody is asked for a token here. */
export const localSubject = 'local';

// What HTTP APIs take: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
const LARGEST_BODY = 10 * 1024 * 1024;

/**
 * Serves APIs on the loopback of this machine.
 *
 * @param port 0 for a free one.
 * @returns the server, and its URL.
 * @throws where the port is taken.
 */
export async function serve(
  apis: readonly LocalApi[],
  port: number,
): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => void answer(apis, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const what = isTaken
        ? 'is taken. Take another one, or 0 for a free one'
        : `cannot be had: ${error.message}`;
      reject(new Error(`Port ${port} ${what}.`, { cause: error }));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Requests that run are answered, if they take no longer than this, in ms; then there is nobody any more. */
const LAST_ANSWER_MS = 2_000;

export async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), LAST_ANSWER_MS);
  await closed;
  clearTimeout(timer);
}

async function answer(
  apis: readonly LocalApi[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const { statusCode, headers, cookies, body, isBase64Encoded } = await result(apis, request);
    response.writeHead(statusCode, { ...headers, ...(cookies.length > 0 && { 'set-cookie': cookies }) });
    response.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
  } catch (error) {
    // In Lambda the runtime logs it, and the gateway shows no more than this.
    console.error(error);
    response.writeHead(500, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message: 'Internal Server Error' }));
  }
}

async function result(apis: readonly LocalApi[], request: IncomingMessage): Promise<HttpResultV2> {
  const { method = 'GET', url = '/' } = request;
  const [path = '/', query = ''] = url.split(/\?(.*)/s);
  const body = await bodyOf(request);
  if (body === undefined) return refused(413, 'Request Entity Too Large');
  for (const { routes, handler } of apis) {
    const route = routes.find(({ matches }) => matches(method, path));
    if (route !== undefined) return handler(eventOf(request, route, { path, query, body }), {});
  }
  return refused(404, 'Not Found');
}

function refused(statusCode: number, message: string): HttpResultV2 {
  const headers = { 'content-type': 'application/json' };
  return { statusCode, headers, cookies: [], body: JSON.stringify({ message }), isBase64Encoded: false };
}

/** Undefined where it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= LARGEST_BODY) chunks.push(chunk);
  }
  return bytes <= LARGEST_BODY ? Buffer.concat(chunks) : undefined;
}

function eventOf(
  { method = 'GET', headers, headersDistinct }: IncomingMessage,
  { key, scopes }: Route,
  { path, query, body }: { readonly path: string; readonly query: string; readonly body: Buffer },
): HttpEventV2 {
  const { cookie, ...rest } = headersDistinct;
  const jwt = { claims: { sub: localSubject, scope: scopes.join(' ') }, scopes };
  const requestContext = {
    ...{ domainName: headers.host ?? 'localhost', stage: '$default', routeKey: key, authorizer: { jwt } },
    http: { method, path },
  };
  return {
    version: '2.0',
    ...{ routeKey: key, rawPath: path, rawQueryString: query, requestContext },
    ...(cookie && { cookies: cookie.flatMap((line) => line.split('; ')) }),
    headers: Object.fromEntries(Object.entries(rest).map(([name, lines]) => [name, lines?.join(',')])),
    ...(body.length > 0 && { body: body.toString('base64') }),
    isBase64Encoded: body.length > 0,
  };
}
