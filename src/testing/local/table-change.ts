import { isApiError } from './api-error.ts';
import type { EngineContext, Operation } from './context.ts';
import type { Table } from './dynalite.ts';
import { dynaliteOperation } from './dynalite-operation.ts';

/**
 * CreateTable, UpdateTable or DeleteTable. The answer is the one that AWS gives (`CREATING`), but it is held
 * back until the change is through, so that nobody has to wait before the first write.
 */
export function tableChange(name: 'CreateTable' | 'UpdateTable' | 'DeleteTable'): Operation {
  const change = dynaliteOperation(name);
  return async (context, input) => {
    const tableName = String(input.TableName);
    // dynalite goes on to change the object that it answered with.
    const answer = structuredClone(await change(context, input));
    while (await isChanging(context, tableName)) await nextTurn();
    return answer;
  };
}

async function isChanging({ store }: EngineContext, tableName: string): Promise<boolean> {
  try {
    return (await describe(store, tableName)).TableStatus !== 'ACTIVE';
  } catch (error) {
    if (isApiError(error)) return false;
    throw error;
  }
}

function describe(store: EngineContext['store'], tableName: string): Promise<Table> {
  return new Promise((resolve, reject) => {
    store.getTable(tableName, false, (error, table) => (error ? reject(error) : resolve(table as Table)));
  });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
