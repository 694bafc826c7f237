import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LeaseExpiredError, OutcomeUnknownError, UnavailableError } from '../../src/fence/errors.ts';
import { answering, type Problem, problem, respond, respondToError, statusOf } from '../../src/http/index.ts';
import { fence, type RefusalReason, unwrap } from '../../src/index.ts';

const { token } = fence('a', 41);
const lastToken = fence('a', 42).token;
const stamp = {
  resource: 'account/a1',
  token,
  holder: 'fn-1/x',
  lastToken,
  lastHolder: 'fn-2/y',
  applied: 'no',
};
const item = { id: 'a1', secret: 'of another customer' };

const refusals: [RefusalReason, number, object, object][] = [
  ['fenced', 412, stamp, { resource: 'account/a1', presented: 41, current: 42, applied: 'no' }],
  ['token-reused', 412, stamp, { resource: 'account/a1', presented: 41, current: 42, applied: 'no' }],
  ['superseded', 412, { ...stamp, applied: 'unknown' }, { presented: 41, current: 42, applied: 'unknown' }],
  [
    'lost',
    412,
    { resource: 'account/a1', token, holder: 'fn-1/x' },
    { resource: 'account/a1', presented: 41 },
  ],
  ['version', 412, { item, version: '42.1.fn-2/y' }, { etag: '"42.1.fn-2/y"' }],
  ['condition', 409, { item, version: '42.1.fn-2/y' }, { etag: '"42.1.fn-2/y"' }],
  ['exists', 409, { item, version: 'unfenced' }, { etag: 'W/"unfenced"' }],
  ['not-found', 404, {}, {}],
  [
    'held',
    423,
    { resource: 'account/a1', holder: 'fn-2/y', token: lastToken, expiresAtMs: 9, retryAfterMs: 2_001 },
    { resource: 'account/a1', current: 42, retryAfterMs: 2_001 },
  ],
  ['contention', 503, { retryAfterMs: 50 }, { retryAfterMs: 50 }],
];

