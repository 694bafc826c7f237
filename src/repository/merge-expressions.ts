import type { ExpressionParts } from '../dynamo/placeholders.ts';

/** Puts the parts of several compiled expressions into one request. Each compiler has placeholders of its own. */
export function mergeExpressions(...all: readonly ExpressionParts[]): ExpressionParts {
  const values = Object.assign({}, ...all.map((parts) => parts.ExpressionAttributeValues));
  return {
    ...Object.assign({}, ...all),
    // Never empty in the end: the fence adds names of its own. Of values it may need none, and DynamoDB takes no empty map.
    ExpressionAttributeNames: Object.assign({}, ...all.map((parts) => parts.ExpressionAttributeNames)),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}
