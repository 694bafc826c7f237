import { InvalidInputError } from '../fence/errors.ts';
import { Aliases, type AliasMaps } from './aliases.ts';
import { condition, type Question } from './condition.ts';
import { dataEntries } from './data-entries.ts';
import { encode } from './encode.ts';
import { checkExpressionSize } from './expression-size.ts';
import { encodeKeyScalar } from './key.ts';
import { withoutOuterParentheses } from './parentheses.ts';
import { isRaw, partsOf } from './parts.ts';
import { bindRaw, textOf } from './raw.ts';
import { below } from './text.ts';

/** The parts of a request that conditions amount to. In a query or scan the expression goes by another name. */
export interface CompiledConditions extends AliasMaps {
  readonly ConditionExpression: string;
}

/**
 * Compiles conditions into one expression, in which all of them must hold. Pure. For `when` and `filter`.
 * Before it is combined with others it wants parentheses, of which it has none around itself.
 *
 * @param conditions as the type `Conditions` has them. Everything is checked anew here.
 * @param path what the caller knows them as, for errors.
 * @throws InvalidInputError where nothing is asked: a condition that says nothing is a mistake, and would let everything pass.
 */
export function compileConditions(conditions: unknown, path: string): CompiledConditions {
  const aliases = new Aliases('w');
  const question: Question = { aliases, encode };
  const parts = partsOf(conditions, path);
  const asked = parts.flatMap(({ part, path: at }) => {
    if (!isRaw(part)) return attributes(part, question, at);
    const text = withoutOuterParentheses(textOf(part, at), at);
    if (text === '') return nothingAsked(at);
    const expression = bindRaw(part, text, aliases, at);
    return parts.length > 1 ? `(${expression})` : expression;
  });
  return finish(asked, aliases, path);
}

/**
 * Compiles the key of a query. Pure. DynamoDB takes equality, order and beginnings there, of key attributes,
 * which are never empty.
 */
export function compileKeyConditions(conditions: unknown, path: string): CompiledConditions {
  const aliases = new Aliases('k');
  const question: Question = {
    aliases,
    encode: (value, at) => encodeKeyScalar(value, at),
    only: ['eq', 'gt', 'gte', 'lt', 'lte', 'between', 'beginsWith'],
  };
  const asked = partsOf(conditions, path).flatMap(({ part, path: at }) => {
    if (!isRaw(part)) return attributes(part, question, at);
    throw new InvalidInputError(
      at,
      'raw() cannot stand in the key of a query',
      'Use the operators, or a filter.',
    );
  });
  const compiled = finish(asked, aliases, path);
  checkKeyParts(asked.length, compiled, path);
  return compiled;
}

/** A query names the partition key, and asks one thing of the sort key. */
function checkKeyParts(
  count: number,
  { ExpressionAttributeNames = {} }: CompiledConditions,
  path: string,
): void {
  const names = Object.values(ExpressionAttributeNames);
  if (count <= 2 && names.length === count) return;
  throw new InvalidInputError(
    path,
    count > names.length ? 'it asks two things of one attribute' : `it asks something of ${count} attributes`,
    'Name the partition key, and ask one thing of the sort key (between() has two bounds). The rest belongs into a filter.',
  );
}

function attributes(part: Readonly<Record<string, unknown>>, question: Question, path: string): string[] {
  const asked = dataEntries(part, path).map(([name, what]) =>
    condition(question.aliases.name(name), what, question, below(path, name)),
  );
  return asked.length > 0 ? asked : nothingAsked(path);
}

function finish(asked: readonly string[], aliases: Aliases, path: string): CompiledConditions {
  if (asked.length === 0) return nothingAsked(path);
  const ConditionExpression = asked.join(' AND ');
  checkExpressionSize(ConditionExpression, path);
  return { ConditionExpression, ...aliases.maps() };
}

function nothingAsked(path: string): never {
  throw new InvalidInputError(
    path,
    'it asks nothing',
    'Name at least one attribute, or leave the option out.',
  );
}
