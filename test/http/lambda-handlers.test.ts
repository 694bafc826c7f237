import { describe, expect, it } from 'vitest';
import { apiGatewayV2, functionUrl, type HttpEventV2, type HttpLambda } from '../../src/http/index.ts';
import { httpEvent } from './http-event.ts';

const event: HttpEventV2 = {
  version: '2.0',
  rawPath: '/a',
  rawQueryString: '',
  headers: {},
  requestContext: { domainName: 'x.test', stage: '$default', http: { method: 'GET' } },
  isBase64Encoded: false,
};
const withMethod = (method: string) => ({ ...event.requestContext, http: { method } });

/** What the handler was asked. */
async function asked(make: typeof functionUrl, changes: Partial<HttpEventV2>): Promise<Request> {
  let seen: Request | undefined;
  const lambda = make((request) => {
    seen = request;
    return new Response('ok');
  });
  await lambda({ ...event, ...changes }, {});
  if (seen === undefined) throw new Error('not asked');
  return seen;
}

/** What Lambda is answered. */
function answered(response: Response) {
  return functionUrl(() => response)(event, {});
}

describe.each([
  ['an API Gateway HTTP API', apiGatewayV2],
  ['a function URL', functionUrl],
])('%s', (_, make) => {
  it('asks with the method, the path, the query, headers and cookies', async () => {
    const request = await asked(make, {
      rawPath: make === functionUrl ? '/slots/room%201' : '/slots/room 1',
      rawQueryString: 'day=2026-03-02&day=2026-03-03&q=%2F',
      headers: { 'if-match': '"1", "2"', absent: undefined },
      cookies: ['a=1', 'b=2'],
    });
    expect(request.url).toBe('https://x.test/slots/room%201?day=2026-03-02&day=2026-03-03&q=%2F');
    expect(request.headers.get('If-Match')).toBe('"1", "2"');
    expect(request.headers.get('Cookie')).toBe('a=1; b=2');
    expect(request.headers.has('absent')).toBe(false);
  });

  it('gives bodies as they were, of text and of bytes', async () => {
    const requestContext = withMethod('POST');
    const text = await asked(make, { requestContext, body: 'é' });
    expect(await text.text()).toBe('é');
    const bytes = new Uint8Array([0, 255, 128, 10]);
    const body = Buffer.from(bytes).toString('base64');
    const binary = await asked(make, { requestContext, body, isBase64Encoded: true });
    expect(new Uint8Array(await binary.arrayBuffer())).toEqual(bytes);
    expect((await asked(make, { body: 'of a GET' })).body).toBeNull();
  });

  it.each([
    ['/a?b', '/a%3Fb'],
    ['/a#b', '/a%23b'],
    ['//evil.test/a', '//evil.test/a'],
    ['/a b', '/a%20b'],
  ])('a path is a path, whatever is in it: %s', async (rawPath, pathname) => {
    const url = new URL((await asked(make, { rawPath })).url);
    expect([url.host, url.pathname, url.search]).toEqual(['x.test', pathname, '']);
  });

  it('says what it was made of', async () => {
    const context = { awsRequestId: 'r1' };
    const lambda: HttpLambda<typeof context> = make((__, origin) => Response.json(origin));
    expect(JSON.parse((await lambda(event, context)).body)).toEqual({ event, context });
  });

  it('answers 400 to what is no request', async () => {
    const lambda = make(() => new Response());
    expect(await lambda({ ...event, headers: { 'a b': '1' } }, {})).toMatchObject({ statusCode: 400 });
    expect(await lambda({ ...event, headers: { a: '\u{1F600}' } }, {})).toMatchObject({ statusCode: 400 });
    const traced = { ...event, requestContext: withMethod('TRACE') };
    expect(await lambda(traced, {})).toMatchObject({ statusCode: 400 });
  });

  it.each(['/public/../admin', '/a\\..\\admin', '/..', '/a/.'])(
    'answers 400 to a path that would become another one: %s',
    async (rawPath) => {
      const lambda = make(() => new Response());
      expect(await lambda({ ...event, rawPath }, {})).toMatchObject({ statusCode: 400 });
    },
  );

  it('keeps a path that only looks like a stage', async () => {
    const requestContext = { ...event.requestContext, domainName: 'x.execute-api.eu-west-1.amazonaws.com' };
    const { url } = await asked(make, { rawPath: '/$default/a', requestContext });
    expect(new URL(url).pathname).toBe('/$default/a');
  });

  it('throws what the handler throws, a TypeError too', async () => {
    const lambda = make(() => {
      throw new TypeError('a mistake');
    });
    await expect(lambda(event, {})).rejects.toThrow('a mistake');
  });

  it('takes no event of another kind', async () => {
    const lambda = make(() => new Response());
    const restApi = { ...event, version: '1.0' };
    await expect(lambda(restApi, {})).rejects.toThrow('payload format 2.0');
    await expect(lambda({ Records: [] } as never, {})).rejects.toThrow('payload format 2.0');
    await expect(lambda(undefined as never, {})).rejects.toThrow('payload format 2.0');
  });

  const context = event.requestContext;
  it.each<[string, object]>([
    ['event.rawPath', { rawPath: undefined }],
    ['event.rawQueryString', { rawQueryString: undefined }],
    ['event.headers', { headers: undefined }],
    ['event.headers', { headers: null }],
    ['event.cookies', { cookies: 'a=1' }],
    ['event.body', { body: { a: 1 } }],
    ['event.isBase64Encoded', { isBase64Encoded: undefined }],
    ['event.requestContext.domainName', { requestContext: { ...context, domainName: undefined } }],
    ['event.requestContext.domainName', { requestContext: { ...context, domainName: 'a b' } }],
    ['event.requestContext.stage', { requestContext: { ...context, stage: undefined } }],
    ['event.requestContext.http.method', { requestContext: { ...context, http: {} } }],
    ['event.requestContext', { requestContext: undefined }],
  ])(
    'takes no event that lacks what is read, and does not lay it to the client: %s',
    async (path, changes) => {
      const lambda = make(() => new Response());
      const wrong = lambda({ ...event, ...changes } as never, {});
      await expect(wrong).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringContaining(`${path}`),
      });
    },
  );

  it('takes no handler that cannot be called', () => {
    expect(() => make(undefined as never)).toThrow('handler: undefined cannot be called');
  });
});

