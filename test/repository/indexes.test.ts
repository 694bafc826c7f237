import { expect, it } from 'vitest';
import { add, beginsWith, remove } from '../../src/expressions.ts';
import { FencedRepository, type FencedRepositoryOptions } from '../../src/index.ts';
import { respond } from '../../src/testing/index.ts';
import type { IndexDefinition } from '../../src/testing/table-definition.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { all } from '../support/all.ts';
import { granted } from '../support/fences.ts';
import { live, tombstone } from '../support/planted.ts';
import { testTable } from '../support/test-table.ts';
import { auditNames } from '../support/wire-audit.ts';

interface Book {
  shelf: string;
  title: string;
  lentTo?: string;
  pages?: number;
}

auditNames({ fence: ['f'] });

describeEachEngine('indexes', (engine) => {
  const books = async (
    indexes: readonly IndexDefinition[],
    options: Partial<FencedRepositoryOptions<Book, 'shelf' | 'title'>> = {},
  ) => {
    const table = await testTable(engine, { partitionKey: 'shelf', sortKey: 'title', indexes });
    const repository = new FencedRepository<Book, 'shelf' | 'title'>({
      client: table.client,
      tableName: table.tableName,
      key: ['shelf', 'title'],
      resource: ({ shelf }) => shelf,
      ...options,
    });
    return { table, books: repository };
  };
  const key = (title: string) => ({ shelf: { S: 's' }, title: { S: title } });
  const lent = (projection: IndexDefinition['projection'] = 'all'): IndexDefinition => ({
    indexName: 'lent',
    partitionKey: 'lentTo',
    sortKey: 'title',
    projection,
  });

  it('that are sparse are left by what is deleted, and by what loses their key', async () => {
    const { table, books: library } = await books([lent()]);
    const lease = granted('s', 7);
    for (const title of ['a', 'b', 'c']) await library.create(lease, { shelf: 's', title, lentTo: 'ann' });
    await library.create(lease, { shelf: 's', title: 'd' });
    await library.delete(lease, { shelf: 's', title: 'b' });
    await library.update(lease, { shelf: 's', title: 'c' }, { lentTo: remove() });
    const found = library.query({ index: 'lent', key: { lentTo: 'ann' } });
    expect(await all(found)).toStrictEqual([{ shelf: 's', title: 'a', lentTo: 'ann' }]);
    expect(await table.storedItems('lent')).toMatchObject([key('a')]);
    expect(await table.storedItems()).toHaveLength(4);
    expect(await library.scan({ index: 'lent' }).count()).toBe(1);
  });

  it('whose keys are all keys of the table hold tombstones, which nobody sees', async () => {
    const { table, books: library } = await books([
      { indexName: 'by-title', partitionKey: 'title', sortKey: 'shelf' },
    ]);
    await table.plant(live(key('a')), tombstone(key('b')), key('c'));
    for (const title of ['a', 'b', 'c']) {
      const found = library.query({ index: 'by-title', key: { title } });
      const expected = title === 'b' ? [] : [{ shelf: 's', title }];
      expect(await all(found)).toStrictEqual(expected);
      expect(await found.count()).toBe(expected.length);
    }
    expect(await library.scan({ index: 'by-title' }).count()).toBe(2);
  });

  it('are read page by page, by cursors that hold the keys of both', async () => {
    const { table, books: library } = await books([lent()]);
    const titles = Array.from({ length: 12 }, (_, n) => `t${String(n).padStart(2, '0')}`);
    await table.plant(
      // A tombstone is in no index whose key it lacks, so these are made by hand, with the key.
      ...titles.map((title, n) =>
        n % 4 === 3
          ? { ...tombstone(key(title)), lentTo: { S: 'ann' } }
          : live({ ...key(title), lentTo: { S: 'ann' } }),
      ),
    );
    for (const reverse of [false, true]) {
      const found: string[][] = [];
      let cursor: string | undefined;
      do {
        const query = library.query({
          index: 'lent',
          key: { lentTo: 'ann', title: beginsWith('t') },
          limit: 4,
          reverse,
          ...(cursor === undefined ? {} : { cursor }),
        });
        const { value } = await query.pages().next();
        found.push(value.items.map(({ title }: Book) => title));
        cursor = value.cursor;
      } while (cursor !== undefined);
      const expected = titles.filter((_, n) => n % 4 !== 3);
      expect(found.flat()).toEqual(reverse ? expected.reverse() : expected);
      expect(found.slice(0, 2).map(({ length }) => length)).toEqual([4, 4]);
    }
  });

  it('may be local', async () => {
    const { table, books: library } = await books([
      {
        indexName: 'by-pages',
        sortKey: { name: 'pages', type: 'N' },
        projection: ['_fence', '_fenceVersion'],
      },
    ]);
    await table.plant(
      live({ ...key('a'), pages: { N: '30' } }),
      live({ ...key('b'), pages: { N: '10' } }),
      tombstone(key('c')),
    );
    const found = library.query({ index: 'by-pages', key: { shelf: 's' }, consistent: true });
    expect(await all(found)).toStrictEqual([
      { shelf: 's', title: 'b', pages: 10 },
      { shelf: 's', title: 'a', pages: 30 },
    ]);
  });

  it.each<[string, IndexDefinition['projection'], RegExp]>([
    ['keys alone', 'keys-only', /lent does not hold _fence and _fenceVersion/],
    ['other attributes', ['pages'], /_fence and _fenceVersion/],
    ['the fence alone, and would show nothing', ['_fence'], /hold _fenceVersion,/],
    ['the version alone, and would show deleted items', ['_fenceVersion', 'pages'], /hold _fence,/],
  ])('are refused where they hold %s', async (_, projection, message) => {
    const { table, books: library } = await books([lent(projection)]);
    await table.plant(live({ ...key('a'), lentTo: { S: 'ann' } }));
    const query = library.query({ index: 'lent', key: { lentTo: 'ann' } });
    await expect(all(query)).rejects.toThrow(invalidInput('index', message));
    await expect(query.count()).rejects.toThrow(invalidInput('index', message));
    await expect(all(library.scan({ index: 'lent' }))).rejects.toThrow(invalidInput('index', message));
    expect(new Set(table.wire.ops)).toEqual(new Set(['DescribeTable']));
  });

  it('are refused where they are local, too', async () => {
    const { books: library } = await books([
      { indexName: 'by-pages', sortKey: { name: 'pages', type: 'N' }, projection: 'keys-only' },
    ]);
    await expect(all(library.query({ index: 'by-pages', key: { shelf: 's' } }))).rejects.toThrow(
      invalidInput('index', /by-pages does not hold _fence and _fenceVersion/),
    );
  });

  it('are refused where a hidden attribute is their key, because no filter may name it', async () => {
    const { books: library } = await books([
      { indexName: 'by-version', partitionKey: 'shelf', sortKey: '_fenceVersion', projection: ['_fence'] },
    ]);
    await expect(all(library.query({ index: 'by-version', key: { shelf: 's' } }))).rejects.toThrow(
      invalidInput('index', /does not hold _fenceVersion,/),
    );
  });

  it('are looked up once each', async () => {
    const { table, books: library } = await books([
      lent(['_fence', '_fenceVersion']),
      { indexName: 'by-title', partitionKey: 'title' },
    ]);
    const ask = async () => {
      await library.query({ index: 'lent', key: { lentTo: 'ann' } }).count();
      await all(library.query({ index: 'by-title', key: { title: 'a' } }).pages());
    };
    await ask();
    await ask();
    expect(table.wire.ops).toEqual(['DescribeTable', 'Query', 'DescribeTable', 'Query', 'Query', 'Query']);
  });

  it('are looked up by other names where the hidden attributes have other names', async () => {
    const attributes = { fence: 'f', version: 'v' };
    const wrong = await books([lent(['_fence', '_fenceVersion'])], { attributes });
    await expect(all(wrong.books.scan({ index: 'lent' }))).rejects.toThrow(
      invalidInput('index', /hold f and v/),
    );
    const right = await books([lent(['f', 'v'])], { attributes });
    const lease = granted('s', 7);
    await right.books.create(lease, { shelf: 's', title: 'a', lentTo: 'ann', pages: 1 });
    await right.books.update(lease, { shelf: 's', title: 'a' }, { pages: add(1) });
    expect(await all(right.books.scan({ index: 'lent' }))).toStrictEqual([
      { shelf: 's', title: 'a', lentTo: 'ann' },
    ]);
  });

  it('are not looked up where that is switched off', async () => {
    const { table, books: library } = await books([lent()], { checkIndexes: false });
    await library.query({ index: 'lent', key: { lentTo: 'ann' } }).count();
    expect(table.wire.ops).toEqual(['Query']);
  });

  it('that cannot be looked up are not read', async () => {
    const { table, books: library } = await books([lent()]);
    table.faults.add({
      on: { op: 'DescribeTable' },
      do: respond({ name: 'AccessDeniedException' }),
      times: 1,
    });
    const query = library.query({ index: 'lent', key: { lentTo: 'ann' } });
    await expect(all(query)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(table.wire.ops).toEqual(['DescribeTable']);
    expect(await all(query)).toEqual([]);
  });

  it('that are not there are the service’s to refuse', async () => {
    const { books: library } = await books([]);
    await expect(all(library.scan({ index: 'none' }))).rejects.toMatchObject({
      name: expect.stringMatching(/ValidationException|ResourceNotFoundException/),
    });
  });

  it('are not read consistently where they are global, as the service says', async () => {
    const { books: library } = await books([lent()]);
    await expect(
      all(library.query({ index: 'lent', key: { lentTo: 'ann' }, consistent: true })),
    ).rejects.toMatchObject({ name: 'ValidationException' });
  });
});
