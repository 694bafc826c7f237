import fc from 'fast-check';

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

/** Items of anything that can be stored. */
export const item = fc.dictionary(name, value, { maxKeys: 5 }).map((attributes) => ({ ...attributes }));
