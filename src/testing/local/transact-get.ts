import { validationError } from './api-error.ts';
import { type CancellationReason, cancelled, noReason, reasonOf } from './cancellation.ts';
import { addUp, unitsOf } from './consumed-capacity.ts';
import type { EngineContext, Operation } from './context.ts';
import type { Input, Item, Output } from './dynalite.ts';
import { checkMeaning, checkShape, run } from './dynalite-operation.ts';
import { itemBytes } from './item-rules.ts';
import { distinctPlaces } from './transact-places.ts';
import { largestTransactionBytes, transactGetRules } from './transact-rules.ts';
import { cancelConflict } from './transaction-conflict.ts';

/** Reads up to 100 items as they were at one moment: no write comes between them. */
export const transactGet: Operation = async (context, raw) => {
  const shaped = checkShape(context, transactGetRules(context), raw);
  const gets = (shaped.TransactItems as { Get: Input }[]).map(({ Get }) => Get);
  for (const get of gets) checkMeaning(context, context.dynalite.rules('GetItem'), get);
  const steps = gets.map((get) => ({
    tableName: String(get.TableName),
    key: get.Key as Item,
    operation: 'GetItem',
  }));
  const places = await distinctPlaces(context, steps);

  cancelConflict(context, places);
  const release = await context.locks.acquire(places.filter((place) => place !== undefined));
  try {
    const outputs = await readAll(context, gets);
    const consumed = outputs.map((output, index) => ({
      tableName: String(gets[index]?.TableName),
      units: unitsOf(output),
    }));
    return {
      ...addUp(shaped.ReturnConsumedCapacity, 'Read', consumed),
      Responses: outputs.map(({ Item }) => (Item === undefined ? {} : { Item })),
    };
  } finally {
    release();
  }
};

async function readAll(context: EngineContext, gets: readonly Input[]): Promise<Output[]> {
  const outputs: Output[] = [];
  const reasons: CancellationReason[] = [];
  for (const get of gets) {
    const measured = { ...get, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' };
    try {
      outputs.push(await run(context.dynalite.action('GetItem'), context.store, measured));
      reasons.push(noReason);
    } catch (error) {
      reasons.push(reasonOf(error));
    }
  }
  if (reasons.some((reason) => reason !== noReason)) throw cancelled(reasons);
  const items = outputs.flatMap(({ Item }) => (Item === undefined ? [] : [Item as Item]));
  if (items.reduce((sum, item) => sum + itemBytes(context.dynalite, item), 0) > largestTransactionBytes) {
    throw validationError('The aggregate size of the items in the transaction exceeded 4 MB');
  }
  return outputs;
}
