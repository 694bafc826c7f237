import { ApiError, errorName, isApiError } from './api-error.ts';
import type { EngineContext, Operation } from './context.ts';
import type { InputRules, Output } from './dynalite.ts';
import { checkInput, run } from './dynalite-operation.ts';
import { stagedStore, writeBatch } from './staged-store.ts';

/**
 * PutItem, UpdateItem or DeleteItem: dynalite's action, which checks and writes under the item's lock, plus
 * `ReturnValuesOnConditionCheckFailure`. The item in the error is the very image that the condition was
 * judged on, not a later read.
 */
export function singleWrite(operation: 'PutItem' | 'UpdateItem' | 'DeleteItem'): Operation {
  return async (context, raw) => {
    const input = checkInput(context, rulesOf(context, operation), raw);
    const { ReturnValuesOnConditionCheckFailure: onFailure, ...request } = input;
    const write = { operation, tableNames: [String(input.TableName)] };

    let fail: (error: unknown) => void = () => {};
    const defect = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const staged = stagedStore(context.store, {
      lock: 'take',
      onDefect: fail,
      async commit(operations) {
        await context.beforeCommit(write);
        await writeBatch(context.store, operations);
      },
    });
    try {
      return await Promise.race([run(context.dynalite.action(operation), staged.store, request), defect]);
    } catch (error) {
      throw onFailure === 'ALL_OLD' ? withItem(error, staged.seen()) : error;
    }
  };
}

function rulesOf({ dynalite, returnItems }: EngineContext, operation: string): InputRules {
  const rules = dynalite.rules(operation);
  if (!returnItems) return rules;
  const onFailure = { type: 'String', enum: ['ALL_OLD', 'NONE'] };
  return { ...rules, types: { ...rules.types, ReturnValuesOnConditionCheckFailure: onFailure } };
}

function withItem(error: unknown, item: Output | undefined): unknown {
  if (item === undefined || !isApiError(error)) return error;
  if (errorName(error.body) !== 'ConditionalCheckFailedException') return error;
  return new ApiError({ ...error.body, Item: item }, error.statusCode);
}
