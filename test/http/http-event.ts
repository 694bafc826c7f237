import type { HttpEventV2 } from '../../src/http/index.ts';

/** An event as API Gateway and function URLs send it, for a Fetch request. */
export async function httpEvent(
  request: Request,
  {
    stage = '$default',
    domainName = 'x.test',
  }: { readonly stage?: string; readonly domainName?: string } = {},
): Promise<HttpEventV2> {
  const { pathname, search } = new URL(request.url);
  const bytes = Buffer.from(await request.arrayBuffer());
  const { cookie, ...headers } = Object.fromEntries(request.headers);
  const rawPath = stage === '$default' ? pathname : `/${stage}${pathname}`;
  return {
    version: '2.0',
    rawPath,
    rawQueryString: search.slice(1),
    ...(cookie === undefined ? {} : { cookies: cookie.split('; ') }),
    headers: { ...headers, host: domainName },
    requestContext: { domainName, stage, http: { method: request.method } },
    // Neither says how the client has sent it: what is no text goes as base64.
    ...(bytes.length === 0 ? {} : { body: bytes.toString('base64') }),
    isBase64Encoded: bytes.length > 0,
  };
}
