import { expect, it } from 'vitest';
import { merge } from '../../src/repository/merge-async.ts';
import { all } from '../support/all.ts';

/** Streams of one number after the other, as slow as a request, and how many of them are under way. */
function streams(count: number, each = 2) {
  const seen = { underWay: 0, most: 0, begun: 0, ended: 0 };
  const stream = async function* (n: number) {
    seen.begun++;
    try {
      for (let i = 0; i < each; i++) {
        seen.most = Math.max(seen.most, ++seen.underWay);
        await new Promise((resolve) => setImmediate(resolve));
        seen.underWay--;
        yield n * each + i;
      }
    } finally {
      seen.ended++;
    }
  };
  return { seen, streams: Array.from({ length: count }, (_, n) => stream(n)) };
}

it('gives everything once', async () => {
  const { streams: many } = streams(20, 3);
  const found = await all(merge(many, 4));
  expect(found.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n));
});

it('gives nothing of none', async () => {
  expect(await all(merge([], 4))).toEqual([]);
});

it('reads so many at a time, and no more', async () => {
  const { seen, streams: many } = streams(40);
  await all(merge(many, 4));
  expect(seen).toEqual({ underWay: 0, most: 4, begun: 40, ended: 40 });
});

it('runs ahead of its reader by one each', async () => {
  const { seen, streams: many } = streams(9, 50);
  const merged = merge(many, 3);
  await merged.next();
  for (let turns = 0; turns < 200; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toMatchObject({ underWay: 0, begun: 3 });
  const { value } = await merged.next();
  expect(value).toBeLessThan(150);
  await merged.return(undefined);
  expect(seen).toMatchObject({ begun: 3, ended: 3 });
});
