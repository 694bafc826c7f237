import { guardCheck } from '../dynamo/guard-check.ts';
import type { CheckPlan } from '../dynamo/plan.ts';
import type { NotFound, NotMet } from '../fence/result.ts';
import type { CheckOptions } from './options.ts';
import { ownCondition, refuseConditions, versionOption } from './own-condition.ts';
import { refusal } from './refusals.ts';
import type { Table } from './table.ts';

/** Asks something of an item that the transaction does not write. */
export function checkPlan<T extends object, K extends keyof T>(
  table: Table<T, K>,
  identity: Pick<T, K>,
  options: CheckOptions<T>,
): CheckPlan<NotFound | NotMet<T, 'exists' | 'version' | 'condition'>> {
  const key = table.keyOf(identity);
  const { absent = false } = options;
  if (absent) {
    refuseConditions(
      options,
      'it asks something of an item that must not be there',
      'Leave out either this or absent.',
    );
  }
  const { expressions, ifVersion, conditional } = ownCondition(table, options);
  return {
    verb: 'check',
    table,
    key,
    expects: { live: absent ? 'must-not' : 'must', ifVersion, conditional },
    build: (stamp) =>
      guardCheck({ TableName: table.tableName, Key: key, ...expressions }, stamp, {
        as: absent ? 'check-absent' : 'check',
        attributes: table.attributes,
        unfenced: table.unfenced,
        ...versionOption(ifVersion),
      }),
    refused: (reason, met) => refusal(table, reason, met),
  };
}
