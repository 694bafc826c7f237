import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { anything, checkOptions } from '../fence/options.ts';
import type { Aliases } from './aliases.ts';
import { checkExpressionSize } from './expression-size.ts';
import { op, type Raw } from './operators.ts';
import { checkName } from './text.ts';

/**
 * An expression in DynamoDB's own language, for what the operators do not say: OR, nested paths, `size()`.
 * It may stand wherever changes or conditions do, alone or in an array with others.
 *
 * Its placeholders are its own: they cannot meet those of another part or of the fence.
 *
 * @param expression one or more clauses of an update expression (as changes), or a condition expression.
 * @param placeholders `names` for `#…`, `values` for `:…`, as plain JavaScript values. Each must be used, and
 * each that is used must be given.
 * @example { when: raw('size(#tags) < :most', { names: { '#tags': 'tags' }, values: { ':most': 10 } }) }
 * @example update(lease, key, [{ by: 'me' }, raw('SET #l[2].price = :p', { names: { '#l': 'lines' }, values: { ':p': 12 } })])
 */
export function raw(
  expression: string,
  placeholders: {
    readonly names?: Readonly<Record<string, string>>;
    readonly values?: Readonly<Record<string, unknown>>;
  } = {},
): Raw {
  const { names = {}, values = {} } = checkOptions(placeholders, rawOptions, 'placeholders');
  return op('raw', { expression, names, values });
}

const rawOptions = { names: anything, values: anything };

const placeholder = /[#:][A-Za-z0-9_]+/g;

/** What a raw expression says, as it was written: whoever finds a fault in it can quote it. */
export function textOf({ value: { expression } }: Raw, path: string): string {
  if (typeof expression !== 'string' || expression.trim() === '') {
    throw new InvalidInputError(
      path,
      `the raw expression is ${typeof expression === 'string' ? 'empty' : `${describe(expression)}, and no text`}`,
      'Write an expression, or leave raw() out.',
    );
  }
  checkExpressionSize(expression, path);
  return expression;
}

/**
 * The text of a raw expression with its placeholders replaced by those of the request that it goes into.
 *
 * @param text what it says, or the part of it that counts.
 */
export function bindRaw(
  { value: { expression, names, values } }: Raw,
  text: string,
  aliases: Aliases,
  path: string,
): string {
  const used = new Map<string, string>();
  const boundText = text.replace(placeholder, (found) => {
    const bound = used.get(found) ?? bind(found);
    used.set(found, bound);
    return bound;
  });
  for (const given of [...Object.keys(names), ...Object.keys(values)]) {
    if (used.has(given)) continue;
    const problem = `${JSON.stringify(given)} is given but not used in ${JSON.stringify(expression)}`;
    throw new InvalidInputError(path, problem, 'Names begin with #, values with :. Drop what is not used.');
  }
  return boundText;

  function bind(found: string): string {
    const isName = found.startsWith('#');
    const given: Readonly<Record<string, unknown>> = isName ? names : values;
    if (!Object.hasOwn(given, found)) {
      throw new InvalidInputError(
        path,
        `${found} is used in ${JSON.stringify(expression)} but not given`,
        `Add it to ${isName ? 'names' : 'values'}.`,
      );
    }
    const where = `${path}.${isName ? 'names' : 'values'}[${JSON.stringify(found)}]`;
    if (!isName) return aliases.value(given[found], where);
    if (typeof given[found] === 'string') return aliases.name(checkName(given[found], where));
    throw new InvalidInputError(where, 'it is no attribute name', 'Names are strings.');
  }
}
