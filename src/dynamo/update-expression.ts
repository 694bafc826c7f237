import { InvalidInputError } from '../fence/errors.ts';

/** A document path as segments: attribute names, and list indexes as numbers. */
export type DocumentPath = readonly (string | number)[];

const clauses = new Set(['SET', 'REMOVE', 'ADD', 'DELETE']);
const token = /\s+|[#:]?[A-Za-z0-9_-]+|\S/gy;

interface Token {
  readonly text: string;
  readonly at: number;
}

function tokenize(expression: string): Token[] {
  const tokens: Token[] = [];
  for (const match of expression.matchAll(token)) {
    if (match[0].trim() !== '') tokens.push({ text: match[0], at: match.index });
  }
  return tokens;
}

// `SET set = :x` would be odd but no clause: a keyword opens a clause only where an operand has ended.
const opensNoClause = new Set([',', '=', '+', '-', '(', '.']);

interface Clause {
  readonly keyword: string;
  /** Where the text after the keyword begins. */
  readonly bodyAt: number;
  readonly body: readonly Token[];
}

function parseClauses(expression: string): Clause[] {
  const tokens = tokenize(expression);
  const starts: number[] = [];
  tokens.forEach(({ text }, index) => {
    const before = tokens[index - 1]?.text;
    const freshClause = starts.at(-1) === index - 1;
    if (!clauses.has(text.toUpperCase()) || freshClause) return;
    if (before === undefined || !opensNoClause.has(before)) starts.push(index);
  });
  return starts.map((start, n) => {
    const { text, at } = tokens[start] as Token;
    return {
      keyword: text.toUpperCase(),
      bodyAt: at + text.length,
      body: tokens.slice(start + 1, starts[n + 1] ?? tokens.length),
    };
  });
}

/**
 * Adds assignments to an update expression. DynamoDB allows each clause once, so they go into the caller's
 * own `SET` if there is one, in whatever case and place.
 *
 * @param expression the caller's, or undefined where there is none.
 * @param assignments as `#a = :a`.
 */
export function spliceSet(expression: string | undefined, assignments: readonly string[]): string {
  const ours = assignments.join(', ');
  if (expression === undefined || expression.trim() === '') return `SET ${ours}`;
  const found = parseClauses(expression);
  if (found.length === 0) {
    throw new InvalidInputError(
      'UpdateExpression',
      `${JSON.stringify(expression)} has no SET, REMOVE, ADD or DELETE clause`,
      'Begin it with one of them.',
    );
  }
  const set = found.find(({ keyword }) => keyword === 'SET');
  if (set === undefined) return `${expression} SET ${ours}`;
  return `${expression.slice(0, set.bodyAt)} ${ours},${expression.slice(set.bodyAt)}`;
}

/**
 * The paths that an update expression writes to, with placeholders replaced by the names that they stand for.
 */
export function writtenPaths(expression: string, names: Record<string, string> = {}): DocumentPath[] {
  return parseClauses(expression).flatMap(({ body }) =>
    actionsOf(body).map((action) => pathOf(action, names)),
  );
}

// Commas separate the actions of a clause, except inside the parentheses of a function.
function actionsOf(body: readonly Token[]): Token[][] {
  const actions: Token[][] = [[]];
  let depth = 0;
  for (const part of body) {
    if (part.text === '(') depth++;
    if (part.text === ')') depth--;
    if (part.text === ',' && depth === 0) actions.push([]);
    else actions.at(-1)?.push(part);
  }
  return actions.filter((action) => action.length > 0);
}

// The leading tokens of an action, up to where `=` or a value begins: `#m . x [ 0 ]`.
function pathOf(action: readonly Token[], names: Record<string, string>): DocumentPath {
  const path: (string | number)[] = [];
  for (const [index, { text }] of action.entries()) {
    if (text === '.' || text === '[' || text === ']') continue;
    const before = action[index - 1]?.text;
    if (text === '=' || text.startsWith(':') || (index > 0 && before !== '.' && before !== '[')) break;
    path.push(before === '[' ? Number(text) : (names[text] ?? text));
  }
  return path;
}

/** The first two paths of which one is the other or lies within it: DynamoDB refuses to write both. */
export function findOverlap(
  paths: readonly DocumentPath[],
): readonly [DocumentPath, DocumentPath] | undefined {
  for (const [index, a] of paths.entries()) {
    for (const b of paths.slice(index + 1)) {
      const shorter = a.length <= b.length ? a : b;
      const longer = shorter === a ? b : a;
      if (shorter.every((segment, depth) => segment === longer[depth])) return [a, b];
    }
  }
  return undefined;
}

/** Every attribute name that an expression mentions bare or through a placeholder, at any depth. */
export function mentionedNames(
  expression: string | undefined,
  names: Record<string, string> = {},
): Set<string> {
  const mentioned = new Set<string>();
  for (const { text } of tokenize(expression ?? '')) {
    if (!text.startsWith(':')) mentioned.add(names[text] ?? text);
  }
  return mentioned;
}

/** A path as people write it: `lines[2].price`. */
export function formatPath(path: DocumentPath): string {
  return path.reduce<string>(
    (text, segment) =>
      typeof segment === 'number' ? `${text}[${segment}]` : text === '' ? segment : `${text}.${segment}`,
    '',
  );
}
