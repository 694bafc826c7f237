import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/fence/clock.ts';
import { within } from '../../src/fence/within.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { etcdTokenSource } from '../../src/lease/sources/etcd.ts';

type Answer = readonly [status: number, body: unknown];

/** In turn; the last one again and again. */
type Answers = Answer | { readonly inTurn: readonly Answer[] };

/** Answers that no etcd gives, or only one in trouble: what stands between may give any. */
describe('the etcd source meets answers', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  const heard: IncomingMessage[] = [];
  const answering = async (
    answers: Readonly<Record<string, Answers>>,
    authorization: (refused?: string) => string | Promise<string> = () => 'secret-token',
  ) => {
    heard.length = 0;
    server = createServer((request, response) => {
      heard.push(request);
      const given = answers[request.url ?? ''] ?? [404, 'Not Found'];
      const turn = heard.filter(({ url }) => url === request.url).length - 1;
      const [status, body] = 'inTurn' in given ? (given.inTurn[turn] ?? given.inTurn.at(-1)!) : given;
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const endpoints = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return etcdTokenSource({ endpoints, authorization });
  };
  const acquire = (source: ReturnType<typeof etcdTokenSource>) =>
    within(systemClock, undefined, (deadline) =>
      source.acquire({ resource: 'r', holder: 'a', ttlMs: 1_000, above: 0 }, deadline),
    );

  const lease: Answer = [200, { ID: '5', TTL: '1' }];
  const refusal = (status: number, code: number, message: string): Answer => [
    status,
    { error: message, message, code },
  ];
  const offset = { response_range: {} };
  const free: Answer = [200, { header: { revision: '6' }, responses: Array(6).fill(offset) }];
  /** What an acquire sends to look, and then to take what is free. */
  const found = (...answers: readonly Answer[]): Answers => ({ inTurn: [free, ...answers] });
  const granted = { header: { revision: '7' }, succeeded: true, responses: [offset, {}, {}, {}, {}] };

  it('that are right', async () => {
    const source = await answering({ '/v3/lease/grant': lease, '/v3/kv/txn': found([200, granted]) });
    expect(await acquire(source)).toMatchObject({ is: 'granted', token: 7, recovered: false });
    expect(heard.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('secret-token'));
  });

  it('over one connection, and leave nothing at it', async () => {
    const warnings: string[] = [];
    const hear = ({ name }: Error) => warnings.push(name);
    process.on('warning', hear);
    const source = await answering({ '/v3/lease/grant': lease, '/v3/kv/txn': [200, granted] });
    for (let call = 0; call < 12; call++) await acquire(source);
    // Node warns with its next turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', hear);
    expect(new Set(heard.map(({ socket }) => socket.remotePort)).size).toBe(1);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['a number for an integer of 64 bits, which may be rounded', { ...granted, header: { revision: 7 } }],
    ['a fraction', { ...granted, header: { revision: '7.5' } }],
    ['hexadecimal', { ...granted, header: { revision: '0x7' } }],
    ['more digits than 64 bits have', { ...granted, header: { revision: '12345678901234567890123' } }],
    ['no header', { ...granted, header: undefined }],
    ['a text for a truth', { ...granted, succeeded: 'true' }],
    ['fewer answers than questions', { ...granted, responses: [offset] }],
    [
      'an offset that is no base64',
      { ...granted, responses: [{ response_range: { kvs: [{ value: '%' }] } }, 1, 1, 1, 1] },
    ],
    ['a list', []],
    ['no JSON', 'granted'],
  ])('%s: no token comes of it, and the outcome is unknown', async (_, body) => {
    const source = await answering({ '/v3/lease/grant': lease, '/v3/kv/txn': found([200, body]) });
    expect(await acquire(source)).toMatchObject({
      is: 'undecided',
      applied: 'unknown',
      error: { name: 'EtcdError' },
    });
  });

  it('of a revision beyond 2^53: they are refused with its digits, and taken back', async () => {
    const undone = { ...granted, responses: [{}, {}, {}] };
    const huge = { ...granted, header: { revision: '9007199254740993' } };
    const source = await answering({
      '/v3/lease/grant': lease,
      '/v3/kv/txn': found([200, huge], [200, undone]),
    });
    const refused = {
      code: 'token-exhausted',
      cause: { message: expect.stringContaining('9007199254740993') },
    };
    await expect(acquire(source)).rejects.toMatchObject(refused);
    expect(heard).toHaveLength(4);
  });

  it.each([
    ['too many requests', refusal(429, 8, 'etcdserver: too many requests'), 'no'],
    ['no leader', refusal(503, 14, 'etcdserver: no leader'), 'no'],
    ['a request that timed out', refusal(503, 14, 'etcdserver: request timed out'), 'unknown'],
    ['a proxy without etcd', [502, '<html>Bad Gateway</html>'] as Answer, 'unknown'],
  ])('for now, %s: an outage, in which %s', async (_, answer, applied) => {
    const source = await answering({ '/v3/lease/grant': lease, '/v3/kv/txn': found(answer) });
    expect(await acquire(source)).toMatchObject({ is: 'undecided', applied });
    const early = await answering({ '/v3/kv/txn': free, '/v3/lease/grant': answer });
    expect(await acquire(early)).toMatchObject({ is: 'undecided', applied: 'no' });
    const first = await answering({ '/v3/kv/txn': answer });
    expect(await acquire(first)).toMatchObject({ is: 'undecided', applied: 'no' });
  });

  it.each([
    ['permission denied', refusal(403, 7, 'etcdserver: permission denied')],
    ['a token that is none', refusal(401, 16, 'etcdserver: invalid auth token')],
    ['another service', [404, 'Not Found'] as Answer],
  ])('for good, %s: thrown as it is, without what proves who asked', async (_, answer) => {
    const source = await answering({ '/v3/kv/txn': free, '/v3/lease/grant': answer });
    const thrown = await acquire(source).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ name: 'EtcdError' });
    expect(JSON.stringify(thrown) + String((thrown as Error).stack)).not.toContain('secret');
  });

  describe('that what proves who asks is no good any more', () => {
    const oldRevision = refusal(400, 3, 'etcdserver: revision of auth store is old');
    const refused = [
      ['it has expired', refusal(401, 16, 'etcdserver: invalid auth token')],
      ['a user was added', oldRevision],
      ['a user was added just now', refusal(500, 2, 'auth: revision in header is old')],
    ] as const;
    let given: (string | undefined)[];
    const authorize = (before?: string) => {
      given.push(before);
      return before === undefined ? 'old-secret' : 'new-secret';
    };
    beforeEach(() => {
      given = [];
    });

    it.each(refused)('as %s: it is asked for anew, once', async (_, answer) => {
      const txn = found(answer, [200, granted]);
      const source = await answering({ '/v3/lease/grant': lease, '/v3/kv/txn': txn }, authorize);
      expect(await acquire(source)).toMatchObject({ is: 'granted', token: 7 });
      expect(given).toEqual([undefined, undefined, undefined, 'old-secret']);
      expect(heard.at(-1)?.headers.authorization).toBe('new-secret');
    });

    it('nor the next one: that is for good, unless users are being changed', async () => {
      const source = await answering({ '/v3/kv/txn': refused[0][1] }, authorize);
      await expect(acquire(source)).rejects.toThrow('invalid auth token');
      expect(given).toEqual([undefined, 'old-secret']);
      const changing = await answering({ '/v3/kv/txn': oldRevision }, authorize);
      expect(await acquire(changing)).toMatchObject({ is: 'undecided', applied: 'no' });
    });

    it.each<[string, () => string | Promise<string>]>([
      ['cannot be made', () => Promise.reject(new Error('no secret here'))],
      ['does not come in time', () => new Promise(() => {})],
    ])('and %s: nothing was sent', async (_, never) => {
      const source = await answering({}, never);
      const released = within(systemClock, { timeoutMs: 50 }, (deadline) =>
        source.release({ resource: 'r', holder: 'a', token: undefined }, deadline),
      );
      expect(await released).toMatchObject({ is: 'undecided', applied: 'no' });
      expect(heard).toEqual([]);
    });
  });

  it('of a stream, which refuses with 200: it is no renewal', async () => {
    const error = { grpc_code: 14, http_code: 503, message: 'etcdserver: no leader' };
    const source = await answering({ '/v3/lease/keepalive': [200, { error }] });
    const grant = { resource: 'r', holder: 'a', token: 7 as never, ttlMs: 1_000 };
    const renewed = within(systemClock, undefined, (deadline) => source.renew(grant, deadline));
    expect(await renewed).toMatchObject({ is: 'undecided', applied: 'no', error: { grpcCode: 14 } });
  });

  it('that end a watch: the lease goes on, and it is asked again', async () => {
    const source = await answering({
      '/v3/kv/txn': [200, { header: { revision: '7' }, responses: Array(6).fill(offset) }],
    });
    const grant = { resource: 'r', holder: 'a', token: 7 as never };
    expect(await source.whenGone(grant, new AbortController().signal)).toEqual({ is: 'lost' });
    const watched = await answering({
      '/v3/kv/txn': [200, { header: { revision: '7' }, responses: standing }],
      '/v3/watch': [200, `${JSON.stringify({ result: { canceled: true } })}\n`],
    });
    await expect(watched.whenGone(grant, new AbortController().signal)).rejects.toThrow('ended the watch');
    const silent = await answering({
      '/v3/kv/txn': [200, { header: { revision: '7' }, responses: standing }],
      '/v3/watch': [200, ''],
    });
    await expect(silent.whenGone(grant, new AbortController().signal)).rejects.toThrow('broken off');
  });

  it('that never come: the call ends in time', async () => {
    server = createServer(() => {});
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const endpoints = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const leases = new LeaseManager({ source: etcdTokenSource({ endpoints }), ttlMs: 1_000 });
    await expect(leases.acquire('r', { timeoutMs: 50 })).rejects.toMatchObject({ code: 'unavailable' });
  });
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const kept = (value: string) => ({
  response_range: { kvs: [{ value: base64(value), mod_revision: '7', create_revision: '7' }] },
});
const none = { response_range: {} };
const standing = [kept('a'), kept('0000000000000001'), none, kept(''), none, none];
