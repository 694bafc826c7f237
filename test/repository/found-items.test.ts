import { beforeEach, describe, expect, it } from 'vitest';
import { FencedRepository } from '../../src/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { all } from '../support/all.ts';
import { granted } from '../support/fences.ts';
import { live, tombstone } from '../support/planted.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

interface Book {
  shelf: string;
  title: string;
}

describeEachEngine('what a query or a scan finds', (engine) => {
  let table: TestTable;
  let books: FencedRepository<Book, 'shelf' | 'title'>;
  const key = (title: string) => ({ shelf: { S: 's' }, title: { S: title } });
  const titles = (found: readonly Book[]) => found.map(({ title }) => title);
  const limits = () => table.wire.requests.map(({ input }) => input.Limit);

  beforeEach(async () => {
    table = await testTable(engine, { partitionKey: 'shelf', sortKey: 'title' });
    const { client, tableName } = table;
    books = new FencedRepository({
      ...{ client, tableName, key: ['shelf', 'title'], resource: ({ shelf }) => shelf },
    });
    await table.plant(
      tombstone(key('a')),
      live(key('b')),
      { ...key('c') },
      tombstone(key('d')),
      live(key('e')),
      live(key('f')),
    );
  });

  describe('with versions', () => {
    it.each([
      ['a query', () => books.query({ key: { shelf: 's' } })],
      ['a scan', () => books.scan()],
      ['a scan in segments', () => books.scan({ segments: 3 })],
    ])('%s: those that get() answers', async (_, find) => {
      const found = await all(find().versioned());
      expect(found).toHaveLength(4);
      expect(found).toEqual(await books.getMany(found.map(({ item }) => item)));
      expect(found.find(({ item }) => item.title === 'c')?.version).toBe('unfenced');
    });

    it('they serve as ifVersion', async () => {
      const lease = granted('s', 50);
      for await (const { item, version } of books.query({ key: { shelf: 's' } }).versioned()) {
        expect(await books.put(lease, item, { ifVersion: version })).toMatchObject({ ok: true });
        expect(await books.put(lease, item, { ifVersion: version })).toMatchObject({ reason: 'version' });
      }
    });

    it('by pages, counted, and the first ones', async () => {
      const found = books.query({ key: { shelf: 's' }, limit: 3 }).versioned();
      const pages = await all(found.pages());
      expect(pages.map(({ items }) => titles(items.map(({ item }) => item)))).toEqual([
        ['b', 'c', 'e'],
        ['f'],
      ]);
      expect(await found.count()).toBe(4);
      expect(await found.first(1)).toEqual([await books.get({ shelf: 's', title: 'b' })]);
    });
  });

  describe('the first n', () => {
    it('are live, in order, and no more', async () => {
      const query = books.query({ key: { shelf: 's' } });
      expect(titles(await query.first(3))).toEqual(['b', 'c', 'e']);
      expect(titles(await query.first(100))).toEqual(['b', 'c', 'e', 'f']);
      expect(titles(await books.query({ key: { shelf: 's' }, reverse: true }).first(2))).toEqual(['f', 'e']);
    });

    it('are asked for in pages of n, unless a limit is given', async () => {
      await books.query({ key: { shelf: 's' }, reverse: true }).first(2);
      expect(limits()).toEqual([2]);
      table.wire.forget();
      await books.query({ key: { shelf: 's' }, reverse: true, limit: 1 }).first(2);
      expect(limits()).toEqual([1, 1]);
    });

    it('of several segments', async () => {
      expect(await books.scan({ segments: 4 }).first(2)).toHaveLength(2);
      expect(await books.scan({ segments: 4 }).first(9)).toHaveLength(4);
    });

    it('go on from a cursor', async () => {
      const [page] = await all(books.query({ key: { shelf: 's' }, limit: 2 }).pages());
      const cursor = page?.cursor as string;
      expect(titles(await books.query({ key: { shelf: 's' }, cursor }).first(1))).toEqual(['e']);
    });

    it.each([0, -1, 1.5, Number.NaN])('%d is no number of items', async (n) => {
      await expect(books.scan().first(n)).rejects.toMatchObject({ code: 'invalid-input', path: 'n' });
      expect(table.wire.ops).toEqual([]);
    });
  });
});
