import { InvalidInputError } from '../fence/errors.ts';

/** The elements that an operator takes several of. A string is iterable too, but nobody means its letters. */
export function elementsOf<V>(operatorName: string, elements: Iterable<V>): readonly V[] {
  if (typeof elements === 'object' && elements !== null && Symbol.iterator in elements) return [...elements];
  throw new InvalidInputError(
    `${operatorName}()`,
    `it takes several values, and was given ${typeof elements === 'string' ? 'one string' : 'no iterable'}`,
    `Pass an array or a set: ${operatorName}(['a', 'b']).`,
  );
}
