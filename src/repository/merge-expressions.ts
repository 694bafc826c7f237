import type { ExpressionParts } from '../dynamo/placeholders.ts';
import { InvalidInputError } from '../fence/errors.ts';

/**
 * Puts the parts of several compiled expressions into one request. Each compiler has placeholders of its
 * own; only those of the caller's `raw()` parts can meet, and they must not mean two things.
 */
export function mergeExpressions(...all: readonly ExpressionParts[]): ExpressionParts {
  const merged: Record<string, unknown> = {};
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (const { ExpressionAttributeNames, ExpressionAttributeValues, ...expressions } of all) {
    Object.assign(merged, expressions);
    addAll(names, ExpressionAttributeNames ?? {});
    addAll(values, ExpressionAttributeValues ?? {});
  }
  if (Object.keys(names).length > 0) merged.ExpressionAttributeNames = names;
  if (Object.keys(values).length > 0) merged.ExpressionAttributeValues = values;
  return merged;
}

function addAll<V>(target: Record<string, V>, source: Readonly<Record<string, V>>): void {
  for (const [placeholder, meaning] of Object.entries(source)) {
    const known = target[placeholder];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(meaning)) {
      throw new InvalidInputError(
        placeholder,
        'two parts of one request use it for different things',
        'Give each raw() part placeholders of its own.',
      );
    }
    target[placeholder] = meaning;
  }
}
