import { isUtf8 } from 'node:buffer';
import type { HttpResultV2 } from './event.ts';

// A string is sent as UTF-8. Everything else goes as base64, or its bytes would change: also a text that is not in UTF-8,
// whatever its charset, if it names one, says.
const textual =
  /^(text\/[^;]+|application\/(json|xml|javascript|x-www-form-urlencoded)|[\w.-]+\/[\w.-]+\+(json|xml))\s*(;|$)/i;
const otherCharset = /;\s*charset\s*=\s*"?(?!utf-8\b)/i;

/** The result that a gateway makes the response of. Reads the body. */
export async function toResult(response: Response): Promise<HttpResultV2> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const isText = bytes.length === 0 || (isTextual(response.headers) && isUtf8(bytes));
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== 'set-cookie'));
  return {
    statusCode: response.status,
    headers,
    cookies: response.headers.getSetCookie(),
    body: bytes.toString(isText ? 'utf8' : 'base64'),
    isBase64Encoded: !isText,
  };
}

function isTextual(headers: Headers): boolean {
  const type = headers.get('Content-Type');
  if (headers.has('Content-Encoding') || type === null) return false;
  return textual.test(type) && !otherCharset.test(type);
}
