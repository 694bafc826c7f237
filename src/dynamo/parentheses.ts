import { InvalidInputError } from '../fence/errors.ts';

/**
 * Makes sure that an expression stays inside the parentheses that are put around it: `a) OR (b` would
 * otherwise turn `fence AND (…)` into `fence AND (a) OR (b)`, which the storage grants without the fence.
 */
export function checkParentheses(expression: string, path: string): string {
  let depth = 0;
  for (const character of expression) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (depth < 0) break;
  }
  if (depth === 0) return expression;
  throw new InvalidInputError(
    path,
    `the parentheses of ${JSON.stringify(expression)} do not match`,
    'Close each one that was opened, and no other.',
  );
}
