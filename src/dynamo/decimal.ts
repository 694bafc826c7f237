/** A decimal number, exactly: ± digits × 10^exponent. The digits neither begin nor end with a zero; those of zero are empty. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const grammar = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Reads a number as DynamoDB and JavaScript write it; undefined where the text is none. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = grammar.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') return { negative: false, digits, exponent: 0 };
  const dropped = significant.length - digits.length;
  return { negative: sign === '-', digits, exponent: Number(power) - fraction.length + dropped };
}

/** The power of ten of the first digit: 2 for 123, −3 for 0.00123. */
export function magnitude({ digits, exponent }: Decimal): number {
  return digits.length + exponent - 1;
}

/** Orders two decimals by value: negative, zero or positive, as `sort` wants it. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (signOf(a) !== signOf(b)) return signOf(a) - signOf(b);
  const [small, large] = a.negative ? [b, a] : [a, b];
  const byMagnitude = magnitude(small) - magnitude(large);
  if (byMagnitude !== 0 || small.digits === large.digits) return byMagnitude;
  // Both begin at the same power of ten, so the digits compare like the words of a dictionary.
  return small.digits < large.digits ? -1 : 1;
}

function signOf({ negative, digits }: Decimal): number {
  if (digits === '') return 0;
  return negative ? -1 : 1;
}
