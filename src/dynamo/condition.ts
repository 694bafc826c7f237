import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { InvalidInputError } from '../fence/errors.ts';
import type { Aliases } from './aliases.ts';
import { compareDecimals, parseDecimal } from './decimal.ts';
import { isOperator, type Op, operator } from './operators.ts';

/** What a condition is compiled for. */
export interface Question {
  readonly aliases: Aliases;
  readonly encode: (value: unknown, path: string) => AttributeValue;
  /** The operators that may be used; all, if it is absent. */
  readonly only?: readonly string[];
}

const comparators: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** DynamoDB's limit for IN. */
const MAX_CHOICES = 100;

/** The text of one condition on the attribute with this placeholder. */
export function condition(name: string, asked: unknown, question: Question, path: string): string {
  const put = (value: AttributeValue) => question.aliases.attributeValue(value);
  if (!isOperator(asked)) return `${name} = ${put(question.encode(asked, path))}`;
  const { [operator]: kind, value } = asked;
  if (question.only?.includes(kind) === false) throw notInKey(kind, path);
  switch (kind) {
    case 'eq':
      return `${name} = ${put(question.encode(value, path))}`;
    case 'ne':
      return `${name} <> ${put(question.encode(value, path))}`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return `${name} ${comparators[kind]} ${put(operand(asked, question, path, ['S', 'N', 'B']))}`;
    case 'between': {
      const [from, to] = bounds(value, question, path);
      return `${name} BETWEEN ${put(from)} AND ${put(to)}`;
    }
    case 'oneOf':
      return `${name} IN (${choices(value, path)
        .map((choice, n) => put(question.encode(choice, `${path}[${n}]`)))
        .join(', ')})`;
    case 'beginsWith':
      return `begins_with(${name}, ${put(operand(asked, question, path, ['S', 'B']))})`;
    case 'contains':
      return `contains(${name}, ${put(question.encode(value, path))})`;
    case 'exists':
      return `attribute_exists(${name})`;
    case 'notExists':
      return `attribute_not_exists(${name})`;
    default:
      throw new InvalidInputError(
        path,
        `${kind}() asks nothing`,
        'Conditions are plain values, eq, ne, gt, gte, lt, lte, between, oneOf, beginsWith, contains, exists and notExists; raw() stands beside the attributes, in an array.',
      );
  }
}

type Scalar = 'S' | 'N' | 'B';

function operand(
  { [operator]: kind, value }: Op<string, unknown>,
  question: Question,
  path: string,
  types: readonly Scalar[],
): AttributeValue {
  const encoded = question.encode(value, path);
  if (types.some((type) => encoded[type] !== undefined)) return encoded;
  const expected = types.includes('N')
    ? 'a string, a number, a bigint or a Uint8Array'
    : 'a string or a Uint8Array';
  throw new InvalidInputError(path, `${kind}() cannot take this value`, `It takes ${expected}.`);
}

// DynamoDB refuses reversed bounds too, but some engines find nothing instead.
function bounds(value: unknown, question: Question, path: string): readonly [AttributeValue, AttributeValue] {
  const [from, to] = (value as readonly unknown[]).map((bound) => question.encode(bound, path)) as [
    AttributeValue,
    AttributeValue,
  ];
  const order = compareScalars(from, to);
  if (order === undefined) {
    throw new InvalidInputError(
      path,
      'between() takes two bounds of one type',
      'Pass two strings, two numbers or two Uint8Arrays.',
    );
  }
  if (order > 0)
    throw new InvalidInputError(path, 'the bounds of between() are reversed', 'Pass the lower one first.');
  return [from, to];
}

/** The order of two scalars in DynamoDB; undefined where they have none. */
function compareScalars(a: AttributeValue, b: AttributeValue): number | undefined {
  const [x, y] = [a, b].map(({ N }) => (N === undefined ? undefined : parseDecimal(N)));
  if (x !== undefined && y !== undefined) return compareDecimals(x, y);
  if (a.S !== undefined && b.S !== undefined) return Buffer.compare(Buffer.from(a.S), Buffer.from(b.S));
  return a.B !== undefined && b.B !== undefined ? Buffer.compare(a.B, b.B) : undefined;
}

function choices(value: unknown, path: string): readonly unknown[] {
  const given = value as readonly unknown[];
  if (given.length >= 1 && given.length <= MAX_CHOICES) return given;
  throw new InvalidInputError(
    path,
    `oneOf() was given ${given.length} values`,
    `Give it 1 to ${MAX_CHOICES}, DynamoDB's limit.`,
  );
}

function notInKey(kind: string, path: string): InvalidInputError {
  return new InvalidInputError(
    path,
    `${kind}() cannot be asked of a key`,
    'The key of a query takes plain values, eq, gt, gte, lt, lte, between and beginsWith; a filter takes all.',
  );
}
