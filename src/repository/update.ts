import { type Item, versionOf } from '../dynamo/attributes.ts';
import { compileChanges } from '../dynamo/changes.ts';
import { guard } from '../dynamo/guard.ts';
import type { Changes } from '../dynamo/operators.ts';
import type { WritePlan } from '../dynamo/plan.ts';
import type { NotFound, NotMet, Written } from '../fence/result.ts';
import type { Stamp } from '../fence/session.ts';
import { withIdentity } from './identity-attributes.ts';
import { mergeExpressions } from './merge-expressions.ts';
import type { ConditionOptions } from './options.ts';
import { ownCondition, versionOption } from './own-condition.ts';
import { refusal } from './refusals.ts';
import type { Table } from './table.ts';

/** Changes some attributes of an item. */
export function updatePlan<T extends object, K extends keyof T>(
  table: Table<T, K>,
  identity: Pick<T, K>,
  changes: Changes<Omit<T, K>>,
  options: ConditionOptions<T> & { readonly upsert?: boolean },
): WritePlan<Written<T>, NotFound | NotMet<T, 'version' | 'condition'>> {
  const { upsert = false } = options;
  const key = table.keyOf(identity);
  const { expressions, ifVersion, conditional } = ownCondition(table, options);
  const changed = compileChanges(changes, 'changes');
  table.refuseHidden(changed, 'changes');
  table.refuseMoves(changed, key, identity);
  const parts = mergeExpressions(upsert ? withIdentity(changed, table, identity) : changed, expressions);
  const written = (item: Item | undefined, stamp: Stamp, replayed: boolean): Written<T> => ({
    ok: true,
    item: table.decode(item ?? {}),
    version: versionOf(stamp),
    token: stamp.token,
    replayed,
  });
  return {
    verb: 'update',
    table,
    key,
    expects: { live: upsert ? 'any' : 'must', ifVersion, conditional },
    build: (stamp) => ({
      op: 'UpdateItem',
      input: {
        ...guard({ TableName: table.tableName, Key: key, ...parts }, stamp, {
          as: upsert ? 'upsert' : 'update',
          attributes: table.attributes,
          unfenced: table.unfenced,
          ...versionOption(ifVersion),
        }),
        ReturnValues: 'ALL_NEW',
      },
    }),
    done: (attributes, stamp) => written(attributes, stamp, false),
    replayed: (item, stamp) => written(item, stamp, true),
    refused: (reason, met) => refusal(table, reason, met),
  };
}
