import { entomb } from '../dynamo/entomb.ts';
import type { WritePlan } from '../dynamo/plan.ts';
import type { DeleteResult, NotFound, NotMet } from '../fence/result.ts';
import type { ConditionOptions } from './options.ts';
import { ownCondition, versionOption } from './own-condition.ts';
import { refusal } from './refusals.ts';
import type { Table } from './table.ts';

type Deleted<T> = Extract<DeleteResult<T>, { readonly ok: true }>;

/** Removes an item for its users, and leaves its fence, so that an older holder cannot bring it back. */
export function deletePlan<T extends object, K extends keyof T>(
  table: Table<T, K>,
  identity: Pick<T, K>,
  options: ConditionOptions<T>,
): WritePlan<Deleted<T>, NotFound | NotMet<T, 'version' | 'condition'>> {
  const key = table.keyOf(identity);
  const { expressions, ifVersion, conditional } = ownCondition(table, options);
  return {
    verb: 'delete',
    table,
    key,
    expects: { live: 'any', ifVersion, conditional },
    build: (stamp) => ({
      op: 'PutItem',
      input: {
        ...entomb({ TableName: table.tableName, Key: key, ...expressions }, stamp, {
          attributes: table.attributes,
          unfenced: table.unfenced,
          ...versionOption(ifVersion),
        }),
        ReturnValues: 'ALL_OLD',
      },
    }),
    done: (removed, stamp) => ({
      ok: true,
      item: table.view(removed)?.item,
      token: stamp.token,
      replayed: false,
    }),
    replayed: (_, stamp) => ({ ok: true, item: undefined, token: stamp.token, replayed: true }),
    refused: (reason, met) => refusal(table, reason, met),
  };
}
