import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatETag, parseIfMatch } from '../../src/http/etag.ts';
import { formatFencingToken, parseFencingToken } from '../../src/http/fencing-token.ts';
import { fromHeaderText, toHeaderText } from '../../src/http/header-text.ts';
import { fence } from '../../src/index.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });

describe('text in headers', () => {
  it('passes through a header, whatever it is, and comes back', () => {
    fc.assert(
      fc.property(text, (original) => {
        const headers = new Headers({ test: toHeaderText(original) });
        expect(headers.get('test')).toMatch(/^[!-~]+$/);
        expect(fromHeaderText(headers.get('test') ?? '')).toBe(original);
      }),
    );
  });

  it.each([
    ['account/a1:42', 'account/a1:42'],
    ['room 1@2026-03-02T09:00Z', 'room%201@2026-03-02T09:00Z'],
    ['café, "x" \\ 100%', 'caf%C3%A9%2C%20%22x%22%20%5C%20100%25'],
    ["~!#$&'()*+-./:;<=>?@[]^_`{|}", "~!#$&'()*+-./:;<=>?@[]^_`{|}"],
  ])('%s is %s', (original, written) => {
    expect(toHeaderText(original)).toBe(written);
  });

  it.each(['a b', 'a,b', '%61', '%c3%a9', '%', '%ff', 'é', '"'])('%s is no such text', (other) => {
    expect(fromHeaderText(other)).toBeUndefined();
  });
});

describe('a fence in a header', () => {
  it('comes back as it was', () => {
    const name = text.filter((resource) => !/\p{Cc}/u.test(resource));
    fc.assert(
      fc.property(name, fc.maxSafeNat(), (resource, token) => {
        expect(parseFencingToken(formatFencingToken(fence(resource, token)))).toMatchObject({
          resource,
          token,
        });
      }),
    );
  });

  it.each([
    ...['', '42', ':42', 'account/a1', 'account/a1:', 'account/a1:-1', 'account/a1:1.5', 'account/a1:042'],
    ...[
      'account/a1:0x2a',
      'account/a1:9007199254740992',
      'account/a1: 42',
      'account/a1:42 ',
      '"account/a1:42"',
    ],
    ...['account/a1:42,account/a1:43', 'account/a1:42, account/a1:43', 'account%2Fa1:42', 'a%00:1'],
  ])('%s is none', (field) => {
    expect(parseFencingToken(field)).toBeUndefined();
  });
});

describe('an entity tag', () => {
  it('stands for its version', () => {
    fc.assert(
      fc.property(text, (version) => {
        expect(parseIfMatch(formatETag(version))).toEqual([version]);
      }),
    );
  });

  it('is weak where the version does not tell contents apart, and then matches nothing', () => {
    expect(formatETag('unfenced')).toBe('W/"unfenced"');
    expect(parseIfMatch('W/"unfenced"')).toEqual([]);
    expect(parseIfMatch('"unfenced", "corrupt"')).toEqual([]);
  });

  it.each<[string, '*' | readonly string[] | undefined]>([
    ['*', '*'],
    [' * ', '*'],
    ['"1"', ['1']],
    ['"1","2" ,\t"3"', ['1', '2', '3']],
    [',, "1", ,', ['1']],
    ['W/"1", "2"', ['2']],
    ['"a,b", "c"', ['c']],
    ['""', []],
    ['"caf\u00e9", "1"', ['1']],
    ['', undefined],
    [',', undefined],
    ['1', undefined],
    ['"1', undefined],
    ['"1" "2"', undefined],
    ['"1", *', undefined],
    ['w/"1"', undefined],
    ['W/ "1"', undefined],
    ['"a b"', undefined],
  ])('%s in If-Match', (field, versions) => {
    expect(parseIfMatch(field)).toEqual(versions);
  });

  it('a long list takes no longer than it is long', () => {
    expect(parseIfMatch(`${'"1",'.repeat(100_000)}x`)).toBeUndefined();
    expect(parseIfMatch(' '.repeat(100_000))).toBeUndefined();
    expect(parseIfMatch(`"1"${' '.repeat(1_000_000)}x`)).toBeUndefined();
  });
});
