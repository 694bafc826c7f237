import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  beginsWith,
  between,
  type Conditions,
  eq,
  gt,
  gte,
  type KeyConditions,
  lt,
  lte,
  oneOf,
  raw,
} from '../../src/expressions.ts';
import { FencedRepository, type Items, type Page } from '../../src/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { all } from '../support/all.ts';
import { live, tombstone } from '../support/planted.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

interface Book {
  shelf: string;
  title: string;
  pages?: number;
  status?: 'lent' | 'here';
}

const text = (value: string) => ({ S: value });

describeEachEngine('queries', (engine) => {
  let table: TestTable;
  let books: FencedRepository<Book, 'shelf' | 'title'>;
  const start = async () => {
    table = await testTable(engine, { partitionKey: 'shelf', sortKey: 'title' });
    books = new FencedRepository({
      client: table.client,
      tableName: table.tableName,
      key: ['shelf', 'title'],
      resource: ({ shelf }) => shelf,
    });
  };
  const key = (title: string, shelf = 's') => ({ shelf: text(shelf), title: text(title) });
  const titles = async (items: Items<Book>) => (await all(items)).map(({ title }) => title);

  describe('of one shelf', () => {
    beforeAll(async () => {
      await start();
      await table.plant(
        live({ ...key('a1'), pages: { N: '10' }, status: text('here') }),
        tombstone(key('a2')),
        live({ ...key('a3'), pages: { N: '30' }, status: text('lent') }),
        { ...key('b1'), pages: { N: '40' } },
        tombstone(key('b2')),
        live({ ...key('c1'), pages: { N: '60' }, status: text('here') }),
        live(key('a1', 'other')),
      );
    });

    const asked: readonly [string, KeyConditions<Book>, readonly string[]][] = [
      ['all of it', { shelf: 's' }, ['a1', 'a3', 'b1', 'c1']],
      ['one book', { shelf: eq('s'), title: 'a3' }, ['a3']],
      ['one that was deleted', { shelf: 's', title: 'a2' }, []],
      ['a beginning', { shelf: 's', title: beginsWith('a') }, ['a1', 'a3']],
      ['a range', { shelf: 's', title: between('a2', 'b2') }, ['a3', 'b1']],
      ['more than', { shelf: 's', title: gt('a3') }, ['b1', 'c1']],
      ['from on', { shelf: 's', title: gte('a3') }, ['a3', 'b1', 'c1']],
      ['less than', { shelf: 's', title: lt('a3') }, ['a1']],
      ['up to', { shelf: 's', title: lte('a3') }, ['a1', 'a3']],
      ['another shelf', { shelf: 'other' }, ['a1']],
      ['no shelf', { shelf: 'none' }, []],
    ];
    it.each(asked)('%s', async (_, key, expected) => {
      expect(await titles(books.query({ key }))).toEqual(expected);
      expect(await titles(books.query({ key, reverse: true }))).toEqual([...expected].reverse());
      expect(await titles(books.query({ key, reverse: false, consistent: true }))).toEqual(expected);
      expect(await books.query({ key }).count()).toBe(expected.length);
      expect(await all(books.query({ key }).pages())).toHaveLength(1);
    });

    const filters: readonly [string, Conditions<Book>, readonly string[]][] = [
      ['a value', { status: 'here' }, ['a1', 'c1']],
      ['several', { status: oneOf(['here', 'lent']), pages: gte(30) }, ['a3', 'c1']],
      ['an expression', raw('pages < :n', { values: { ':n': 40 } }), ['a1', 'a3']],
      ['OR', raw('attribute_exists(pages) OR attribute_not_exists(pages)'), ['a1', 'a3', 'b1', 'c1']],
      ['NOT', raw('NOT pages > :n', { values: { ':n': 1000 } }), ['a1', 'a3', 'b1', 'c1']],
      [
        'a part and an OR',
        [
          { pages: gte(40) },
          raw('#s = :s OR attribute_not_exists(#s)', { names: { '#s': 'status' }, values: { ':s': 'here' } }),
        ],
        ['b1', 'c1'],
      ],
    ];
    it.each(filters)('filtered by %s, which brings no deleted book back', async (_, filter, expected) => {
      expect(await titles(books.query({ key: { shelf: 's' }, filter }))).toEqual(expected);
      expect(await books.query({ key: { shelf: 's' }, filter }).count()).toBe(expected.length);
      const scanned = books.scan({ filter: [filter, { pages: gte(0) }].flat() });
      expect((await titles(scanned)).sort()).toEqual([...expected]);
    });

    it.each([
      [raw('a) OR (b'), /parentheses/],
      [raw('attribute_exists(#f)', { names: { '#f': '_fence' } }), /kept by the fence/],
      [{ _fenceVersion: 'x' }, /kept by the fence/],
      [{}, /asks nothing/],
      [[], /asks nothing/],
    ])('refuses the filter %o before anything is sent', (filter, message) => {
      table.wire.forget();
      const given = { filter: filter as Conditions<Book> };
      expect(() => books.query({ key: { shelf: 's' }, ...given })).toThrow(
        expect.objectContaining({ code: 'invalid-input', message: expect.stringMatching(message) }),
      );
      expect(() => books.scan(given)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
      expect(table.wire.ops).toEqual([]);
    });

    it.each([0, -1, 1.5, Number.NaN, '3'])('refuses pages of %o items', (limit) => {
      expect(() => books.query({ key: { shelf: 's' }, limit: limit as number })).toThrow(
        invalidInput('limit', /size of a page/),
      );
    });

    it('asks for nothing before it is read, and for no more than is read', async () => {
      table.wire.forget();
      const query = books.query({ key: { shelf: 's' }, limit: 1 });
      expect(table.wire.ops).toEqual([]);
      for await (const { title } of query) {
        expect(title).toBe('a1');
        break;
      }
      expect(table.wire.requests.map(({ op, input }) => [op, input.Limit, input.ConsistentRead])).toEqual([
        ['Query', 1, undefined],
      ]);
      // It can be read again, from the beginning.
      expect(await titles(query)).toEqual(['a1', 'a3', 'b1', 'c1']);
    });
  });

  describe('page by page', () => {
    beforeEach(start);
    const row = (kind: 'live' | 'dead' | 'filtered' | 'unfenced', n: number) => {
      const at = key(String(n).padStart(3, '0'));
      if (kind === 'dead') return tombstone(at);
      return kind === 'unfenced' ? at : live(kind === 'filtered' ? { ...at, status: text('lent') } : at);
    };
    const page = async (options: { limit: number; cursor?: string | undefined; reverse?: boolean }) => {
      const { cursor, ...rest } = options;
      const pages = books
        .query({
          key: { shelf: 's' },
          filter: raw('NOT #s = :s', { names: { '#s': 'status' }, values: { ':s': 'lent' } }),
          ...rest,
          ...(cursor === undefined ? {} : { cursor }),
        })
        .pages();
      return (await pages.next()).value as Page<Book>;
    };

    it('every layout gives full pages, each item once and in order, by cursors that travel as JSON', async () => {
      const layout = fc.array(fc.constantFrom('live', 'dead', 'dead', 'filtered', 'unfenced'), {
        maxLength: 25,
      });
      await fc.assert(
        fc.asyncProperty(
          layout,
          fc.integer({ min: 1, max: 6 }),
          fc.boolean(),
          async (kinds, limit, reverse) => {
            await start();
            await table.plant(...kinds.map(row));
            const expected = kinds.flatMap((kind, n) =>
              kind === 'dead' || kind === 'filtered' ? [] : [String(n).padStart(3, '0')],
            );
            const found: string[][] = [];
            let cursor: string | undefined;
            do {
              const { items, cursor: next } = await page({ limit, cursor, reverse });
              found.push(items.map(({ title }) => title));
              cursor = next === undefined ? undefined : (JSON.parse(JSON.stringify({ next })).next as string);
            } while (cursor !== undefined);
            expect(found.flat()).toEqual(reverse ? expected.reverse() : expected);
            expect(found.slice(0, -1).every((titles) => titles.length === limit)).toBe(true);
            expect(found.at(-1)?.length).toBeLessThanOrEqual(limit);
          },
        ),
        { numRuns: 8 },
      );
    });

    it('the same within one iteration', async () => {
      await table.plant(
        ...(['live', 'dead', 'live', 'dead', 'dead', 'live', 'live', 'dead'] as const).map(row),
      );
      const query = books.query({ key: { shelf: 's' }, limit: 3 });
      const pages = await all(query.pages());
      expect(pages.map(({ items }) => items.map(({ title }) => title))).toEqual([
        ['000', '002', '005'],
        ['006'],
      ]);
      expect(pages.map(({ cursor }) => typeof cursor)).toEqual(['string', 'undefined']);
    });

    it('as many items as a page has: one page, and an empty one where the storage cannot know', async () => {
      await table.plant(...Array.from({ length: 10 }, (_, n) => row('live', n)));
      const pages = await all(books.query({ key: { shelf: 's' }, limit: 10 }).pages());
      expect(pages.flatMap(({ items }) => items)).toHaveLength(10);
      expect(pages.length).toBeLessThanOrEqual(2);
      expect(pages.at(-1)?.cursor).toBeUndefined();
    });

    it('many tombstones cost few requests', async () => {
      await table.plant(...Array.from({ length: 120 }, (_, n) => row(n % 60 === 59 ? 'live' : 'dead', n)));
      table.wire.forget();
      const { items } = await page({ limit: 2 });
      expect(items.map(({ title }) => title)).toEqual(['059', '119']);
      expect(table.wire.ops.length).toBeLessThan(9);
    });

    it('few tombstones cost little more than none', async () => {
      await table.plant(...Array.from({ length: 50 }, (_, n) => row(n === 3 ? 'dead' : 'live', n)));
      table.wire.forget();
      const { items } = await page({ limit: 20 });
      expect(items).toHaveLength(20);
      expect(table.wire.requests.map(({ input }) => input.Limit)).toEqual([20, 2]);
    });

    it('refuses a cursor that was cut short or is none', async () => {
      await table.plant(...Array.from({ length: 4 }, (_, n) => row('live', n)));
      const { cursor = '' } = await page({ limit: 2 });
      table.wire.forget();
      const damaged = Array.from(cursor, (_, end) => cursor.slice(0, end));
      const made = (scalars: unknown) => Buffer.from(JSON.stringify(scalars)).toString('base64url');
      damaged.push(
        made([['shelf', 'S', 5]]),
        made([[5, 'S', 's']]),
        made([['shelf', 'X', 's']]),
        made({ shelf: 's' }),
      );
      for (const bad of [
        ...damaged,
        'x',
        'bnVsbA',
        'W10',
        'W1tdXQ',
        'e30',
        JSON.stringify({ shelf: 's' }),
        3,
        {},
      ]) {
        const options = { key: { shelf: 's' }, cursor: bad as string };
        expect(() => books.query(options), String(bad)).toThrow(invalidInput('cursor', /damaged/));
      }
      expect(table.wire.ops).toEqual([]);
    });

    it('stops when the caller aborts between two pages', async () => {
      await table.plant(...Array.from({ length: 4 }, (_, n) => row('live', n)));
      table.wire.forget();
      const stop = new AbortController();
      const reason = new Error('enough');
      const seen: string[] = [];
      const reading = (async () => {
        for await (const { title } of books.query({ key: { shelf: 's' }, limit: 2, signal: stop.signal })) {
          seen.push(title);
          if (seen.length === 2) stop.abort(reason);
        }
      })();
      await expect(reading).rejects.toBe(reason);
      expect(seen).toEqual(['000', '001']);
      expect(table.wire.ops).toEqual(['Query']);
      await expect(books.query({ key: { shelf: 's' }, signal: stop.signal }).count()).rejects.toBe(reason);
      expect(table.wire.ops).toEqual(['Query']);
    });
  });
});
