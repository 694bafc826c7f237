import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResultV2 } from 'dynamodb-fenced/http';

/** For how long what is still sent is read and dropped, in ms. */
const LINGER_MS = 1_000;

/**
 * Sends what a function returned.
 *
 * @throws where it is no response: with nothing sent.
 */
export function send(response: ServerResponse, result: HttpResultV2): void {
  const { statusCode, headers, cookies, body, isBase64Encoded } = result;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  response.writeHead(statusCode, { ...headers, ...(cookies.length > 0 && { 'set-cookie': cookies }) });
  response.end(bytes);
}

/** Sends what the gateway says by itself, whether or not the client has said all that it wants to. */
export async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  statusCode: number,
  message: string,
): Promise<void> {
  const body = Buffer.from(JSON.stringify({ message }));
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  if (!hasMore(request)) {
    response.writeHead(statusCode, headers).end(body);
    return;
  }
  // A connection that is closed while the client is sending is reset, and the answer may be lost with it.
  response.writeHead(statusCode, { ...headers, connection: 'close' }).write(body);
  request.on('error', () => {}).resume();
  await once(request, 'close', { signal: AbortSignal.timeout(LINGER_MS) }).catch(() => {});
  response.end();
}

/** Whether there is a body of which not all has arrived. */
function hasMore({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] ?? headers['content-length'] ?? '0') !== '0';
}
