import { validationError } from './api-error.ts';
import type { EngineContext } from './context.ts';
import type { Input, InputRules, InputTypes } from './dynalite.ts';
import { type WriteOperation, writeRules } from './write-action.ts';

/** The most that the items of a transaction may have together. */
export const largestTransactionBytes = 4 * 1024 * 1024;

const mostActions = 100;
const longestToken = 36;

const writeMembers: readonly { name: string; operation: WriteOperation; required: readonly string[] }[] = [
  { name: 'Put', operation: 'PutItem', required: [] },
  { name: 'Update', operation: 'UpdateItem', required: ['UpdateExpression'] },
  { name: 'Delete', operation: 'DeleteItem', required: [] },
  // A delete whose write is dropped: it checks the same key and the same condition.
  { name: 'ConditionCheck', operation: 'DeleteItem', required: ['ConditionExpression'] },
];

const returnConsumedCapacity = { type: 'String', enum: ['INDEXES', 'TOTAL', 'NONE'] };

/** The shape of TransactWriteItems, in the language of dynalite's checks. */
export function transactWriteRules(context: EngineContext): InputRules {
  const members = writeMembers.map(({ name, operation, required }) => {
    const { types } = writeRules(context, operation);
    const known = [
      'TableName',
      operation === 'PutItem' ? 'Item' : 'Key',
      'ConditionExpression',
      ...(operation === 'UpdateItem' ? ['UpdateExpression'] : []),
      'ExpressionAttributeNames',
      'ExpressionAttributeValues',
      'ReturnValuesOnConditionCheckFailure',
    ];
    return [name, member(name, pick(types, known, required))] as const;
  });
  return {
    types: {
      ReturnConsumedCapacity: returnConsumedCapacity,
      ReturnItemCollectionMetrics: { type: 'String', enum: ['SIZE', 'NONE'] },
      ClientRequestToken: {
        type: 'String',
        lengthGreaterThanOrEqual: 1,
        lengthLessThanOrEqual: longestToken,
      },
      TransactItems: transactItems('TransactWriteItem', Object.fromEntries(members)),
    },
  };
}

/** The shape of TransactGetItems. */
export function transactGetRules({ dynalite }: EngineContext): InputRules {
  const known = ['TableName', 'Key', 'ProjectionExpression', 'ExpressionAttributeNames'];
  const get = member('Get', pick(dynalite.rules('GetItem').types, known, []));
  return {
    types: {
      ReturnConsumedCapacity: returnConsumedCapacity,
      TransactItems: transactItems('TransactGetItem', { Get: { ...get, notNull: true } }),
    },
  };
}

/** The one action that a member of TransactItems may have. @throws ValidationException for none or two. */
export function onlyAction(item: Input): { name: string; operation: WriteOperation; input: Input } {
  const present = writeMembers.filter(({ name }) => item[name] !== undefined);
  const [found] = present;
  if (found === undefined || present.length > 1) {
    throw validationError('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  return { name: found.name, operation: found.operation, input: item[found.name] as Input };
}

function transactItems(name: string, children: InputTypes): object {
  return {
    type: 'List',
    notNull: true,
    lengthGreaterThanOrEqual: 1,
    lengthLessThanOrEqual: mostActions,
    children: { type: `ValueStruct<${name}>`, children },
  };
}

function member(name: string, children: InputTypes): { type: string; children: InputTypes } {
  return { type: `FieldStruct<${name}>`, children };
}

function pick(types: InputTypes, known: readonly string[], required: readonly string[]): InputTypes {
  const kept = known.filter((name) => types[name] !== undefined);
  return Object.fromEntries(
    kept.map((name) => [
      name,
      required.includes(name) ? { ...(types[name] as object), notNull: true } : types[name],
    ]),
  );
}
