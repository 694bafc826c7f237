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

it('looks at more and more rows where none is live, up to as many as an answer holds', async () => {
  const { ask, limits } = rows(50_000, (n) => n === 49_999);
  expect(await fillPage(ask, 1, undefined)).toEqual({ items: [{ n: { N: '49999' } }], next: undefined });
  expect(limits.slice(0, 4)).toEqual([1, 2, 4, 8]);
  expect(Math.max(...limits)).toBe(10_000);
  expect(limits.length).toBeLessThan(20);
});

it('looks at no more rows where few are live, and the next page goes on where it ended', async () => {
  const { ask, limits } = rows(400_000, (n) => n % 3_000 === 0);
  const { items, next } = await fillPage(ask, 100, undefined);
  expect([items.length, items.at(-1)]).toEqual([100, { n: { N: '297000' } }]);
  expect((await fillPage(ask, 1, next)).items).toEqual([{ n: { N: '300000' } }]);
  expect(Math.max(...limits)).toBe(10_000);
});

it('fills a page of any size by several requests', async () => {
  const { ask, limits } = rows(25_000, () => true);
  const { items, next } = await fillPage(ask, Number.MAX_SAFE_INTEGER, undefined);
  expect([items.length, next]).toEqual([25_000, undefined]);
  expect(limits).toEqual([10_000, 10_000, 10_000]);
});
