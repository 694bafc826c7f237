import { encode } from '../dynamo/encode.ts';
import { attributeValues } from '../dynamo/input-form.ts';
import { type ExpressionParts, placeholdersBeside } from '../dynamo/placeholders.ts';
import { spliceSet } from '../dynamo/update-expression.ts';
import type { Table } from './table.ts';

/**
 * Adds to an upsert what identifies the item that it may create. Where a function makes the key, the storage
 * knows of nothing but the key, and the new item would lack its own id.
 */
export function withIdentity<T extends object, K extends keyof T>(
  changes: ExpressionParts,
  { keys }: Table<T, K>,
  identity: Pick<T, K>,
): ExpressionParts {
  const placeholders = placeholdersBeside(changes, attributeValues);
  const assignments = Object.entries(keys.identifying(identity)).map(([name, value]) => {
    const attribute = placeholders.name(name);
    // What is stored stays: several identities may share one key, as two spellings of an address.
    return `${attribute} = if_not_exists(${attribute}, ${placeholders.value(encode(value, `key.${name}`))})`;
  });
  if (assignments.length === 0) return changes;
  return {
    ...changes,
    UpdateExpression: spliceSet(changes.UpdateExpression, assignments),
    ExpressionAttributeNames: { ...changes.ExpressionAttributeNames, ...placeholders.names },
    ExpressionAttributeValues: { ...changes.ExpressionAttributeValues, ...placeholders.values },
  };
}
