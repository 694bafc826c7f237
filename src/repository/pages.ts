import type { Item } from '../dynamo/attributes.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { failsForGood } from './fails-for-good.ts';
import { fillPage } from './fill-page.ts';
import { merge } from './merge-async.ts';
import { checkNumberOfItems, checkPageOptions } from './page-options.ts';
import { bounded, type Reading } from './reading.ts';
import type { Table, Versioned } from './table.ts';

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
  /**
   * The first `n` items, fewer where there are no more. Reads no further than needed: `limit`, where none is given, is `n`.
   *
   * @throws InvalidInputError where `n` is no whole number from 1; what iterating throws.
   */
  first(n: number): Promise<T[]>;
  /** How many live items there are, without reading them out. Costs the same read units. */
  count(): Promise<number>;
}

/** Items as a query or a scan finds them. */
export interface FoundItems<T> extends Items<T> {
  /** The same items, each as `{ item, version }`, with the version for `ifVersion`. Costs nothing more. */
  versioned(): Items<Versioned<T>>;
}

/** Streams that are read at a time: as many as the SDK opens connections, unless it is told otherwise. */
const AT_ONCE = 50;

/** The items of one or more streams; those of several come mixed, and without cursors. */
export function readItems<T extends object, K extends keyof T>(
  table: Table<T, K>,
  readings: readonly Reading[],
): FoundItems<T> {
  for (const { options } of readings) checkPageOptions(options);
  return {
    ...itemsOf(table, readings, (item) => table.decode(item)),
    // What the filter lets through is live.
    versioned: () => itemsOf(table, readings, (item) => table.view(item) as Versioned<T>),
  };
}

function itemsOf<T extends object, K extends keyof T, Shown>(
  table: Table<T, K>,
  readings: readonly Reading[],
  show: (item: Item) => Shown,
): Items<Shown> {
  const pages = (of = readings): AsyncIterableIterator<Page<Shown>> => {
    const streams = of.map((reading) => readPages(table, reading, show));
    const [only] = streams;
    return failsForGood(only !== undefined && streams.length === 1 ? only : merge(streams, AT_ONCE));
  };
  return {
    pages: () => pages(),
    async first(n) {
      checkNumberOfItems(n);
      const found: Shown[] = [];
      for await (const { items } of pages(readings.map((reading) => withLimit(reading, n)))) {
        found.push(...items.slice(0, n - found.length));
        if (found.length === n) break;
      }
      return found;
    },
    async count() {
      let sum = 0;
      const counts = readings.map((reading) => countPages(table, reading));
      for await (const count of merge(counts, AT_ONCE)) sum += count;
      return sum;
    },
    [Symbol.asyncIterator]: () => failsForGood(each(pages())),
  };
}

async function* each<Shown>(pages: AsyncIterable<Page<Shown>>): AsyncGenerator<Shown> {
  for await (const { items } of pages) yield* items;
}

function withLimit(reading: Reading, n: number): Reading {
  return { ...reading, options: { ...reading.options, limit: reading.options.limit ?? n } };
}

async function* readPages<T extends object, K extends keyof T, Shown>(
  table: Table<T, K>,
  reading: Reading,
  show: (item: Item) => Shown,
): AsyncGenerator<Page<Shown>> {
  const { limit, cursor } = reading.options;
  const severalStreams = reading.input.TotalSegments !== undefined;
  let from = cursor === undefined ? undefined : decodeCursor(cursor);
  do {
    const page = await bounded(table, reading, (ask, timeIsUp) =>
      fillPage((start, Limit) => ask(start, Limit === undefined ? {} : { Limit }), limit, from, timeIsUp),
    );
    from = page.next;
    yield {
      items: page.items.map(show),
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
