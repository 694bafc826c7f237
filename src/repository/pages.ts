import type { QueryCommandInput, ScanCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from '../dynamo/attributes.ts';
import { read } from '../dynamo/read.ts';
import type { Output, Request } from '../dynamo/send.ts';
import { type CallOptions, Deadline } from '../fence/deadline.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { fillPage } from './fill-page.ts';
import { checkProjection } from './index-projection.ts';
import { merge } from './merge-async.ts';
import type { Table } from './table.ts';

/** Some live items, and where to go on. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Pass it to the same query to go on behind this page; undefined where nothing can follow. */
  readonly cursor: string | undefined;
}

/** Items that are read as they are asked for. */
export interface Items<T> extends AsyncIterable<T> {
  /** The same, page by page. */
  pages(): AsyncIterableIterator<Page<T>>;
  /** How many live items there are, without reading them out. Costs the same read units. */
  count(): Promise<number>;
}

/** How pages are read. */
export interface PageOptions extends CallOptions {
  /**
   * How many live items a page has; tombstones and filtered items do not count. It bounds a page, not the
   * iteration, which goes on to the end: take one page to have so many items. The last page may have fewer, or
   * none. Default: what one answer of DynamoDB holds (up to 1 MB), which may be none too.
   */
  readonly limit?: number;
  /** Where an earlier page ended. */
  readonly cursor?: string;
  /** Read strongly consistently: twice the cost, and not possible on a global secondary index. Default false. */
  readonly consistent?: boolean;
}

/** The parts that are not about paging. */
export type ReadInput = Omit<
  QueryCommandInput & ScanCommandInput,
  'TableName' | 'Limit' | 'ExclusiveStartKey' | 'Select'
>;

/** One stream of pages: what to ask, and how. `timeoutMs` bounds each page, not what its reader does in between. */
export interface Reading {
  readonly op: 'Query' | 'Scan';
  readonly input: ReadInput;
  readonly options: PageOptions;
}

/** The items of one or more streams; those of several come mixed, and without cursors. */
export function readItems<T extends object, K extends keyof T>(
  table: Table<T, K>,
  readings: readonly [Reading, ...Reading[]] | readonly Reading[],
): Items<T> {
  for (const { options } of readings) checkPageOptions(options);
  const pages = (): AsyncIterableIterator<Page<T>> => {
    const streams = readings.map((reading) => readPages(table, reading));
    return streams.length === 1 ? (streams[0] as AsyncGenerator<Page<T>>) : merge(streams);
  };
  return {
    pages,
    async count() {
      const counts = await Promise.all(readings.map((reading) => countItems(table, reading)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.items;
    },
  };
}

async function* readPages<T extends object, K extends keyof T>(
  table: Table<T, K>,
  reading: Reading,
): AsyncGenerator<Page<T>> {
  const { limit, cursor } = reading.options;
  const severalStreams = reading.input.TotalSegments !== undefined;
  let from = cursor === undefined ? undefined : decodeCursor(cursor);
  do {
    const page = await bounded(table, reading, (ask) =>
      fillPage((start, Limit) => ask(start, Limit === undefined ? {} : { Limit }), limit, from),
    );
    from = page.next;
    yield {
      items: page.items.map((item) => table.decode(item)),
      cursor: from === undefined || severalStreams ? undefined : encodeCursor(from),
    };
  } while (from !== undefined);
}

async function countItems<T extends object, K extends keyof T>(
  table: Table<T, K>,
  reading: Reading,
): Promise<number> {
  const { cursor } = reading.options;
  let from = cursor === undefined ? undefined : decodeCursor(cursor);
  let count = 0;
  do {
    const output = await bounded(table, reading, (ask) => ask(from, { Select: 'COUNT' }));
    count += output.Count ?? 0;
    from = output.LastEvaluatedKey;
  } while (from !== undefined);
  return count;
}

type AskFrom = (from: Item | undefined, more: Pick<QueryCommandInput, 'Limit' | 'Select'>) => Promise<Output>;

/** Does the requests of one page within one deadline. */
async function bounded<T extends object, K extends keyof T, R>(
  table: Table<T, K>,
  { op, input, options }: Reading,
  work: (ask: AskFrom) => Promise<R>,
): Promise<R> {
  const deadline = new Deadline(table.wire.clock, options);
  try {
    if (table.checkIndexes && input.IndexName !== undefined) {
      await checkProjection(table, input.IndexName, deadline);
    }
    return await work((from, more) => {
      const request = {
        op,
        input: {
          ...input,
          ...more,
          TableName: table.tableName,
          ...(options.consistent === undefined ? {} : { ConsistentRead: options.consistent }),
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        },
      } as Request;
      return read(table.wire, request, deadline);
    });
  } finally {
    deadline[Symbol.dispose]();
  }
}

function checkPageOptions({ limit, cursor }: PageOptions): void {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0)) {
    throw new InvalidInputError(
      'limit',
      `${String(limit)} is no size of a page`,
      'Pass a whole number from 1, or leave it out.',
    );
  }
  if (cursor !== undefined) decodeCursor(cursor);
}
