import { compileConditions, compileKeyConditions } from '../dynamo/conditions.ts';
import { checkExpressionSize } from '../dynamo/expression-size.ts';
import { attributeValues } from '../dynamo/input-form.ts';
import { keyOperands } from '../dynamo/key-operands.ts';
import { liveFilter } from '../dynamo/liveness.ts';
import type { Conditions, KeyConditions } from '../dynamo/operators.ts';
import { type ExpressionParts, placeholdersBeside } from '../dynamo/placeholders.ts';
import { mentionedAttributes } from '../dynamo/update-expression.ts';
import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { checkCursor } from './check-cursor.ts';
import { mergeExpressions } from './merge-expressions.ts';
import type { PageOptions } from './page-options.ts';
import { type FoundItems, readItems } from './pages.ts';
import type { ReadInput, Reading } from './reading.ts';
import type { Table } from './table.ts';

/** What to look for by key. `Keys` are key attributes that items do not show, as those of a single-table design. */
export interface QueryOptions<T, Keys extends object = object> extends PageOptions {
  /**
   * The index to ask; default the table itself. It must project the hidden attributes: without them it would
   * show deleted items, so it is refused. Indexes are eventually consistent, and may show what was there before.
   */
  readonly index?: string;
  /** The partition key, and a condition on the sort key if wanted: `{ pk: 'a1', sk: beginsWith('2026-') }`. */
  readonly key: KeyConditions<T & Keys>;
  /** Only items that meet these, too. They are read, and paid for, all the same. */
  readonly filter?: Conditions<T>;
  /** From the largest sort key down. Default false. */
  readonly reverse?: boolean;
}

/** What to look for in the whole table. */
export interface ScanOptions<T> extends PageOptions {
  /** As in {@link QueryOptions}. */
  readonly index?: string;
  readonly filter?: Conditions<T>;
  /**
   * How many parts of the table to read next to each other, from 1 to 1,000, of which at most 50 are under way at a
   * time; the items of all come mixed. Default 1. Not with a cursor.
   */
  readonly segments?: number;
}

/** Live items of one partition, in the order of the sort key. */
export function queryItems<T extends object, K extends keyof T, Keys extends object>(
  table: Table<T, K>,
  options: QueryOptions<T, Keys>,
): FoundItems<T> {
  const { index, key, filter, reverse, cursor } = options;
  const compiled = compileKeyConditions(key, 'key');
  table.refuseHidden(compiled, 'key');
  const { ConditionExpression: KeyConditionExpression, ...names } = compiled;
  const asked = keyOperands(key, 'key');
  checkCursor(cursor, { names: table.keys.names, indexed: index !== undefined, asked });
  const keys = new Set([...asked.keys(), ...(index === undefined ? table.keys.names : [])]);
  const input: ReadInput = {
    ...liveOnly(table, filter, names, keys),
    KeyConditionExpression,
    ...(index === undefined ? {} : { IndexName: index }),
    ...(reverse === undefined ? {} : { ScanIndexForward: !reverse }),
  };
  return readItems(table, [{ op: 'Query', input, options }]);
}

/** DynamoDB takes a million, each of which costs a request at least: no table is read the faster for it. */
const MOST_SEGMENTS = 1_000;

/** Live items of the whole table, in no order. */
export function scanItems<T extends object, K extends keyof T>(
  table: Table<T, K>,
  options: ScanOptions<T>,
): FoundItems<T> {
  const { index, filter, segments = 1, cursor } = options;
  if (!Number.isSafeInteger(segments) || segments < 1 || segments > MOST_SEGMENTS) {
    throw new InvalidInputError(
      'segments',
      `${describe(segments)} is no number of segments`,
      'Pass a whole number from 1 to 1,000.',
    );
  }
  if (segments > 1 && cursor !== undefined) {
    throw new InvalidInputError(
      'cursor',
      'several segments have no common position',
      'Leave out either the cursor or the segments.',
    );
  }
  checkCursor(cursor, { names: table.keys.names, indexed: index !== undefined, asked: new Map() });
  const input = {
    ...liveOnly(table, filter, {}, new Set()),
    ...(index === undefined ? {} : { IndexName: index }),
  };
  const segment = (n: number): Reading => ({
    op: 'Scan',
    input: segments === 1 ? input : { ...input, Segment: n, TotalSegments: segments },
    options,
  });
  return readItems(
    table,
    Array.from({ length: segments }, (_, n) => segment(n)),
  );
}

/** @throws InvalidInputError where the filter of a query asks about its key. */
function refuseKeys(
  { ConditionExpression, ExpressionAttributeNames }: ExpressionParts,
  keys: ReadonlySet<string>,
): void {
  for (const name of mentionedAttributes(ConditionExpression, ExpressionAttributeNames)) {
    if (!keys.has(name)) continue;
    throw new InvalidInputError(
      'filter',
      `${name} is part of the key that the query goes by, of which no filter may ask`,
      'Ask it in the key of the query, or read all and choose afterwards.',
    );
  }
}

// The caller's filter stands beside ours, in parentheses: its OR must not bring tombstones back.
function liveOnly<T extends object, K extends keyof T>(
  table: Table<T, K>,
  filter: Conditions<T> | undefined,
  keyParts: ExpressionParts,
  keys: ReadonlySet<string>,
): ReadInput {
  const compiled = filter === undefined ? {} : compileConditions(filter, 'filter');
  table.refuseHidden(compiled, 'filter');
  refuseKeys(compiled, keys);
  const { ConditionExpression: own, ...parts } = mergeExpressions(keyParts, compiled);
  const placeholders = placeholdersBeside({ ...parts, ConditionExpression: own }, attributeValues);
  const live = liveFilter(table.attributes, placeholders);
  const FilterExpression = own === undefined ? live : `${live} AND (${own})`;
  checkExpressionSize(FilterExpression, 'filter', ' together with what hides deleted items');
  return {
    ...parts,
    FilterExpression,
    ExpressionAttributeNames: { ...parts.ExpressionAttributeNames, ...placeholders.names },
  };
}
