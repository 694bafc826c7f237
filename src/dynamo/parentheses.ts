import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';

/**
 * A condition without parentheses around the whole of it, ready to be put into a pair of them.
 *
 * Whoever puts it there leans on both halves of this. It closes nothing that it did not open: `a) OR (b`
 * would turn `fence AND (…)` into `fence AND (a) OR (b)`, which the storage grants without the fence. And
 * it has no pair already: DynamoDB refuses `((a OR b))` for its redundant parentheses.
 *
 * @throws InvalidInputError where the parentheses do not match.
 */
export function withoutOuterParentheses(expression: string, path: string): string {
  const pairs = checkParentheses(expression, path);
  let [from, to] = inside(expression, 0, expression.length);
  while (from < to && pairs.get(from) === to - 1) [from, to] = inside(expression, from + 1, to - 1);
  return expression.slice(from, to);
}

/** @returns where the parenthesis that opens at a position closes. @throws InvalidInputError where they do not match. */
export function checkParentheses(expression: string, path: string): ReadonlyMap<number, number> {
  const pairs = matchParentheses(expression);
  if (pairs !== undefined) return pairs;
  throw new InvalidInputError(
    path,
    `the parentheses of ${describe(expression)} do not match`,
    'Close each one that was opened, and no other.',
  );
}

/** A stretch of text without the blanks at its ends. */
function inside(text: string, from: number, to: number): [from: number, to: number] {
  const part = text.slice(from, to);
  const start = from + part.length - part.trimStart().length;
  return [start, Math.max(start, to - (part.length - part.trimEnd().length))];
}

/** Where the parenthesis that opens at a position closes; undefined where they do not match. */
function matchParentheses(text: string): ReadonlyMap<number, number> | undefined {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: parenthesis, index } of text.matchAll(/[()]/g)) {
    if (parenthesis === '(') {
      open.push(index);
      continue;
    }
    const opened = open.pop();
    if (opened === undefined) return undefined;
    pairs.set(opened, index);
  }
  return open.length === 0 ? pairs : undefined;
}
