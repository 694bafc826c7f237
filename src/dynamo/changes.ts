import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { InvalidInputError } from '../fence/errors.ts';
import { Aliases, type AliasMaps } from './aliases.ts';
import { dataEntries } from './data-entries.ts';
import { findOverlap, formatPath } from './document-path.ts';
import { encode } from './encode.ts';
import { checkExpressionSize } from './expression-size.ts';
import { isOperator, operator, type Raw } from './operators.ts';
import { isRaw, partsOf } from './parts.ts';
import { bindRaw, textOf } from './raw.ts';
import { below } from './text.ts';
import { type Clause, clausesOf, joinClauses, writtenPaths } from './update-expression.ts';

/** The parts of an update request that changes amount to. */
export interface CompiledChanges extends AliasMaps {
  readonly UpdateExpression: string;
}

/**
 * Compiles changes into an update expression. Pure.
 *
 * @param changes as the type `Changes` has them. It is checked anew here, because not everybody compiles types.
 * @param path what the caller knows them as, for errors.
 * @throws InvalidInputError where nothing is changed, a value cannot be stored, or two changes meet.
 */
export function compileChanges(changes: unknown, path = 'changes'): CompiledChanges {
  const aliases = new Aliases('c');
  const clauses = partsOf(changes, path).flatMap(({ part, path: at }) =>
    isRaw(part) ? rawClauses(part, aliases, at) : changedAttributes(part, aliases, at),
  );
  if (clauses.length === 0) {
    throw new InvalidInputError(
      path,
      'nothing is changed',
      'Give at least one attribute a value or an operator.',
    );
  }
  const UpdateExpression = joinClauses(clauses);
  checkExpressionSize(UpdateExpression, path);
  const maps = aliases.maps();
  refuseOverlap(UpdateExpression, maps, path);
  return { UpdateExpression, ...maps };
}

function rawClauses(part: Raw, aliases: Aliases, path: string): readonly Clause[] {
  const text = textOf(part, path);
  // For their errors, which quote what was written.
  clausesOf(text, path);
  return clausesOf(bindRaw(part, text, aliases, path), path);
}

function changedAttributes(
  part: Readonly<Record<string, unknown>>,
  aliases: Aliases,
  path: string,
): Clause[] {
  return dataEntries(part, path).map(([name, change]) =>
    changedAttribute(aliases.name(name), change, aliases, below(path, name)),
  );
}

function changedAttribute(name: string, change: unknown, aliases: Aliases, path: string): Clause {
  if (!isOperator(change)) return set(name, aliases.value(change, path));
  const { [operator]: kind, value } = change;
  const operand = (...types: readonly (keyof AttributeValue)[]) => {
    const encoded = encode(value, path);
    if (types.some((type) => encoded[type] !== undefined)) return aliases.attributeValue(encoded);
    throw new InvalidInputError(path, `${kind}() cannot take this value`, `It takes ${takes[kind]}.`);
  };
  switch (kind) {
    case 'add':
      return { keyword: 'ADD', actions: `${name} ${operand('N')}` };
    case 'union':
      return { keyword: 'ADD', actions: `${name} ${operand('SS', 'NS', 'BS')}` };
    case 'difference':
      return { keyword: 'DELETE', actions: `${name} ${operand('SS', 'NS', 'BS')}` };
    case 'append':
      return set(name, `list_append(${orEmptyList(name, aliases)}, ${operand('L')})`);
    case 'prepend':
      return set(name, `list_append(${operand('L')}, ${orEmptyList(name, aliases)})`);
    case 'ifNotExists':
      return set(name, `if_not_exists(${name}, ${aliases.value(value, path)})`);
    case 'remove':
      return { keyword: 'REMOVE', actions: name };
    default:
      throw new InvalidInputError(
        path,
        `${kind}() changes no attribute`,
        'Changes are plain values, add, append, prepend, ifNotExists, union, difference and remove; raw() stands beside the attributes, in an array.',
      );
  }
}

const takes: Readonly<Record<string, string>> = {
  add: 'a number or a bigint',
  append: 'an array',
  prepend: 'an array',
  union: 'a set of strings, numbers or Uint8Arrays',
  difference: 'a set of strings, numbers or Uint8Arrays',
};

function set(name: string, value: string): Clause {
  return { keyword: 'SET', actions: `${name} = ${value}` };
}

// list_append alone is an error where the attribute is absent.
function orEmptyList(name: string, aliases: Aliases): string {
  return `if_not_exists(${name}, ${aliases.attributeValue({ L: [] })})`;
}

function refuseOverlap(expression: string, maps: AliasMaps, path: string): void {
  const overlap = findOverlap(writtenPaths(expression, maps.ExpressionAttributeNames));
  if (overlap === undefined) return;
  const [a, b] = overlap.map(formatPath);
  throw new InvalidInputError(
    path,
    a === b ? `${a} is changed twice` : `${a} and ${b} are both changed, and one lies within the other`,
    'DynamoDB applies all changes of a request at once, so they must not meet. Merge them, or send two updates.',
  );
}
