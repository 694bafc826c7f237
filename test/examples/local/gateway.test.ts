import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Route } from '../../../examples/local/routes-of.ts';
import { type LocalServer, serve } from '../../../examples/local/serve.ts';
import type { HttpEventV2, HttpResultV2 } from '../../../src/http/index.ts';
import { firstSaid, request, said, statuses } from './raw-client.ts';

const LARGEST_BODY = 10 * 1024 * 1024;

/** What the function is given, and what it returns. */
let events: HttpEventV2[];
let result: unknown;
let server: LocalServer;

const route = (key: string): Route => ({
  ...{ key, scopes: ['read'] },
  matches: (method, path) => `${method} ${path}` === key || `${method} /{any}` === key,
});
const ok = { statusCode: 200, headers: {}, cookies: [], body: 'ok', isBase64Encoded: false };

beforeAll(async () => {
  const handler = async (event: HttpEventV2) => {
    events.push(event);
    if (result instanceof Error) throw result;
    return result as HttpResultV2;
  };
  const routes = [route('GET /{any}'), route('POST /things')];
  server = await serve([{ routes, handler }], 0);
});
beforeEach(() => {
  events = [];
  result = ok;
});
afterAll(() => server.stop());

const post = (headers: readonly string[], body = '') => request('POST /things', headers, body);
const answered = async (...pieces: readonly (string | Uint8Array)[]) =>
  statuses(await said(server.url, ...pieces));
const answeredFirst = async (...pieces: readonly (string | Uint8Array)[]) =>
  statuses(await firstSaid(server.url, ...pieces));

/** What goes to the console is kept from it, and counted. */
function errors() {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => spy.mockRestore());
  return spy.mock.calls;
}

describe('a body that is larger than HTTP APIs take', () => {
  const large = Buffer.alloc(LARGEST_BODY + 1);
  const chunked = ['Transfer-Encoding: chunked'];

  it.each<[string, string, Uint8Array | string]>([
    ['before it is sent', post([`Content-Length: ${large.length}`]), ''],
    ['though all of it is sent', post([`Content-Length: ${large.length}`]), large],
    ['in the middle, where it has no end', post(chunked, 'fffffff\r\n'), large],
  ])('is refused %s', async (_, head, body) => {
    expect(await answeredFirst(head, body)).toEqual([413]);
    expect(events).toEqual([]);
  });

  it('is not waited for, where the client does not end it either', async () => {
    expect(await answered(post(chunked, 'fffffff\r\n'), large)).toEqual([413]);
  });

  it('is not asked for', async () => {
    const asking = (bytes: number) => post(['Expect: 100-continue', `Content-Length: ${bytes}`]);
    expect(await answeredFirst(asking(large.length))).toEqual([413]);
    expect(await answered(asking(2), '{}')).toEqual([100, 200]);
  });

  it('is read up to the last byte that is allowed', async () => {
    expect(await answered(post([`Content-Length: ${LARGEST_BODY}`]), large.subarray(1))).toEqual([200]);
    expect(Buffer.from(events[0]?.body ?? '', 'base64')).toHaveLength(LARGEST_BODY);
  });
});

it('who asks for what is not there is told so, however much they have to say', async () => {
  expect(await answeredFirst(request('POST /nothing', ['Content-Length: 1000'], 'a'))).toEqual([404]);
});

it('a client that leaves in the middle of its body is no error', async () => {
  const written = errors();
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(post(['Content-Length: 100'], 'a'));
  await once(socket, 'connect');
  // The next one is served only after that.
  await answered(request('GET /a'));
  socket.destroy();
  await once(socket, 'close');
  expect(await answered(request('GET /a'))).toEqual([200]);
  expect(written).toEqual([]);
});

it.each<[string, unknown]>([
  ['throws', new Error('a mistake')],
  ['returns nothing', undefined],
  ['returns no body', { ...ok, body: undefined }],
  ['returns a header of two lines', { ...ok, headers: { a: 'b\r\nc: d' } }],
  ['returns a status that there is not', { ...ok, statusCode: 1 }],
])('a function that %s is answered for, and told of', async (_, returned) => {
  const written = errors();
  result = returned;
  expect(await answered(request('GET /a'))).toEqual([500]);
  expect(written).toHaveLength(1);
  result = ok;
  expect(await answered(request('GET /a'))).toEqual([200]);
});

