import { describe, expect, it } from 'vitest';
import { fenceFrom, formatFencingToken, ifVersionFrom } from '../../src/http/index.ts';
import { fence } from '../../src/index.ts';
import { sequencer } from '../../src/sequencer/index.ts';

const request = (headers: Record<string, string>) => new Request('https://x.test/', { headers });
const body = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as object),
});

describe('the fence of a request', () => {
  const resource = 'account/a1';
  const clock = { now: () => 1_000 };
  const seals = sequencer(new Uint8Array(32).fill(1), { clock });
  const sealed = (name = resource, from = seals) => from.seal(fence(name, 42), { ttlMs: 500 });

  it('is taken from the header, plain or sealed', () => {
    const plain = fenceFrom(request({ 'fencing-token': formatFencingToken(fence(resource, 42)) }), {
      resource,
    });
    expect(plain).toMatchObject({ ok: true, fence: { resource, token: 42 }, holder: undefined });
    const opened = fenceFrom(request({ 'Fencing-Token': sealed() }), { resource, sequencer: seals });
    expect(opened).toMatchObject({ ok: true, fence: { resource, token: 42 }, expiresAtMs: 1_500 });
    expect(fenceFrom(request({ 'Fencing-Token': 'b:1' }))).toMatchObject({ fence: { resource: 'b' } });
  });

  const others = sequencer(new Uint8Array(32).fill(2), { clock });
  const late = sequencer(new Uint8Array(32).fill(1), { clock: { now: () => 1_500 } });
  it.each<[string, Record<string, string>, object, number, string]>([
    ['none', {}, {}, 428, 'missing'],
    ['none, sealed or not', {}, { sequencer: seals }, 428, 'missing'],
    ['an empty one', { 'Fencing-Token': '' }, {}, 400, 'malformed'],
    ['a number', { 'Fencing-Token': '42' }, {}, 400, 'malformed'],
    ['two', { 'Fencing-Token': 'account/a1:42, account/a1:43' }, {}, 400, 'malformed'],
    ['one for another resource', { 'Fencing-Token': 'account/a2:42' }, {}, 403, 'foreign'],
    ['a sealed one where nobody seals', { 'Fencing-Token': sealed() }, {}, 400, 'malformed'],
    ['a plain one', { 'Fencing-Token': 'account/a1:42' }, { sequencer: seals }, 401, 'malformed'],
    [
      'a sealed one of others',
      { 'Fencing-Token': sealed(resource, others) },
      { sequencer: seals },
      401,
      'tampered',
    ],
    ['a sealed one that is over', { 'Fencing-Token': sealed() }, { sequencer: late }, 401, 'expired'],
    [
      'a sealed one for another resource',
      { 'Fencing-Token': sealed('b') },
      { sequencer: seals },
      403,
      'foreign',
    ],
  ])('%s is refused', async (_, headers, options, status, reason) => {
    const refused = fenceFrom(request(headers), { resource, ...options });
    if (refused.ok) throw new Error('not refused');
    expect(refused.reason).toBe(reason);
    const { response } = refused;
    expect(response.headers.get('WWW-Authenticate')).toBe(
      status === 401 ? `Fencing-Token error="${reason}"` : null,
    );
    expect(response.headers.get('Content-Type')).toBe('application/problem+json');
    expect(await body(response)).toMatchObject({
      status,
      reason,
      type: `urn:dynamodb-fenced:problem:${reason}`,
    });
  });

  it('options that nobody reads are none', () => {
    expect(() => fenceFrom(request({}), { sequenzer: seals } as never)).toThrow(
      'sequenzer: there is no such',
    );
  });
});

describe('the precondition of a request', () => {
  const reading = (version?: string) => {
    let reads = 0;
    const read = async () => {
      reads++;
      return version === undefined ? undefined : { version };
    };
    return { read, reads: () => reads };
  };

  it.each<[string, string | undefined, number, object]>([
    ['"1.1.h"', '1.1.h', 0, { ifVersion: '1.1.h' }],
    ['W/"0", "1.1.h"', '1.1.h', 0, { ifVersion: '1.1.h' }],
    ['"0.1.h", "1.1.h"', '1.1.h', 1, { ifVersion: '1.1.h' }],
    ['*', '1.1.h', 1, { ifVersion: '1.1.h' }],
  ])('%s becomes a condition of the write', async (field, version, reads, options) => {
    const current = reading(version);
    expect(await ifVersionFrom(request({ 'If-Match': field }), { read: current.read })).toEqual({
      ok: true,
      options,
    });
    expect(current.reads()).toBe(reads);
  });

  it('none is no condition, unless one is required', async () => {
    const { read } = reading('1');
    expect(await ifVersionFrom(request({}), { read })).toEqual({ ok: true, options: {} });
    const refused = await ifVersionFrom(request({}), { read, required: true });
    if (refused.ok) throw new Error('not refused');
    expect(await body(refused.response)).toMatchObject({ status: 428, reason: 'if-match-missing' });
  });

  it.each<[string, string | undefined, number, object]>([
    ['W/"1"', '1', 0, { status: 412, reason: 'version' }],
    ['"0", "2"', '1', 1, { status: 412, reason: 'version', etag: '"1"' }],
    ['"0", "2"', undefined, 1, { status: 412, reason: 'version' }],
    ['*', undefined, 1, { status: 412, reason: 'version' }],
    ['1', '1', 0, { status: 400, reason: 'if-match-malformed' }],
  ])('%s cannot hold', async (field, version, reads, problem) => {
    const current = reading(version);
    const refused = await ifVersionFrom(request({ 'If-Match': field }), { read: current.read });
    if (refused.ok) throw new Error('not refused');
    expect(await body(refused.response)).toMatchObject(problem);
    expect(current.reads()).toBe(reads);
  });
});

it.each<[string, object]>([
  ['resource', { resource: undefined }],
  ['sequencer', { sequencer: undefined }],
  ['sequencer', { sequencer: {} }],
])('a fence is not taken more lightly where %s is not what it should be', (name, options) => {
  expect(() => fenceFrom(request({ 'Fencing-Token': 'account/a1:42' }), options)).toThrow(`${name}: `);
});

it('a precondition needs a way to look before anybody asks for it', async () => {
  await expect(ifVersionFrom(request({}), {} as never)).rejects.toThrow('read: undefined cannot be called');
});
