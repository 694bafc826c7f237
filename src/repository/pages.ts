import { decodeCursor, encodeCursor } from './cursor.ts';
import { fillPage } from './fill-page.ts';
import { merge } from './merge-async.ts';
import { checkPageOptions } from './page-options.ts';
import { bounded, type Reading } from './reading.ts';
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

/** The items of one or more streams; those of several come mixed, and without cursors. */
export function readItems<T extends object, K extends keyof T>(
  table: Table<T, K>,
  readings: readonly Reading[],
): Items<T> {
  for (const { options } of readings) checkPageOptions(options);
  const pages = (): AsyncIterableIterator<Page<T>> => {
    const streams = readings.map((reading) => readPages(table, reading));
    return streams.length === 1 ? (streams[0] as AsyncGenerator<Page<T>>) : merge(streams);
  };
  return {
    pages,
    async count() {
      let sum = 0;
      for await (const count of merge(readings.map((reading) => countPages(table, reading)))) sum += count;
      return sum;
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

async function* countPages<T extends object, K extends keyof T>(
  table: Table<T, K>,
  reading: Reading,
): AsyncGenerator<number> {
  const { cursor } = reading.options;
  let from = cursor === undefined ? undefined : decodeCursor(cursor);
  do {
    const output = await bounded(table, reading, (ask) => ask(from, { Select: 'COUNT' }));
    from = output.LastEvaluatedKey;
    yield output.Count ?? 0;
  } while (from !== undefined);
}
