import { ApiError, errorName, isApiError } from './api-error.ts';
import type { EngineContext } from './context.ts';
import { type Condition, decideDocuments } from './document-equality.ts';
import type { BatchOperation, Input, InputRules, Item, Output } from './dynalite.ts';
import { checkMeaning, run } from './dynalite-operation.ts';
import { checkNesting, checkPutSize, checkUpdated } from './item-rules.ts';
import { stagedStore } from './staged-store.ts';
import { refuseConflict } from './transaction-conflict.ts';

export type WriteOperation = 'PutItem' | 'UpdateItem' | 'DeleteItem';

/** One write of one item, checked as far as that goes without the item: alone, or as part of a transaction. */
export interface WriteAction {
  readonly operation: WriteOperation;
  readonly tableName: string;
  /** What dynalite's action takes, expressions parsed. */
  readonly input: Input;
  readonly showsItem: boolean;
}

/** What a performed action leaves to be done. */
export interface WriteDuties {
  readonly lock: 'take' | 'held';
  /** Stores the item with its index entries, in one batch. `item` is its new image, undefined if deleted. */
  commit(operations: readonly BatchOperation[], item: Item | undefined): Promise<void>;
}

/** dynalite's rules for a write, and what they miss: the item in the error, and what DeleteItem can return. */
export function writeRules({ dynalite, returnItems }: EngineContext, operation: WriteOperation): InputRules {
  const { types, ...rest } = dynalite.rules(operation);
  const oldOnly = { type: 'String', enum: ['ALL_OLD', 'NONE'] };
  return {
    ...rest,
    types: {
      ...types,
      ...(operation === 'DeleteItem' ? { ReturnValues: oldOnly } : {}),
      ...(returnItems ? { ReturnValuesOnConditionCheckFailure: oldOnly } : {}),
    },
  };
}

/** Checks an input whose shape is known to be right. @throws ValidationException. */
export function prepareWrite(context: EngineContext, operation: WriteOperation, shaped: Input): WriteAction {
  const { ReturnValuesOnConditionCheckFailure: onFailure, ...input } = shaped;
  checkMeaning(context, context.dynalite.rules(operation), input);
  if (operation === 'PutItem') {
    checkPutSize(context.dynalite, input.Item as Item);
    checkNesting(input.Item as Item);
  }
  return { operation, tableName: String(input.TableName), input, showsItem: onFailure === 'ALL_OLD' };
}

/**
 * Judges and applies a write with dynalite's own action.
 *
 * @throws `ApiError` where it is refused. A ConditionalCheckFailedException shows the very image that the
 * condition was judged on, if the action asks for it.
 */
export async function performWrite(
  context: EngineContext,
  action: WriteAction,
  duties: WriteDuties,
): Promise<Output> {
  const { dynalite, store } = context;
  let seen: Item | undefined;
  let fail: (error: unknown) => void = () => {};
  const failure = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const staged = stagedStore(store, {
    lock: duties.lock,
    admit: (place) => refuseConflict(context, place),
    fail,
    read(item) {
      seen = item;
      const parsed = action.input._condition as { expression: Condition } | undefined;
      if (parsed === undefined) return;
      // The action evaluates whatever is here now.
      action.input._condition = {
        ...parsed,
        expression: decideDocuments(parsed.expression, item ?? {}, dynalite),
      };
    },
    async commit(operations, item) {
      if (item !== undefined && action.operation === 'UpdateItem') {
        checkUpdated(dynalite, item);
        checkNesting(item);
      }
      const nothing = seen === undefined && removesOnly(action.input);
      await duties.commit(nothing ? [] : operations, item);
    },
  });
  try {
    const output = run(dynalite.action(action.operation), staged, action.input);
    return withoutEmptyImage(await Promise.race([output, failure]));
  } catch (error) {
    throw action.showsItem && seen !== undefined ? withItem(error, seen) : error;
  }
}

/**
 * An update that only takes away creates no item, on AWS (scylladb/scylladb#5862); an update without any
 * change does.
 */
function removesOnly(input: Input): boolean {
  const updates = input._updates as { sections: readonly { type: string }[] } | undefined;
  const kinds =
    updates?.sections.map(({ type }) => type) ??
    Object.values((input.AttributeUpdates ?? {}) as Record<string, { Action?: string }>).map(
      ({ Action }) => Action?.toLowerCase() ?? 'put',
    );
  return kinds.length > 0 && kinds.every((kind) => kind === 'remove' || kind === 'delete');
}

/** Where there is nothing to return, AWS leaves the image out. */
function withoutEmptyImage({ Attributes, ...output }: Output): Output {
  return Attributes === undefined || Object.keys(Attributes as Item).length === 0
    ? output
    : { ...output, Attributes };
}

function withItem(error: unknown, item: Item): unknown {
  if (!isApiError(error) || errorName(error.body) !== 'ConditionalCheckFailedException') return error;
  return new ApiError({ ...error.body, Item: item }, error.statusCode);
}
