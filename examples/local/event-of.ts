import type { IncomingMessage } from 'node:http';
import type { HttpEventV2 } from 'dynamodb-fenced/http';
import type { Route } from './routes-of.ts';

/** Who every request counts as: nobody is asked for a token here. */
export const localSubject = 'local';

/** Where a request goes, in the parts that an event has. */
export interface Target {
  /** With its escapes, as the client sent it. */
  readonly path: string;
  /** Without what `%` escapes, which is how HTTP APIs give it to functions. */
  readonly decodedPath: string;
  readonly query: string;
}

/** The parts of a request's target; undefined where its escapes stand for no text. */
export function targetOf({ url = '/' }: IncomingMessage): Target | undefined {
  // A client that takes this for a proxy sends the whole URL.
  const [path, query = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split(/\?(.*)/s);
  try {
    return { path: path || '/', decodedPath: decodeURIComponent(path || '/'), query };
  } catch {
    return undefined;
  }
}

/** The event that an HTTP API makes of a request, payload format 2.0. */
export function eventOf(
  { method = 'GET', headers, headersDistinct }: IncomingMessage,
  { key, scopes }: Route,
  { decodedPath, query }: Target,
  body: Buffer,
): HttpEventV2 {
  const { cookie, ...rest } = headersDistinct;
  const jwt = { claims: { sub: localSubject, scope: scopes.join(' ') }, scopes };
  const requestContext = {
    ...{ domainName: headers.host ?? 'localhost', stage: '$default', routeKey: key, authorizer: { jwt } },
    http: { method, path: decodedPath },
  };
  return {
    version: '2.0',
    ...{ routeKey: key, rawPath: decodedPath, rawQueryString: query, requestContext },
    ...(cookie && { cookies: cookie.flatMap((line) => line.split('; ')) }),
    headers: Object.fromEntries(Object.entries(rest).map(([name, lines]) => [name, lines?.join(',')])),
    ...(body.length > 0 && { body: body.toString('base64') }),
    isBase64Encoded: body.length > 0,
  };
}
