import { expect, it } from 'vitest';
import type { Item } from '../../src/dynamo/attributes.ts';
import { type Ask, fillPage } from '../../src/repository/fill-page.ts';

/** Rows by their numbers, `live` of which pass the filter; the limits that were asked for. */
function rows(count: number, live: (n: number) => boolean) {
  const limits: number[] = [];
  const ask: Ask = async (from, limit = count) => {
    limits.push(limit);
    const start = from === undefined ? 0 : Number(from.n?.N) + 1;
    const end = Math.min(start + limit, count);
    const Items: Item[] = [];
    for (let n = start; n < end; n++) if (live(n)) Items.push({ n: { N: `${n}` } });
    return end < count ? { Items, LastEvaluatedKey: { n: { N: `${end - 1}` } } } : { Items };
  };
  return { ask, limits };
}

const inTime = () => false;

it('looks at more and more rows where none is live, up to as many as an answer holds', async () => {
  const { ask, limits } = rows(50_000, (n) => n === 49_999);
  expect(await fillPage(ask, 1, undefined, inTime)).toEqual({
    items: [{ n: { N: '49999' } }],
    next: undefined,
  });
  expect(limits.slice(0, 4)).toEqual([1, 2, 4, 8]);
  expect(Math.max(...limits)).toBe(10_000);
  expect(limits.length).toBeLessThan(20);
});

it('looks at no more rows where few are live, and the next page goes on where it ended', async () => {
  const { ask, limits } = rows(400_000, (n) => n % 3_000 === 0);
  const { items, next } = await fillPage(ask, 100, undefined, inTime);
  expect([items.length, items.at(-1)]).toEqual([100, { n: { N: '297000' } }]);
  expect((await fillPage(ask, 1, next, inTime)).items).toEqual([{ n: { N: '300000' } }]);
  expect(Math.max(...limits)).toBe(10_000);
});

it('fills a page of any size by several requests', async () => {
  const { ask, limits } = rows(25_000, () => true);
  const { items, next } = await fillPage(ask, Number.MAX_SAFE_INTEGER, undefined, inTime);
  expect([items.length, next]).toEqual([25_000, undefined]);
  expect(limits).toEqual([10_000, 10_000, 10_000]);
});

it('ends where its time is up, with a place to go on behind', async () => {
  const { ask } = rows(100, (n) => n > 20 && n % 10 === 0);
  const upTo = (start: Item | undefined) => {
    let asked = 0;
    const late: Ask = (from, limit) => (++asked === 4 ? Promise.reject(new Error('late')) : ask(from, limit));
    return fillPage(late, 3, start, () => true);
  };
  const first = await upTo(undefined);
  expect(first).toEqual({ items: [], next: { n: { N: '20' } } });
  const found = [];
  for (let next = first.next; next !== undefined; ) {
    const page = await upTo(next);
    found.push(...page.items.map(({ n }) => Number(n?.N)));
    next = page.next;
  }
  expect(found).toEqual([30, 40, 50, 60, 70, 80, 90]);
});

it('passes on the error of a request that was not late, and of one that got nowhere', async () => {
  const error = new Error('no');
  const fails: Ask = () => Promise.reject(error);
  await expect(fillPage(fails, 3, undefined, () => true)).rejects.toBe(error);
  await expect(fillPage(fails, undefined, undefined, () => true)).rejects.toBe(error);
  const { ask } = rows(100, () => false);
  const later: Ask = (from, limit) => (from === undefined ? ask(from, limit) : fails(from, limit));
  await expect(fillPage(later, 3, undefined, inTime)).rejects.toBe(error);
});
