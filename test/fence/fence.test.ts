import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Fence,
  fence,
  fencingToken,
  formatFence,
  MAX_FENCING_TOKEN,
  parseFence,
} from '../../src/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';

const uuid = '3f2c9a1e-8d1c-4e0b-9f5e-2a6d1c0b7f3a';

describe('a fencing token', () => {
  it.each<[unknown, number]>([
    [0, 0],
    [-0, 0],
    [42, 42],
    [42n, 42],
    ['42', 42],
    ['0', 0],
    ['9007199254740991', MAX_FENCING_TOKEN],
    [9007199254740991n, MAX_FENCING_TOKEN],
  ])('%o is one', (given, token) => {
    expect(fencingToken(given)).toBe(token);
    expect(fence('r', given).token).toBe(token);
  });

  it.each([
    uuid,
    41.5,
    -1,
    '-1',
    '0x2a',
    '41.5',
    '4e1',
    '042',
    ' 42',
    '42 ',
    '+42',
    '',
    '9007199254740992',
    '99999999999999999',
    2 ** 53,
    2n ** 53n,
    -1n,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    null,
    undefined,
    [42],
    { N: '42' },
    new Date(42),
  ])('%o is none, and says so', (given) => {
    expect(() => fencingToken(given)).toThrow(invalidInput('token', /is not a fencing token/));
    expect(() => fence('account/a1', given)).toThrow(invalidInput('token', /is not a fencing token/));
  });

  it('that JSON has rounded is none either', () => {
    const { token } = JSON.parse('{"token":9007199254740993}');
    expect(() => fence('account/a1', token)).toThrow(invalidInput('token', /9007199254740992/));
    expect(() => fencingToken(7.5, 'event.token')).toThrow(invalidInput('event.token', /7\.5/));
  });
});

describe('a fence', () => {
  it('has a resource, a token, and a holder of its own', () => {
    const [one, two] = [fence('account/a1', 42), fence('account/a1', 42)];
    expect(one).toMatchObject({
      resource: 'account/a1',
      token: 42,
      holder: expect.stringMatching(/^bare\/\w{20}$/),
    });
    expect(one.holder).not.toBe(two.holder);
    expect(Object.keys(one).sort()).toEqual(['holder', 'resource', 'token']);
  });

  it('that is numbered has the holder that was given', () => {
    expect(fence('r', 42, { holder: 'importer/7', seq: 0 })).toMatchObject({
      token: 42,
      holder: 'importer/7',
    });
  });

  it.each([
    '',
    7,
    undefined,
    null,
    'a\u0000b',
    'a\nb',
    '\u007f',
    'a\ud83d',
    'x'.repeat(1025),
    'é'.repeat(513),
  ])('of the resource or the holder %o is refused', (name) => {
    expect(() => fence(name as string, 42)).toThrow(invalidInput('resource', /./));
    expect(() => fence('r', 42, { holder: name as string, seq: 1 })).toThrow(invalidInput('holder', /./));
  });

  it.each([-1, 1.5, 2 ** 53, Number.NaN, '1', undefined])('with the request number %o is refused', (seq) => {
    expect(() => fence('r', 42, { holder: 'h', seq: seq as number })).toThrow(
      invalidInput('seq', /request number/),
    );
  });
});

describe('the text form of a fence', () => {
  it('is its resource and its token', () => {
    expect(formatFence(fence('account/a1', 42))).toBe('account/a1:42');
  });

  it('ends at its last colon', () => {
    expect(parseFence('urn:account:a1:42')).toMatchObject({ resource: 'urn:account:a1', token: 42 });
  });

  it('gives them back, whatever the resource is called, under a holder of its own', () => {
    const resource = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((name) => {
      try {
        return fence(name, 0) !== undefined;
      } catch {
        return false;
      }
    });
    fc.assert(
      fc.property(resource, fc.nat({ max: Number.MAX_SAFE_INTEGER }), (name, token) => {
        const original: Fence = fence(name, token);
        const parsed = parseFence(formatFence(original));
        expect(parsed).toMatchObject({ resource: name, token });
        expect(parsed.holder).not.toBe(original.holder);
      }),
    );
  });

  it.each([
    ['', 'fence'],
    ['account/a1', 'fence'],
    [':42', 'fence'],
    [undefined, 'fence'],
    [42, 'fence'],
    ['account/a1:', 'token'],
    [`account/a1:${uuid}`, 'token'],
    ['account/a1:42.5', 'token'],
    ['account/a1:-1', 'token'],
    ['account/a1:9007199254740993', 'token'],
    ['a\n:42', 'resource'],
  ])('%o is none', (text, path) => {
    expect(() => parseFence(text as string)).toThrow(invalidInput(path, /./));
  });
});

it.each([null, 5, 'x', []])('a numbered fence takes no %o for its request', (request) => {
  expect(() => fence('r', 1, request as never)).toThrow(invalidInput('request', /no object of options/));
});

it('a numbered fence takes no name that nobody reads', () => {
  expect(() => fence('r', 1, { holder: 'h', Seq: 1 } as never)).toThrow(
    invalidInput('Seq', /Did you mean seq/),
  );
});

it.each([undefined, null, 5, 'r:1', {}])('%o has no text form of a fence', (value) => {
  expect(() => formatFence(value as never)).toThrow(invalidInput('fence', /has no resource and token/));
});
