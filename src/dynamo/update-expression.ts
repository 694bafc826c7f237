import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { DocumentPath } from './document-path.ts';
import { checkParentheses } from './parentheses.ts';

const keywords = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;
type Keyword = (typeof keywords)[number];

// A hyphen is never part of a bare name or of a placeholder: `a-:b` is a subtraction.
const token = /\s+|[#:]?[A-Za-z0-9_]+|\S/gy;

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

/** One clause of an update expression: its keyword, and the text of its actions. */
export interface Clause {
  readonly keyword: Keyword;
  readonly actions: string;
}

interface ParsedClause extends Clause {
  /** Where the text after the keyword begins. */
  readonly bodyAt: number;
  readonly body: readonly Token[];
}

function parseClauses(expression: string): ParsedClause[] {
  const tokens = tokenize(expression);
  const starts: number[] = [];
  tokens.forEach(({ text }, index) => {
    const before = tokens[index - 1]?.text;
    const freshClause = starts.at(-1) === index - 1;
    if (keywordOf(text) === undefined || freshClause) return;
    if (before === undefined || !opensNoClause.has(before)) starts.push(index);
  });
  return starts.map((start, n) => {
    const { text, at } = tokens[start] as Token;
    const next = starts[n + 1];
    return {
      keyword: keywordOf(text) as Keyword,
      actions: expression.slice(at + text.length, tokens[next ?? tokens.length]?.at).trim(),
      bodyAt: at + text.length,
      body: tokens.slice(start + 1, next),
    };
  });
}

function keywordOf(text: string): Keyword | undefined {
  return keywords.find((keyword) => keyword === text.toUpperCase());
}

/** The clauses of an update expression. @throws InvalidInputError where it begins with none. */
export function clausesOf(expression: string, path: string): readonly Clause[] {
  return checkedClauses(expression, path);
}

function checkedClauses(expression: string, path: string): readonly ParsedClause[] {
  const found = parseClauses(expression);
  const first = found[0];
  if (
    first !== undefined &&
    expression.trimStart().slice(0, first.keyword.length).toUpperCase() === first.keyword
  ) {
    checkParentheses(expression, path);
    for (const clause of found) checkActions(clause, path);
    return found;
  }
  throw new InvalidInputError(
    path,
    `${describe(expression)} does not begin with SET, REMOVE, ADD or DELETE`,
    'Begin it with one of them.',
  );
}

function checkActions({ keyword, body }: ParsedClause, path: string): void {
  if (separateActions(body).every((action) => action.length > 0)) return;
  throw new InvalidInputError(
    path,
    `${keyword} has nothing to do before or after a comma, or at all`,
    'Write an action there, or leave the comma or the keyword out.',
  );
}

/** One update expression from the clauses of several: DynamoDB allows each keyword once. */
export function joinClauses(clauses: readonly Clause[]): string {
  return keywords
    .map((keyword) => [keyword, clauses.filter((clause) => clause.keyword === keyword)] as const)
    .filter(([, same]) => same.length > 0)
    .map(([keyword, same]) => `${keyword} ${same.map(({ actions }) => actions).join(', ')}`)
    .join(' ');
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
  const set = checkedClauses(expression, 'UpdateExpression').find(({ keyword }) => keyword === 'SET');
  if (set === undefined) return `${expression} SET ${ours}`;
  return `${expression.slice(0, set.bodyAt)} ${ours},${expression.slice(set.bodyAt)}`;
}

/**
 * The paths that an update expression writes to, with placeholders replaced by the names that they stand for.
 */
export function writtenPaths(expression: string, names: Record<string, string> = {}): DocumentPath[] {
  return parseClauses(expression).flatMap(({ body }) =>
    separateActions(body)
      .filter((action) => action.length > 0)
      .map((action) => pathOf(action, names)),
  );
}

// Commas separate the actions of a clause, except inside the parentheses of a function.
function separateActions(body: readonly Token[]): Token[][] {
  const actions: Token[][] = [[]];
  let depth = 0;
  for (const part of body) {
    if (part.text === '(') depth++;
    if (part.text === ')') depth--;
    if (part.text === ',' && depth === 0) actions.push([]);
    else actions.at(-1)?.push(part);
  }
  return actions;
}

// The leading tokens of an action, up to where `=` or a value begins: `#m . x [ 0 ]`.
function pathOf(action: readonly Token[], names: Record<string, string>): DocumentPath {
  const path: (string | number)[] = [];
  for (const [index, { text }] of action.entries()) {
    if (text === '.' || text === '[' || text === ']') continue;
    const before = action[index - 1]?.text;
    if (text === '=' || text.startsWith(':') || (index > 0 && before !== '.' && before !== '[')) break;
    path.push(before === '[' ? Number(text) : nameOf(text, names));
  }
  return path;
}

/** Every attribute name that an expression mentions bare or through a placeholder, at any depth. */
export function mentionedNames(
  expression: string | undefined,
  names: Record<string, string> = {},
): Set<string> {
  const mentioned = new Set<string>();
  for (const { text } of tokenize(expression ?? '')) {
    if (!text.startsWith(':')) mentioned.add(nameOf(text, names));
  }
  return mentioned;
}

/** The attributes that an expression speaks of: no names within them, and none of functions. */
export function mentionedAttributes(
  expression: string | undefined,
  names: Record<string, string> = {},
): Set<string> {
  const tokens = tokenize(expression ?? '');
  const attributes = tokens.filter(
    ({ text }, index) =>
      !text.startsWith(':') && tokens[index - 1]?.text !== '.' && tokens[index + 1]?.text !== '(',
  );
  return new Set(attributes.map(({ text }) => nameOf(text, names)));
}

function nameOf(text: string, names: Readonly<Record<string, string>>): string {
  return Object.hasOwn(names, text) ? (names[text] as string) : text;
}
