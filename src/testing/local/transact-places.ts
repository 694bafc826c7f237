import { validationError } from './api-error.ts';
import type { EngineContext } from './context.ts';
import type { Item } from './dynalite.ts';
import type { ItemPlace } from './item-locks.ts';
import { activeTable } from './table.ts';

/**
 * Where the items of a transaction are, in order; undefined where the key does not fit the table, which the
 * action itself will say.
 *
 * @throws ResourceNotFoundException, or ValidationException where two actions are about one item.
 */
export async function distinctPlaces(
  context: EngineContext,
  steps: readonly { readonly tableName: string; readonly key: Item; readonly operation: string }[],
): Promise<(ItemPlace | undefined)[]> {
  const { db } = context.dynalite;
  const places = await Promise.all(
    steps.map(async ({ tableName, key, operation }) => {
      const table = await activeTable(context, tableName);
      const problem = operation === 'PutItem' ? db.validateItem(key, table) : db.validateKey(key, table);
      return problem ? undefined : { tableName, key: db.createKey(key, table) };
    }),
  );
  const names = places.flatMap((place) => (place === undefined ? [] : [`${place.tableName}~${place.key}`]));
  if (new Set(names).size < names.length) {
    throw validationError('Transaction request cannot include multiple operations on one item');
  }
  return places;
}