describe('a refusal', () => {
  it.each(refusals)('%s is %i, and tells why', async (reason, status, result, members) => {
    const response = respond({ ok: false, reason, ...result });
    expect([response.status, statusOf(reason)]).toEqual([status, status]);
    const { type, title, detail, ...body } = (await response.json()) as Problem;
    expect(type).toBe(`urn:dynamodb-fenced:problem:${reason}`);
    expect([title, detail].every((text) => typeof text === 'string' && text !== '')).toBe(true);
    expect(body).toEqual({ status, reason, ...{ resource: body.resource }, ...members });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  it.each(refusals)('%s names no holder and shows nothing of an item', async (reason, _, result) => {
    const text = await respond({ ok: false, reason, ...result }).text();
    expect(text).not.toMatch(/of another customer|fn-1|"holder"|lastHolder/);
  });

  it.each([
    [2_001, '3'],
    [50, '1'],
    [0, '1'],
  ])('in %i ms: Retry-After %s', (retryAfterMs, seconds) => {
    const response = respond({ ok: false, reason: 'contention', retryAfterMs } as const);
    expect(response.headers.get('Retry-After')).toBe(seconds);
  });
});

it('the page on HTTP shows it as it is', async () => {
  const page = readFileSync(new URL('../../docs/http.md', import.meta.url), 'utf8');
  const [, shown = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
  const fenced = { ok: false, reason: 'fenced', ...stamp } as const;
  expect(JSON.parse(shown)).toEqual(await respond(fenced).json());
});

describe('a success', () => {
  it('is the item, with its version as ETag', async () => {
    const response = respond({ ok: true, item: { id: 'a1' }, version: '1.1.é' }, { status: 201 });
    expect(response.status).toBe(201);
    expect(response.headers.get('ETag')).toBe('"1.1.%C3%A9"');
    expect(await response.json()).toEqual({ id: 'a1' });
  });

  it('may be told otherwise, and may have no body', async () => {
    const headers = { ETag: '"mine"', Location: '/a1' };
    const options = { body: ({ item }: { item: { id: string } }) => ({ name: item.id }), headers };
    const response = respond({ ok: true as const, item: { id: 'a1' }, version: '1' }, options);
    expect(await response.json()).toEqual({ name: 'a1' });
    expect([response.headers.get('ETag'), response.headers.get('Location')]).toEqual(['"mine"', '/a1']);
    const empty = respond({ ok: true, token });
    expect([empty.status, empty.body]).toEqual([204, null]);
    expect(await respond({ ok: true, value: [1] }).json()).toEqual([1]);
  });

  it('takes no option that nobody reads', () => {
    expect(() => respond({ ok: true }, { Status: 201 } as never)).toThrow('Did you mean status?');
  });
});

describe('an error', () => {
  const lost = { ok: false, reason: 'lost', resource: 'a', token, holder: 'h' } as const;
  const thrownBy = (work: () => unknown) => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };

  it.each<[string, unknown, number, string]>([
    ['a refusal', thrownBy(() => unwrap(lost)), 412, 'lost'],
    ['a fenced one', thrownBy(() => unwrap({ ...lost, ...stamp, reason: 'fenced' })), 412, 'fenced'],
    [
      'a fenced one within another',
      new Error('x', { cause: thrownBy(() => unwrap({ ...lost, ...stamp, reason: 'fenced' })) }),
      412,
      'fenced',
    ],
    ['an outage', new UnavailableError('x'), 503, 'unavailable'],
    ['a lease that ran out', new LeaseExpiredError('a'), 503, 'lease-expired'],
    ['an unknown outcome', new OutcomeUnknownError('x', async () => 1), 504, 'outcome-unknown'],
  ])('%s is answered', async (_, error, status, reason) => {
    const handle = answering(async () => {
      throw error;
    });
    const response = await handle(new Request('https://x.test/'));
    expect(response.headers.has('Retry-After')).toBe(status === 503);
    expect(await response.json()).toMatchObject({ status, reason });
  });

  it.each([new Error('x'), thrownBy(() => fence('', 1)), 'text', undefined])(
    '%s is thrown on',
    async (error) => {
      expect(respondToError(error)).toBeUndefined();
      const handle = answering(() => {
        throw error;
      });
      await expect(handle(new Request('https://x.test/'))).rejects.toBe(error);
    },
  );

  it('the wrapper passes on what it is given', async () => {
    const handle = answering((request: Request, name: string) => new Response(request.method + name));
    expect(await (await handle(new Request('https://x.test/'), '!')).text()).toBe('GET!');
  });
});

it('problems of your own look the same', async () => {
  const init = {
    status: 409,
    reason: 'insufficient',
    title: 'Too little',
    detail: 'x',
    members: { left: 3 },
  };
  expect(await problem(init).json()).toEqual({
    type: 'urn:dynamodb-fenced:problem:insufficient',
    ...{ title: 'Too little', status: 409, detail: 'x', reason: 'insufficient', left: 3 },
  });
});

describe('what using() has done', () => {
  const refused = { ok: false, reason: 'fenced', ...stamp } as const;

  it('is what is answered: a refusal is none of the successes', async () => {
    const response = respond({ ok: true, value: refused } as { ok: true });
    expect(response.status).toBe(412);
    expect(await response.text()).not.toContain('fn-2/y');
  });

  it('and a success with its item and its version', async () => {
    const written = { ok: true, item: { id: 'a1' }, version: '42.1.fn-1/x' } as const;
    const response = respond({ ok: true, value: written } as { ok: true });
    expect(response.headers.get('ETag')).toBe('"42.1.fn-1/x"');
    expect(await response.json()).toEqual({ id: 'a1' });
  });
});

it.each(['insufficient', 'constructor'])(
  'no status is made up for a refusal that is not of the library: %s',
  (reason) => {
    expect(() => respond({ ok: false, reason } as never)).toThrow(`reason: "${reason}" is no refusal`);
    expect(() => statusOf(reason as never)).toThrow(`reason: "${reason}" is no refusal`);
  },
);

it.each<[string, object]>([
  ['status', { status: 204 }],
  ['status', { status: 99 }],
  ['body', { body: 'text' }],
  ['headers', { headers: 'text' }],
  ['headers.a b', { headers: { 'a b': '1' } }],
  ['headers.X-Name', { headers: { 'X-Name': 'two\nlines' } }],
  ['headers.X-Name', { headers: { 'X-Name': '\u{1f600}' } }],
  ['headers.X-Count', { headers: { 'X-Count': 1 } }],
])('an option that cannot work is refused: %s', (name, options) => {
  expect(() => respond({ ok: true }, options)).toThrow(`${name}: `);
});

const insufficient = {
  status: 409,
  reason: 'insufficient',
  title: 'Too little',
  detail: 'There are 3 EUR left.',
};
it.each<[string, object]>([
  ['status', { status: undefined }],
  ['status', { status: 200 }],
  ['status', { status: 600 }],
  ['reason', { reason: '' }],
  ['title', { title: undefined }],
  ['detail', { detail: 7 }],
  ['members', { members: 'left' }],
  ['headers.a b', { headers: { 'a b': '1' } }],
  ['header', { header: {} }],
])('a problem that cannot be sent is refused: %s', (name, change) => {
  expect(() => problem({ ...insufficient, ...change } as never)).toThrow(`${name}: `);
});

it('a problem tells of what JSON lacks too', async () => {
  expect(await problem({ ...insufficient, members: { left: 3n } }).json()).toMatchObject({ left: '3' });
});

it('a handler that cannot be called is refused when it is wrapped', () => {
  expect(() => answering(undefined as never)).toThrow('handler: undefined cannot be called');
});

it('a body has what an item may hold', async () => {
  const bytes = Uint8Array.of(1, 2, 255);
  const response = respond({
    ok: true,
    item: { tags: new Set(['a']), big: 2n ** 60n, bytes, parts: [bytes.subarray(1)] },
  });
  expect(await response.json()).toEqual({
    tags: ['a'],
    big: '1152921504606846976',
    bytes: 'AQL/',
    parts: ['Av8='],
  });
});
