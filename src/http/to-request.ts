import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { HttpEventV2 } from './event.ts';

/**
 * The Fetch request of an event.
 *
 * @param path where it is for; the event's, without what the gateway puts before it.
 * @returns undefined where the client sent what is no request: a header that no header can be, a method that Fetch forbids.
 * @throws InvalidInputError where it is no event of payload format 2.0: that is how the function was set up.
 */
export function toRequest(event: HttpEventV2, path: string): Request | undefined {
  try {
    return new Request(urlOf(event, path), {
      method: event.requestContext.http.method,
      headers: headersOf(event),
      body: bodyOf(event),
    });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * Makes sure that everything that is read of an event is there. What fails afterwards is the client's doing.
 *
 * @throws InvalidInputError where it is no event of payload format 2.0.
 */
export function checkEvent(event: HttpEventV2): void {
  if (event?.version !== '2.0') throw noEvent('this is no HTTP event of payload format 2.0', 'event');
  const { rawPath, rawQueryString, requestContext, headers, cookies, body, isBase64Encoded } = event;
  const texts = {
    ...{ rawPath, rawQueryString, 'requestContext.domainName': requestContext?.domainName },
    ...{ 'requestContext.stage': requestContext?.stage },
    'requestContext.http.method': requestContext?.http?.method,
  };
  for (const [name, value] of Object.entries(texts))
    if (typeof value !== 'string') throw lacks(name, 'text', value);
  if (!URL.canParse(`https://${requestContext.domainName}`)) {
    throw noEvent(`${describe(requestContext.domainName)} is no domain`, 'event.requestContext.domainName');
  }
  if (typeof headers !== 'object' || headers === null) throw lacks('headers', 'object', headers);
  if (cookies !== undefined && !Array.isArray(cookies)) throw lacks('cookies', 'list', cookies);
  if (body !== undefined && typeof body !== 'string') throw lacks('body', 'text', body);
  if (typeof isBase64Encoded !== 'boolean') throw lacks('isBase64Encoded', 'boolean', isBase64Encoded);
}

function lacks(name: string, wanted: string, value: unknown): InvalidInputError {
  return noEvent(
    `${describe(value)} is no ${wanted}, so this is no HTTP event of payload format 2.0`,
    `event.${name}`,
  );
}

function noEvent(problem: string, path: string): InvalidInputError {
  return new InvalidInputError(
    path,
    problem,
    'Use an HTTP API (not a REST API) with payload format 2.0, or a function URL.',
  );
}

// What a URL would resolve: the handler would see another path than the one that the gateway has routed and authorised.
const resolved = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)|\\/i;

function urlOf({ requestContext, rawQueryString }: HttpEventV2, path: string): URL {
  if (resolved.test(path)) throw new TypeError(`${path} is resolved to another path`);
  const url = new URL(`https://${requestContext.domainName}`);
  // Assigned, and not parsed: a ? that was escaped in the path does not begin a query, nor do two slashes a host.
  url.pathname = path;
  url.search = rawQueryString;
  return url;
}

function headersOf({ headers, cookies }: HttpEventV2): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) all.append(name, value);
  if (cookies !== undefined && cookies.length > 0) all.set('cookie', cookies.join('; '));
  return all;
}

function bodyOf({ requestContext, body, isBase64Encoded }: HttpEventV2): Buffer | string | null {
  // Fetch knows no body of a GET, and who sends one means nothing by it.
  if (body === undefined || /^(GET|HEAD)$/i.test(requestContext.http.method)) return null;
  return isBase64Encoded ? Buffer.from(body, 'base64') : body;
}