describe('escapes in a path', () => {
  const pathOf = async (make: typeof functionUrl, rawPath: string) =>
    new URL((await asked(make, { rawPath })).url).pathname;

  it.each(['/100%', '/100%25', '/a%2Fb', '/%zz', '/public/%2e%2E/admin', '/é%20'])(
    'are none any more where API Gateway has taken them away: %s',
    async (rawPath) => {
      expect(decodeURIComponent(await pathOf(apiGatewayV2, rawPath))).toBe(rawPath);
    },
  );

  it('stay what they are for a function URL', async () => {
    for (const rawPath of ['/100%25', '/a%2Fb', '/%C3%A9%20'])
      expect(await pathOf(functionUrl, rawPath)).toBe(rawPath);
    const lambda = functionUrl(() => new Response());
    expect(await lambda({ ...event, rawPath: '/public/%2e%2E/admin' }, {})).toMatchObject({
      statusCode: 400,
    });
  });
});

describe('the stage', () => {
  const own = 'abc123.execute-api.eu-central-1.amazonaws.com';
  it.each([
    ['prod', own, '/prod/prod/a', '/prod/a'],
    ['prod', own, '/prod', '/'],
    ['prod', own, '/production/a', '/production/a'],
    ['$default', own, '/prod/a', '/prod/a'],
    ['prod', 'api.example.com', '/prod/a', '/prod/a'],
  ])('%s on %s: %s is for %s', async (stage, domainName, rawPath, pathname) => {
    const requestContext = { ...event.requestContext, stage, domainName };
    expect(new URL((await asked(apiGatewayV2, { rawPath, requestContext })).url).pathname).toBe(pathname);
  });

  it('is none for a function URL', async () => {
    const requestContext = { ...event.requestContext, stage: 'prod', domainName: own };
    expect(new URL((await asked(functionUrl, { rawPath: '/prod/a', requestContext })).url).pathname).toBe(
      '/prod/a',
    );
  });
});

describe('a response', () => {
  it('has status, headers that are joined, cookies that are not, and text', async () => {
    const headers = new Headers({ 'Content-Type': 'application/problem+json', ETag: '"1"' });
    for (const value of ['a', 'b']) headers.append('Vary', value);
    for (const value of ['a=1; Path=/', 'b=2, 3']) headers.append('Set-Cookie', value);
    expect(await answered(new Response('{"é":1}', { status: 412, headers }))).toEqual({
      statusCode: 412,
      headers: { 'content-type': 'application/problem+json', etag: '"1"', vary: 'a, b' },
      cookies: ['a=1; Path=/', 'b=2, 3'],
      body: '{"é":1}',
      isBase64Encoded: false,
    });
  });

  const bytes = new Uint8Array([0, 255, 128, 10]);
  it.each([
    ['image/png', {}],
    ['text/plain; charset=iso-8859-1', {}],
    ['application/json', { 'Content-Encoding': 'gzip' }],
    ['application/jsonish', {}],
    ['text/csv', {}],
    ['text/plain; charset=utf-8', {}],
    ['application/json', {}],
  ])('%s goes as base64', async (type, headers) => {
    const response = new Response(bytes, { headers: { 'Content-Type': type, ...headers } });
    const { body, isBase64Encoded } = await answered(response);
    expect([isBase64Encoded, new Uint8Array(Buffer.from(body, 'base64'))]).toEqual([true, bytes]);
  });

  it.each([
    ...['text/html', 'TEXT/CSV; header=present', 'application/json; charset=UTF-8', 'image/svg+xml'],
    ...['application/xml', 'application/problem+json', 'application/vnd.api+json;v=1'],
  ])('%s goes as text', async (type) => {
    const { body, isBase64Encoded } = await answered(
      new Response('é', { headers: { 'Content-Type': type } }),
    );
    expect([body, isBase64Encoded]).toEqual(['é', false]);
  });

  it('may be empty', async () => {
    const empty = { statusCode: 204, headers: {}, cookies: [], body: '', isBase64Encoded: false };
    expect(await answered(new Response(null, { status: 204 }))).toEqual(empty);
  });
});

it('an event of a request is that request again', async () => {
  const request = new Request('https://x.test/a?b=1', {
    method: 'PUT',
    body: '{"é":1}',
    headers: { cookie: 'a=1; b=2' },
  });
  const again = await asked(functionUrl, await httpEvent(request.clone()));
  expect([again.method, again.url, await again.text()]).toEqual(['PUT', request.url, '{"é":1}']);
  expect(again.headers.get('cookie')).toBe('a=1; b=2');
});