describe('where a request goes', () => {
  it.each<[string, string, number, string?]>([
    ['a path', '/a', 200, '/a'],
    ['escapes', '/%61%2Fb%20c', 200, '/a/b c'],
    ['an escaped escape', '/%2561', 200, '/%61'],
    ['escapes that are none', '/%zz', 400],
    ['escapes of no text', '/%ff', 400],
    ['a whole URL', 'http://localhost/a?b=c', 200, '/a'],
    ['a whole URL without a path', 'http://localhost?b', 200, '/'],
    ['two slashes', '//a', 200, '//a'],
    ['another method', '/a', 404],
  ])('%s', async (what, target, status, rawPath) => {
    const method = what === 'another method' ? 'OPTIONS' : 'GET';
    expect(await answered(request(`${method} ${target}`))).toEqual([status]);
    expect(events.map((event) => event.rawPath)).toEqual(rawPath === undefined ? [] : [rawPath]);
  });

  it('a query stays as it is', async () => {
    await answered(request('GET /a?b=1&b=2&__proto__=%20?'));
    expect(events).toMatchObject([{ rawQueryString: 'b=1&b=2&__proto__=%20?' }]);
  });

  it('several at once are answered in their order', async () => {
    const first = request('GET /a').replace('Connection: close\r\n', '');
    expect(await answered(`${first}${request('OPTIONS /a')}`)).toEqual([200, 404]);
  });
});

describe('whom a request is for', () => {
  const to = (...hosts: readonly string[]) =>
    ['GET /a HTTP/1.1', 'Connection: close', ...hosts.map((host) => `Host: ${host}`), '', ''].join('\r\n');

  it.each([
    ['127.0.0.1:3000', 200],
    ['localhost', 200],
    ['bank.localhost:3000', 200],
    ['example.com', 403],
    ['localhost.example.com', 403],
    ['127.0.0.1.example.com:3000', 403],
    ['a b@localhost', 403],
    ['', 403],
  ])('%s: %d', async (host, status) => {
    expect(await answered(to(host))).toEqual([status]);
  });

  it('is for one', async () => {
    expect(await answered(to('localhost', 'example.com'))).toEqual([400]);
    expect(await answered(to())).toEqual([400]);
  });
});

describe('headers', () => {
  it('are joined by their names, cookies apart, and nothing comes of those that JavaScript knows', async () => {
    const lines = ['A: 1', 'a: 2', 'Cookie: b=1; c=2', 'Cookie: d=3', '__proto__: e', 'constructor: f'];
    await answered(request('GET /a', lines));
    const [event] = events;
    expect(event?.cookies).toEqual(['b=1', 'c=2', 'd=3']);
    expect(Object.entries(event?.headers ?? {})).toEqual([
      ['host', 'localhost'],
      ['connection', 'close'],
      ['a', '1,2'],
      ['__proto__', 'e'],
      ['constructor', 'f'],
    ]);
  });

  it('may be as large as HTTP APIs take', async () => {
    expect(await answered(request('GET /a', [`a: ${'b'.repeat(9_000)}`]))).toEqual([200]);
    expect(await answered(request('GET /a', [`a: ${'b'.repeat(11_000)}`]))).toEqual([431]);
  });
});

it('one that is stopped answers what runs, and waits for nobody else', async () => {
  let finish: (returned: HttpResultV2) => void = () => {};
  const running = new Promise<HttpResultV2>((resolve) => {
    finish = resolve;
  });
  let begun: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const handler = async () => {
    begun();
    return running;
  };
  const own = await serve([{ routes: [route('GET /{any}')], handler }], 0);
  const answer = said(own.url, request('GET /a').replace('close', 'keep-alive'));
  await asked;
  const stopped = own.stop();
  finish({ ...ok, headers: {} });
  expect(statuses(await answer)).toEqual([200]);
  await stopped;
});
