import type { ExpressionParts } from '../dynamo/placeholders.ts';

/** Puts the parts of several compiled expressions into one request. Each compiler has placeholders of its own. */
export function mergeExpressions(...all: readonly ExpressionParts[]): ExpressionParts {
  const names = Object.assign({}, ...all.map((parts) => parts.ExpressionAttributeNames));
  const values = Object.assign({}, ...all.map((parts) => parts.ExpressionAttributeValues));
  return {
    ...Object.assign({}, ...all),
    // DynamoDB takes no empty maps.
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}
