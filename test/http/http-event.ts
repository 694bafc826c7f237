import type { HttpEventV2 } from '../../src/http/index.ts';

/** An event as a function URL sends it, for a Fetch request; as API Gateway does, if one is given. */
export async function httpEvent(
  request: Request,
  gateway?: { readonly stage: string; readonly domainName: string },
): Promise<HttpEventV2> {
  const { stage, domainName } = gateway ?? { stage: '$default', domainName: 'x.test' };
  const { pathname, search } = new URL(request.url);
  const bytes = Buffer.from(await request.arrayBuffer());
  const { cookie, ...headers } = Object.fromEntries(request.headers);
  const rawPath = gateway === undefined ? pathname : decodeURIComponent(`/${stage}${pathname}`);
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
