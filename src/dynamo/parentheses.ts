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
  const text = expression.trim();
  const pairs = matchParentheses(text);
  if (pairs === undefined) {
    throw new InvalidInputError(
      path,
      `the parentheses of ${JSON.stringify(expression)} do not match`,
      'Close each one that was opened, and no other.',
    );
  }
  const isPair = text !== '' && pairs.get(0) === text.length - 1;
  return isPair ? withoutOuterParentheses(text.slice(1, -1), path) : text;
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
