import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimals, parseDecimal } from '../../src/dynamo/decimal.ts';
import { decode, decodeItem } from '../../src/dynamo/decode.ts';
import { encode, encodeItem } from '../../src/dynamo/encode.ts';
import { item } from './any-item.ts';

describe('marshalling', () => {
  it('gives back what was stored', () => {
    fc.assert(
      fc.property(item, (content) => {
        expect(decodeItem(encodeItem(content))).toStrictEqual(content);
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
