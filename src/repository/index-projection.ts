import type { GlobalSecondaryIndexDescription } from '@aws-sdk/client-dynamodb';
import { read } from '../dynamo/read.ts';
import type { Deadline } from '../fence/deadline.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { Table } from './table.ts';

/**
 * Makes sure, once per index, that it holds what tells a deleted item from a live one. Without the fence an
 * index shows tombstones as items, without the version it shows no item at all, and neither looks wrong.
 *
 * @throws InvalidInputError where it does not hold them; the service's error where the role may not describe
 * the table. An index that does not exist passes: the query will say so.
 */
export async function checkProjection<T extends object, K extends keyof T>(
  table: Table<T, K>,
  index: string,
  deadline: Deadline,
): Promise<void> {
  if (table.checkedIndexes.has(index)) return;
  const { tableName, wire, attributes } = table;
  const { Table } = await read(wire, { op: 'DescribeTable', input: { TableName: tableName } }, deadline);
  const described = [...(Table?.GlobalSecondaryIndexes ?? []), ...(Table?.LocalSecondaryIndexes ?? [])].find(
    ({ IndexName }) => IndexName === index,
  );
  const missing = described === undefined ? [] : notHeld(described, [attributes.fence, attributes.version]);
  if (missing.length > 0) {
    throw new InvalidInputError(
      'index',
      `${index} does not hold ${missing.join(' and ')}, so deleted items cannot be told from live ones in it`,
      `Project all attributes into it, or include ${missing.join(' and ')}.`,
    );
  }
  table.checkedIndexes.add(index);
}

// A hidden attribute that is a key of the index is as good as missing: no filter may name it there.
function notHeld(
  { Projection }: Pick<GlobalSecondaryIndexDescription, 'Projection'>,
  wanted: readonly string[],
) {
  if (Projection?.ProjectionType === 'ALL') return [];
  return wanted.filter((name) => !Projection?.NonKeyAttributes?.includes(name));
}
