import type { EngineContext } from './context.ts';
import type { Table } from './dynalite.ts';

/** An active table, as data operations see it. @throws ResourceNotFoundException. */
export function activeTable(context: EngineContext, tableName: string): Promise<Table> {
  return lookUp(context, tableName, true);
}

/** A table in any state. @throws ResourceNotFoundException. */
export function anyTable(context: EngineContext, tableName: string): Promise<Table> {
  return lookUp(context, tableName, false);
}

function lookUp({ store }: EngineContext, tableName: string, mustBeActive: boolean): Promise<Table> {
  return new Promise((resolve, reject) => {
    store.getTable(tableName, mustBeActive, (error, table) =>
      error ? reject(error) : resolve(table as Table),
    );
  });
}
