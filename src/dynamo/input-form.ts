import { InvalidInputError } from '../fence/errors.ts';

/** How an input writes its values: as attribute values, or plainly as the document client takes them. */
export interface InputForm {
  number(value: number): unknown;
  string(value: string): unknown;
}

export const attributeValues: InputForm = {
  number: (value) => ({ N: String(value) }),
  string: (value) => ({ S: value }),
};

const plainValues: InputForm = { number: (value) => value, string: (value) => value };

const typeTags = new Set(['S', 'N', 'B', 'SS', 'NS', 'BS', 'M', 'L', 'NULL', 'BOOL']);

/**
 * Tells the form of an input from its `Key` or `Item`: attribute values if *every* top-level value is an
 * object with exactly one type tag. Key attributes are scalars, which in plain form are no objects, so this
 * is exact.
 */
export function formOf(keyOrItem: object, path: string): InputForm {
  const values = Object.values(keyOrItem);
  if (values.length === 0) {
    throw new InvalidInputError(path, 'it is empty', 'Give at least the key attributes.');
  }
  return values.every(isAttributeValue) ? attributeValues : plainValues;
}

/** Whether a value is an object with exactly one type tag. */
export function isAttributeValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const keys = Object.keys(value);
  return keys.length === 1 && typeTags.has(keys[0] ?? '');
}
