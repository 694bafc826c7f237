import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimals, parseDecimal } from '../../src/dynamo/decimal.ts';
import { decode, decodeItem } from '../../src/dynamo/decode.ts';
import { encode, encodeItem } from '../../src/dynamo/encode.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const name = text.filter((candidate) => candidate !== '' && candidate !== '__proto__');

const storableNumber = fc
  .oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .filter((n) => (Number.isSafeInteger(n) || !Number.isInteger(n)) && (n === 0 || Math.abs(n) >= 1e-130))
  .map((n) => n + 0);

// Beyond 2^53 − 1: what is smaller comes back as a number.
const largeInteger = fc
  .tuple(fc.bigInt({ min: 2n ** 53n, max: 10n ** 38n - 1n }), fc.integer({ min: 0, max: 87 }), fc.boolean())
  .map(([digits, zeros, negative]) => digits * 10n ** BigInt(zeros) * (negative ? -1n : 1n));

const bytes = fc.uint8Array({ maxLength: 8 });

const distinctBytes = fc.uniqueArray(bytes, { minLength: 1, maxLength: 4, selector: String });
const scalar = fc.oneof(text, storableNumber, largeInteger, fc.boolean(), fc.constant(null), bytes);
const set = fc.oneof(
  fc.uniqueArray(text, { minLength: 1, maxLength: 4 }).map((elements) => new Set<unknown>(elements)),
  fc
    .uniqueArray(fc.oneof(storableNumber, largeInteger), { minLength: 1, maxLength: 4 })
    .map((elements) => new Set<unknown>(elements)),
  distinctBytes.map((elements) => new Set<unknown>(elements)),
);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    scalar,
    set,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }).map((object) => ({ ...object })),
  ),
}));

describe('marshalling', () => {
  it('gives back what was stored', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 5 }), (item) => {
        expect(decodeItem(encodeItem({ ...item }))).toStrictEqual({ ...item });
      }),
    );
  });

  it('stores again what was read, without a change', () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), fc.integer({ min: -130, max: 88 }))
      .map(([digits, exponent]) => `${digits}e${exponent}`);
    fc.assert(
      fc.property(decimal, (stored) => {
        const read = decode({ N: stored }, 'v', {
          numbers: (given) => ({ toAttributeValue: () => ({ N: given }) }),
        });
        const again =
          typeof read === 'object'
            ? (read as { toAttributeValue(): { N: string } }).toAttributeValue()
            : encode(read, 'v');
        expect(compareDecimals(parseDecimal(again.N ?? '')!, parseDecimal(stored)!)).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('decimals', () => {
  const scaled = fc.tuple(fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }), fc.integer({ min: -6, max: 6 }));

  it('are ordered as the fractions that they are', () => {
    fc.assert(
      fc.property(scaled, scaled, ([a, x], [b, y]) => {
        const exact = a * 10n ** BigInt(x + 6) - b * 10n ** BigInt(y + 6);
        const order = compareDecimals(parseDecimal(`${a}e${x}`)!, parseDecimal(`${b}e${y}`)!);
        expect(Math.sign(order)).toBe(exact === 0n ? 0 : exact > 0n ? 1 : -1);
      }),
      { numRuns: 2000 },
    );
  });
});
