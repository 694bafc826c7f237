import { InvalidInputError } from '../fence/errors.ts';

// DynamoDB's limit for any expression.
const MOST_BYTES = 4 * 1024;

/**
 * Refuses an expression that DynamoDB would refuse for its length.
 *
 * @param path what the caller knows it as.
 * @param beside in words, what it holds beside what the caller wrote. Default nothing.
 */
export function checkExpressionSize(expression: string, path: string, beside = ''): void {
  const bytes = Buffer.byteLength(expression);
  if (bytes <= MOST_BYTES) return;
  throw new InvalidInputError(
    path,
    `it is an expression of ${bytes} bytes${beside}, and DynamoDB takes ${MOST_BYTES}`,
    'Ask, or change, less at a time: put what belongs together into one map, or send several requests.',
  );
}
