import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { compareDecimals, type Decimal, magnitude, parseDecimal } from './decimal.ts';
import { UnreadableValueError } from './unreadable-value.ts';

/*
 * DynamoDB keeps 38 significant digits of numbers between 1e-130 and 9.99…e125, and answers with decimal
 * text. JavaScript has 53 bits. Neither direction rounds here.
 */
const MAX_DIGITS = 38;
const MAX_MAGNITUDE = 125;
const MIN_MAGNITUDE = -130;

/** The text of a number as it is sent. @throws InvalidInputError where it would not arrive unchanged. */
export function encodeNumber(value: number | bigint, path: string): string {
  if (typeof value === 'bigint') return checkDecimalText(String(value), path);
  if (!Number.isFinite(value)) {
    throw new InvalidInputError(
      path,
      `${value} is no number to DynamoDB`,
      'Leave the attribute out, or store null.',
    );
  }
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new InvalidInputError(
      path,
      `${value} is beyond 2^53 − 1, where a number no longer holds every integer`,
      'Pass a bigint.',
    );
  }
  return checkDecimalText(String(value), path);
}

/** Checks decimal text against the limits of the storage, and returns it. */
export function checkDecimalText(text: string, path: string): string {
  const decimal = parseDecimal(text);
  if (decimal === undefined) {
    throw new InvalidInputError(
      path,
      `${describe(text)} is no decimal number`,
      'Write it as 12.5 or 1.25e1.',
    );
  }
  if (decimal.digits.length > MAX_DIGITS) {
    throw new InvalidInputError(
      path,
      `${line(text)} has ${decimal.digits.length} significant digits, and DynamoDB keeps ${MAX_DIGITS}`,
      'Round it, or store it as a string.',
    );
  }
  if (magnitude(decimal) > MAX_MAGNITUDE || magnitude(decimal) < MIN_MAGNITUDE) {
    throw new InvalidInputError(
      path,
      `${line(text)} is not between 1e-130 and 9.99e125, the range of DynamoDB's numbers`,
      'Store it as a string, or store 0 for what is too small.',
    );
  }
  return text;
}

/** A number in a message is a line at most. */
function line(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** What becomes of a stored number that neither `number` nor `bigint` holds exactly, as `0.12345678901234567890`. */
export type InexactNumber = (text: string) => unknown;

/**
 * A stored number: `number` where that is exact, else `bigint` for integers, else what the hook makes of it.
 *
 * @throws UnreadableValueError without a hook: a rounded number would be written back rounded.
 */
export function decodeNumber(text: string, path: string, inexact: InexactNumber | undefined): unknown {
  const stored = parseDecimal(text);
  if (stored === undefined)
    throw new UnreadableValueError(path, `${JSON.stringify(text)} is no decimal number.`);
  const nearest = Number(text);
  if (stored.exponent >= 0) return Number.isSafeInteger(nearest) ? nearest + 0 : toBigInt(stored);
  const held = parseDecimal(String(nearest));
  if (held !== undefined && compareDecimals(held, stored) === 0) return nearest;
  if (inexact !== undefined) return inexact(text);
  throw new UnreadableValueError(
    path,
    `${text} has more digits than a number of JavaScript holds. Pass the option numbers, which is given the text and may return any type that holds it: { numbers: (text) => new Decimal(text) }.`,
  );
}

function toBigInt({ negative, digits, exponent }: Decimal): bigint {
  const value = BigInt(digits + '0'.repeat(exponent));
  return negative ? -value : value;
}
