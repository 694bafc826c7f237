import { type Item, versionOf } from '../dynamo/attributes.ts';
import { guard } from '../dynamo/guard.ts';
import type { WritePlan } from '../dynamo/plan.ts';
import type { NotFound, NotMet, Written } from '../fence/result.ts';
import type { Stamp } from '../fence/session.ts';
import type { ConditionOptions } from './options.ts';
import { ownCondition, refuseConditions, versionOption } from './own-condition.ts';
import { refusal } from './refusals.ts';
import { keyAttribute, type Table } from './table.ts';

/** Writes a whole item, over whatever is there or only where nothing is. */
export function putPlan<T extends object, K extends keyof T>(
  table: Table<T, K>,
  item: T,
  options: ConditionOptions<T> & { readonly as: 'put' | 'create' },
): WritePlan<Written<T>, NotFound | NotMet<T, 'exists' | 'version' | 'condition'>> {
  const { as } = options;
  if (as === 'create') {
    refuseConditions(
      options,
      'create() takes no condition, as it writes only where there is no item to meet one',
      'Leave it out, or use put() to write over an item that meets it.',
    );
  }
  const key = table.keyOf(item);
  const whole = table.encode(item, key);
  const { expressions, ifVersion, conditional } = ownCondition(table, options);
  const written = (stored: Item, stamp: Stamp, replayed: boolean): Written<T> => ({
    ok: true,
    item: table.decode(stored),
    version: versionOf(stamp),
    token: stamp.token,
    replayed,
  });
  return {
    verb: as,
    table,
    key,
    expects: { live: as === 'create' ? 'must-not' : 'any', ifVersion, conditional },
    build: (stamp) => ({
      op: 'PutItem',
      input: guard({ TableName: table.tableName, Item: whole, ...expressions }, stamp, {
        as,
        key: keyAttribute(key),
        attributes: table.attributes,
        unfenced: table.unfenced,
        ...versionOption(ifVersion),
      }),
    }),
    done: (_, stamp) => written(whole, stamp, false),
    // Of a number that the caller has given to two writes, what is there is the other one.
    replayed: (stored, stamp) => written(stored ?? whole, stamp, true),
    refused: (reason, met) => refusal(table, reason, met),
  };
}
