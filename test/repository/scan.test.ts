import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { gte } from '../../src/expressions.ts';
import { type Fault, pause, respond } from '../../src/testing/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type Accounts, accountsIn } from '../support/accounts.ts';
import { all } from '../support/all.ts';
import { live, tombstone } from '../support/planted.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

/** A service that answers after so many rows, as it does after 1 MB. */
function looksAt(rows: number): Fault {
  return {
    name: 'looksAt',
    inject({ http, request, deliver }) {
      const body = JSON.stringify({ ...request.input, Limit: rows });
      return deliver({
        ...http,
        headers: { ...http.headers, 'content-length': String(Buffer.byteLength(body)) },
        body,
      });
    },
  };
}

describeEachEngine('scans', (engine) => {
  let table: TestTable;
  let accounts: Accounts;
  // Nothing here writes, so one table will do.
  beforeAll(async () => {
    table = await testTable(engine);
    accounts = accountsIn(table);
    await table.plant(
      ...Array.from({ length: 30 }, (_, n) =>
        n % 3 === 0
          ? tombstone({ id: { S: `a${n}` } })
          : live({ id: { S: `a${n}` }, balance: { N: String(n) } }),
      ),
      { id: { S: 'legacy' }, balance: { N: '99' } },
    );
  });
  beforeEach(() => {
    table.wire.forget();
    table.faults.heal();
  });
  const expected = [
    ...Array.from({ length: 30 }, (_, n) => `a${n}`).filter((_, n) => n % 3 !== 0),
    'legacy',
  ].sort();
  const ids = async (items: AsyncIterable<{ id: string }>) => (await all(items)).map(({ id }) => id).sort();

  it.each([1, 2, 7])('in %i segments give every live item once, and count them', async (segments) => {
    expect(await ids(accounts.scan({ segments }))).toEqual(expected);
    expect(await accounts.scan({ segments }).count()).toBe(21);
    expect(await accounts.scan({ segments, filter: { balance: gte(20) } }).count()).toBe(8);
    const asked = table.wire.requests.map(({ input }) => [input.Segment, input.TotalSegments]);
    expect(new Set(asked.map(String)).size).toBe(segments);
    expect(asked.every(([, of]) => of === (segments === 1 ? undefined : segments))).toBe(true);
  });

  it('in segments give pages without a cursor, because they have no common position', async () => {
    const pages = await all(accounts.scan({ segments: 3, limit: 2 }).pages());
    expect(pages.every(({ items, cursor }) => items.length <= 2 && cursor === undefined)).toBe(true);
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id)).sort()).toEqual(expected);
  });

  it('go on behind a cursor', async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const pages = accounts.scan({ limit: 4, ...(cursor === undefined ? {} : { cursor }) }).pages();
      const { value } = await pages.next();
      found.push(...value.items.map(({ id }: { id: string }) => id));
      if (value.cursor !== undefined) expect(value.items).toHaveLength(4);
      cursor = value.cursor;
    } while (cursor !== undefined);
    expect(found.sort()).toEqual(expected);
  });

  it('count what lies behind a cursor', async () => {
    const { value } = await accounts.scan({ limit: 4 }).pages().next();
    expect(await accounts.scan({ cursor: value.cursor }).count()).toBe(17);
  });

  it.each([0, -1, 1.5, 1_001, '2'])('in %o segments are refused', (segments) => {
    expect(() => accounts.scan({ segments: segments as number })).toThrow(
      invalidInput('segments', /segments/),
    );
  });

  it('in segments do not begin at a cursor', () => {
    const cursor = Buffer.from(JSON.stringify([['id', 'S', 'a1']])).toString('base64url');
    expect(() => accounts.scan({ segments: 2, cursor })).toThrow(invalidInput('cursor', /common position/));
  });

  it('read consistently if they are asked to', async () => {
    await accounts.scan({ consistent: true }).count();
    await accounts.scan().count();
    expect(table.wire.requests.map(({ input }) => input.ConsistentRead)).toEqual([true, undefined]);
  });

  it('end as a whole where one segment fails', async () => {
    table.faults.add({
      on: { op: 'Scan', where: ({ input }) => input.Segment === 1 },
      do: respond({ name: 'ValidationException' }),
    });
    table.faults.add({ on: { where: ({ input }) => input.Segment !== 1 }, do: looksAt(1) });
    for (const read of [
      () => all(accounts.scan({ segments: 3 })),
      () => accounts.scan({ segments: 3 }).count(),
    ]) {
      await expect(read()).rejects.toMatchObject({ name: 'ValidationException' });
      await table.faults.idle();
      const sent = table.wire.ops.length;
      for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
      expect(table.wire.ops).toHaveLength(sent);
    }
    expect(table.faults.bites('respond')).toBe(2);
  });

  it('tell of a page that failed while the reader was at work', async () => {
    table.faults.add({
      on: { where: ({ input }) => input.ExclusiveStartKey !== undefined },
      do: respond({ name: 'ValidationException' }),
    });
    const unheard: unknown[] = [];
    const hear = (error: unknown) => unheard.push(error);
    process.on('unhandledRejection', hear);
    onTestFinished(() => void process.off('unhandledRejection', hear));
    const reading = (async () => {
      for await (const _ of accounts.scan({ segments: 2, limit: 1 })) {
        await expect.poll(() => table.faults.bites('respond'), { interval: 1 }).toBeGreaterThan(0);
        // Node looks for rejections that nobody has heard when its queue of tasks is empty.
        for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'ValidationException' });
    expect(unheard).toEqual([]);
  });

  it('go on where the service answers in parts', async () => {
    table.faults.add({ on: { op: 'Scan' }, do: looksAt(5) });
    expect(await accounts.scan().count()).toBe(21);
    expect(table.wire.ops.length).toBeGreaterThanOrEqual(7);
    expect(await ids(accounts.scan())).toEqual(expected);
    const pages = await all(accounts.scan().pages());
    expect(pages.length).toBeGreaterThanOrEqual(7);
    expect(pages.slice(0, -1).every(({ cursor }) => cursor !== undefined)).toBe(true);
  });

  it('wait for what is on its way when the reader has enough', async () => {
    const gate = pause();
    table.faults.add({ on: { where: ({ input }) => input.Segment === 1 }, do: gate });
    const passed: string[] = [];
    const reading = (async () => {
      for await (const { id } of accounts.scan({ segments: 2, limit: 1 })) {
        passed.push(id);
        break;
      }
      passed.push('left');
    })();
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    while (passed.length === 0) await turn();
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(passed).toHaveLength(1);
    gate.release();
    await reading;
    expect(passed).toHaveLength(2);
  });

  it('end all segments when the reader has enough', async () => {
    for await (const { id } of accounts.scan({ segments: 2, limit: 1 })) {
      expect(expected).toContain(id);
      break;
    }
    await table.faults.idle();
    const sent = table.wire.ops.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(table.wire.ops).toHaveLength(sent);
    expect(sent).toBeLessThan(8);
  });

  it('stop when the caller aborts', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const reading = all(accounts.scan({ segments: 2, limit: 1, signal: stop.signal }));
    stop.abort(reason);
    await expect(reading).rejects.toBe(reason);
    await table.faults.idle();
    expect(table.wire.ops.length).toBeLessThanOrEqual(2);
  });
});
