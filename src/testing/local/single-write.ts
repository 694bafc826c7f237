import type { Operation } from './context.ts';
import { checkShape } from './dynalite-operation.ts';
import { writeBatch } from './staged-store.ts';
import { performWrite, prepareWrite, type WriteOperation, writeRules } from './write-action.ts';

/** PutItem, UpdateItem or DeleteItem: checked and written under the item's lock. */
export function singleWrite(operation: WriteOperation): Operation {
  return (context, raw) => {
    const shaped = checkShape(context, writeRules(context, operation), raw);
    const action = prepareWrite(context, operation, shaped);
    return performWrite(context, action, {
      lock: 'take',
      async commit(operations) {
        await context.beforeCommit({ operation, tableNames: [action.tableName] });
        await writeBatch(context.store, operations);
      },
    });
  };
}
