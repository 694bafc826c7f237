import { validationError } from './api-error.ts';
import { type CancellationReason, cancelled, noReason, reasonOf } from './cancellation.ts';
import { addUp, type Consumed, unitsOf } from './consumed-capacity.ts';
import type { EngineContext, Operation } from './context.ts';
import type { BatchOperation, Input, Item } from './dynalite.ts';
import { checkShape, run } from './dynalite-operation.ts';
import type { ItemPlace } from './item-locks.ts';
import { itemBytes } from './item-rules.ts';
import { writeBatch } from './staged-store.ts';
import { activeTable } from './table.ts';
import { distinctPlaces } from './transact-places.ts';
import { largestTransactionBytes, onlyAction, transactWriteRules } from './transact-rules.ts';
import { cancelConflict } from './transaction-conflict.ts';
import { performWrite, prepareWrite, type WriteAction } from './write-action.ts';

/** One action of the transaction, and whether its outcome is stored (a ConditionCheck's is not). */
interface Step extends WriteAction {
  readonly key: Item;
  readonly stores: boolean;
}

/**
 * All or nothing: every action is judged under the locks of all items, and what they want to write is stored
 * in one batch, or not at all.
 */
export const transactWrite: Operation = async (context, raw) => {
  const shaped = checkShape(context, transactWriteRules(context), raw);
  const items = shaped.TransactItems as Input[];
  // Kept as it came: dynalite's actions change their input.
  const asked = structuredClone(items);
  const steps = items.map((item) => toStep(context, item));
  const places = await distinctPlaces(context, steps);

  const use = await context.tokens.use(shaped.ClientRequestToken as string | undefined, asked);
  try {
    if (use.isReplay) return addUp(shaped.ReturnConsumedCapacity, 'Read', await readAgain(context, steps));
    const consumed = await underLocks(context, places, async () => {
      const { writes, consumed } = await judge(context, steps);
      await context.beforeCommit({
        operation: 'TransactWriteItems',
        tableNames: [...new Set(steps.map(({ tableName }) => tableName))],
      });
      await writeBatch(context.store, [...writes, ...use.remember()]);
      return consumed;
    });
    return addUp(shaped.ReturnConsumedCapacity, 'Write', consumed);
  } finally {
    use.end();
  }
};

function toStep(context: EngineContext, item: Input): Step {
  const { name, operation, input } = onlyAction(item);
  const key = structuredClone((input.Item ?? input.Key) as Item);
  return { ...prepareWrite(context, operation, input), key, stores: name !== 'ConditionCheck' };
}

async function underLocks<Value>(
  context: EngineContext,
  places: readonly (ItemPlace | undefined)[],
  work: () => Promise<Value>,
): Promise<Value> {
  cancelConflict(context, places);
  const { locks } = context;
  const known = places.filter((place) => place !== undefined);
  const leave = locks.enter(known);
  const release = await locks.acquire(known);
  try {
    return await work();
  } finally {
    leave();
    release();
  }
}

/** Judges every action, and throws unless all of them may be stored. */
async function judge(
  context: EngineContext,
  steps: readonly Step[],
): Promise<{ writes: BatchOperation[]; consumed: Consumed[] }> {
  const writes: BatchOperation[] = [];
  const reasons: CancellationReason[] = [];
  const consumed: Consumed[] = [];
  let bytes = 0;
  for (const step of steps) {
    const measured = { ...step, input: { ...step.input, ReturnConsumedCapacity: 'TOTAL' } };
    try {
      const output = await performWrite(context, measured, {
        lock: 'held',
        async commit(operations, item) {
          if (!step.stores) return;
          writes.push(...operations);
          if (item !== undefined) bytes += itemBytes(context.dynalite, item);
        },
      });
      consumed.push({ tableName: step.tableName, units: unitsOf(output) });
      reasons.push(noReason);
    } catch (error) {
      reasons.push(reasonOf(error));
    }
  }
  if (reasons.some((reason) => reason !== noReason)) throw cancelled(reasons);
  if (bytes > largestTransactionBytes) {
    throw validationError(
      'Collection size of items exceeded, which can also be caused by the aggregate size of the items in the transaction exceeding the 4MB limit',
    );
  }
  return { writes, consumed };
}

/** What a replay costs: the items are read, not written. */
function readAgain(context: EngineContext, steps: readonly Step[]): Promise<Consumed[]> {
  return Promise.all(
    steps.map(async ({ tableName, key, operation }) => {
      const Key = operation === 'PutItem' ? await keyOnly(context, tableName, key) : key;
      const input = { TableName: tableName, Key, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' };
      return {
        tableName,
        units: unitsOf(await run(context.dynalite.action('GetItem'), context.store, input)),
      };
    }),
  );
}

async function keyOnly(context: EngineContext, tableName: string, item: Item): Promise<Item> {
  const { KeySchema } = await activeTable(context, tableName);
  return Object.fromEntries(
    KeySchema.flatMap(({ AttributeName: name }) => (item[name] === undefined ? [] : [[name, item[name]]])),
  );
}
