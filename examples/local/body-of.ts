import type { IncomingMessage } from 'node:http';

// What HTTP APIs take: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
const LARGEST_BODY = 10 * 1024 * 1024;

/**
 * The body of a request.
 *
 * @param begin is called before the first byte is read, where it is not known already that there are too many.
 * @returns `too-large` as soon as that is certain, with the rest unread; `gone` where the client has left in the middle of it.
 */
export async function bodyOf(
  request: IncomingMessage,
  begin: () => void,
): Promise<Buffer | 'too-large' | 'gone'> {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) return 'too-large';
  begin();
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Not destroyed on the way out: the connection is needed for the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > LARGEST_BODY) return 'too-large';
      chunks.push(chunk);
    }
  } catch {
    return 'gone';
  }
  return Buffer.concat(chunks);
}
