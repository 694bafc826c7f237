import type { Item } from '../dynamo/attributes.ts';

/** Asks for rows from a position on; `limit` bounds the rows that are looked at, live or not. */
export type Ask = (
  from: Item | undefined,
  limit: number | undefined,
) => Promise<{ readonly Items?: readonly Item[]; readonly LastEvaluatedKey?: Item }>;

/** More rows than this seldom fit into the megabyte at which an answer ends anyway, and DynamoDB refuses what is no 32 bit integer. */
const MOST_ROWS = 10_000;

type Answer = Awaited<ReturnType<Ask>>;

/**
 * Reads until a page has as many live items as it shall have, or nothing is left.
 *
 * DynamoDB counts the rows that it looks at, not those that pass its filter, and tombstones stay for ever. So
 * further requests look at as many rows as the yield so far makes likely to be enough: a thousand tombstones
 * cost a few requests, not a thousand. If that was too much the page is cut, and the next one begins behind
 * its last item.
 *
 * A page whose time is up has what was found by then, be it nothing, and a key to go on behind: so whoever turns pages gets on, however
 * many rows lie between two items.
 *
 * @param limit how many items; undefined for what one answer holds.
 * @param timeIsUp asked where a request has failed.
 * @returns the items, and the key of the row behind which the next page begins; undefined where none can follow.
 */
export async function fillPage(
  ask: Ask,
  limit: number | undefined,
  start: Item | undefined,
  timeIsUp: () => boolean,
): Promise<{ readonly items: Item[]; readonly next: Item | undefined }> {
  if (limit === undefined) {
    const { Items = [], LastEvaluatedKey } = await ask(start, undefined);
    return { items: [...Items], next: LastEvaluatedKey };
  }
  const items: Item[] = [];
  let from = start;
  let looked = 0;
  let size = Math.min(limit, MOST_ROWS);
  do {
    let answer: Answer;
    try {
      answer = await ask(from, size);
    } catch (error) {
      if (from === start || !timeIsUp()) throw error;
      return { items, next: from };
    }
    const { Items = [], LastEvaluatedKey } = answer;
    const missing = limit - items.length;
    items.push(...Items.slice(0, missing));
    // Only later requests look at more than is missing, so there is an earlier key to take the names from.
    if (Items.length > missing) return { items, next: sameNames(from, items.at(-1)) };
    from = LastEvaluatedKey;
    looked += size;
    const likely = items.length === 0 ? size * 2 : ((limit - items.length) * looked) / items.length;
    size = Math.min(Math.ceil(likely), MOST_ROWS);
  } while (from !== undefined && items.length < limit);
  return { items, next: from };
}

/** The key of an item, of the attributes that another key has: those of the table and of the index. */
function sameNames(key: Item = {}, item: Item = {}): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => Object.hasOwn(key, name)));
}
