import { validationError } from './api-error.ts';
import type { Input } from './dynalite.ts';

const expressions = [
  'ConditionExpression',
  'FilterExpression',
  'KeyConditionExpression',
  'ProjectionExpression',
  'UpdateExpression',
];

const longestExpressionBytes = 4096;

// A name in an expression begins with a letter; `#_alias` and `:_value` are no names.
const unaliased = /(?<![\w#:])_\w*/;

/**
 * What AWS refuses in an expression and dynalite lets pass: more than 4 KB of text, and attribute names that
 * begin with an underscore and have no alias (Developer Guide: «Expression attribute names», «Quotas»).
 */
export function checkExpressions(input: Input): void {
  for (const name of expressions) {
    const text = input[name];
    if (typeof text !== 'string') continue;
    const bytes = Buffer.byteLength(text);
    if (bytes > longestExpressionBytes) {
      throw validationError(
        `Invalid ${name}: Expression size has exceeded the maximum allowed size; expression size: ${bytes}`,
      );
    }
    const found = unaliased.exec(text);
    if (found === null) continue;
    const near = text.slice(Math.max(0, found.index - 8), found.index + found[0].length);
    throw validationError(`Invalid ${name}: Syntax error; token: "_", near: "${near}"`);
  }
}
