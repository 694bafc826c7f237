import { errorName, isApiError, refusal } from './api-error.ts';
import type { EngineContext, Operation } from './context.ts';
import type { Input, Output } from './dynalite.ts';
import { dynaliteOperation } from './dynalite-operation.ts';
import { anyTable } from './table.ts';
import { forgetTimeToLive } from './time-to-live.ts';

export const createTable = settledChange('CreateTable');
export const updateTable = settledChange('UpdateTable');
export const deleteTable: Operation = async (context, input) => {
  const answer = await settledChange('DeleteTable')(context, input);
  await forgetTimeToLive(context, input);
  return answer;
};

/**
 * The answer is the one that AWS gives (`CREATING`), but it is held back until the change is through, so that
 * nobody has to wait before the first write.
 */
function settledChange(name: string): Operation {
  const change = dynaliteOperation(name);
  return async (context, input) => {
    // dynalite goes on to change the object that it answered with.
    const answer = structuredClone(await change(context, input).catch((error) => explain(error, input)));
    while (await isChanging(context, String(input.TableName))) await nextTurn();
    return answer;
  };
}

/** dynalite says nothing about what is in use. */
function explain(error: unknown, { TableName }: Input): Output {
  if (isApiError(error) && errorName(error.body) === 'ResourceInUseException' && !error.body.message) {
    throw refusal('ResourceInUseException', `Table already exists: ${TableName}`);
  }
  throw error;
}

async function isChanging(context: EngineContext, tableName: string): Promise<boolean> {
  try {
    return (await anyTable(context, tableName)).TableStatus !== 'ACTIVE';
  } catch (error) {
    if (isApiError(error)) return false;
    throw error;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
