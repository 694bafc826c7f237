import { InvalidInputError } from '../fence/errors.ts';
import { below, checkName } from './text.ts';

/**
 * The names and values of an object that is nothing but data.
 *
 * @param path where it lies, for errors.
 * @throws InvalidInputError where a name is none, or a symbol, or a value is computed: who computes it may give another one the
 * next time, and what a symbol names would be dropped in silence.
 */
export function dataEntries(record: object, path: string): (readonly [name: string, value: unknown])[] {
  const symbol = Object.getOwnPropertySymbols(record).find((key) =>
    Object.prototype.propertyIsEnumerable.call(record, key),
  );
  if (symbol !== undefined) {
    throw new InvalidInputError(
      `${path}[${String(symbol)}]`,
      'a symbol cannot be a name',
      'Name attributes by strings.',
    );
  }
  return Object.keys(record).map((name) => {
    const where = below(path, checkName(name, path));
    const property = Object.getOwnPropertyDescriptor(record, name);
    if (property?.get === undefined && property?.set === undefined) return [name, property?.value] as const;
    throw new InvalidInputError(
      where,
      'it is computed by an accessor, not data',
      'Copy the object first: { ...object }.',
    );
  });
}
