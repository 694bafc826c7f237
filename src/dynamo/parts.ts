import { InvalidInputError } from '../fence/errors.ts';
import { isOperator, operator, type Raw } from './operators.ts';
import { isPlainObject } from './plain-object.ts';

/** One of the parts that changes and conditions may consist of, and where it lies. */
export interface Part {
  readonly part: Raw | Readonly<Record<string, unknown>>;
  readonly path: string;
}

/** The parts of changes or conditions: themselves, or the elements of an array. */
export function partsOf(given: unknown, path: string): readonly Part[] {
  if (!Array.isArray(given)) return [{ part: checkPart(given, path), path }];
  return given.map((part, index) => ({
    part: checkPart(part, `${path}[${index}]`),
    path: `${path}[${index}]`,
  }));
}

export function isRaw(part: Part['part']): part is Raw {
  return isOperator(part);
}

function checkPart(part: unknown, path: string): Part['part'] {
  if (isOperator(part)) {
    if (part[operator] === 'raw') return part as Raw;
    const problem = `${part[operator]}() does not say which attribute is meant`;
    throw new InvalidInputError(path, problem, `Give it one: { attribute: ${part[operator]}(…) }.`);
  }
  if (typeof part === 'object' && part !== null && isPlainObject(part))
    return part as Readonly<Record<string, unknown>>;
  throw new InvalidInputError(
    path,
    'it is neither an object of attributes nor raw()',
    'Pass { attribute: value }, raw(…), or an array of them.',
  );
}
