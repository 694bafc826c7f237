import { beforeEach, expect, it } from 'vitest';
import { jsonAnswer, readAnswer } from '../../src/testing/faults/json-answer.ts';
import { type Fault, seededRandom, type WireRequest } from '../../src/testing/index.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type Accounts, account, accountsIn } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

/** A service without capacity for more than so many keys: it hands the others back. */
function processes(most: number): Fault {
  return {
    name: 'processes',
    async inject({ http, request, deliver }) {
      const [[name, asked]] = Object.entries(request.input.RequestItems) as [[string, { Keys: object[] }]];
      const part = (keys: object[]) => ({ [name]: { ...asked, Keys: keys } });
      const left = asked.Keys.slice(most);
      const RequestItems = part(asked.Keys.slice(0, Math.max(1, most)));
      const body = JSON.stringify({ RequestItems });
      const headers = { ...http.headers, 'content-length': String(Buffer.byteLength(body)) };
      const answer = JSON.parse(String(await readAnswer(await deliver({ ...http, headers, body }))));
      if (most === 0) answer.Responses = {};
      return jsonAnswer(200, { ...answer, UnprocessedKeys: left.length === 0 ? {} : part(left) });
    },
  };
}

describeEachEngine('many items at once', (engine) => {
  let table: TestTable;
  let accounts: Accounts;
  beforeEach(async () => {
    table = await testTable(engine);
    accounts = accountsIn(table);
  });
  const batches = () =>
    table.wire.requests.map(({ op, input }: WireRequest) => [
      op,
      input.RequestItems?.[table.tableName]?.Keys.length,
    ]);

  it('come in the order in which they were asked for, as often, and undefined where users see none', async () => {
    await accounts.put(granted(account('a'), 1), { id: 'a', balance: 1 });
    await accounts.put(granted(account('b'), 1), { id: 'b', balance: 2 });
    const lease = granted(account('c'), 1);
    await accounts.put(lease, { id: 'c', balance: 3 });
    await accounts.delete(lease, { id: 'c' });
    await table.plant({ id: { S: 'd' }, balance: { N: '4' } });
    table.wire.forget();
    const found = await accounts.getMany(['d', 'b', 'c', 'a', 'b', 'z'].map((id) => ({ id })));
    expect(found.map((one) => one?.item)).toEqual([
      { id: 'd', balance: 4 },
      { id: 'b', balance: 2 },
      undefined,
      { id: 'a', balance: 1 },
      { id: 'b', balance: 2 },
      undefined,
    ]);
    expect(found[0]?.version).toBe('unfenced');
    expect(found[1]).toStrictEqual(await accounts.get({ id: 'b' }));
    expect(batches()).toEqual([
      ['BatchGetItem', 5],
      ['GetItem', undefined],
    ]);
  });

  it('cost no request where there are none', async () => {
    expect(await accounts.getMany([])).toEqual([]);
    expect(table.wire.ops).toEqual([]);
  });

  it('are asked for a hundred at a time', async () => {
    await table.plant({ id: { S: '7' }, balance: { N: '7' } }, { id: { S: '207' }, balance: { N: '207' } });
    const found = await accounts.getMany(Array.from({ length: 250 }, (_, n) => ({ id: String(n) })));
    expect(found.flatMap((one, n) => (one === undefined ? [] : [[n, one.item.balance]]))).toEqual([
      [7, 7],
      [207, 207],
    ]);
    expect(batches()).toEqual([
      ['BatchGetItem', 100],
      ['BatchGetItem', 100],
      ['BatchGetItem', 50],
    ]);
  });

  it('are asked for again, where the service hands them back', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await table.plant({ id: { S: id }, balance: { N: '1' } });
    table.faults.add({ on: { op: 'BatchGetItem', nth: [1, 2] }, do: processes(2) });
    const random = { ...seededRandom(1), unit: () => 0 };
    const found = await accountsIn(table, { random }).getMany(
      ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id })),
    );
    expect(found.map((one) => one?.item.id)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(batches()).toEqual([
      ['BatchGetItem', 5],
      ['BatchGetItem', 3],
      ['BatchGetItem', 1],
    ]);
  });

  it('are given up at the deadline, where the service hands them back for ever', async () => {
    const clock = manualClock();
    table.faults.add({ on: { op: 'BatchGetItem' }, do: processes(0) });
    const waiting = accountsIn(table, { clock, random: { ...seededRandom(1), unit: () => 0.999 } }).getMany(
      [{ id: 'a' }],
      { timeoutMs: 1_000 },
    );
    const error = await table.passing(clock, waiting).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unavailable', cause: { name: 'TimeoutError' } });
    // With pauses of 50, 100, 200, 400 and 800 ms: the last one would end behind the deadline.
    expect(batches().length).toBeGreaterThanOrEqual(4);
    expect(batches().length).toBeLessThanOrEqual(5);
    expect(clock.timers).toBe(0);
  });

  it('stop being asked for when the caller aborts', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    table.faults.add({ on: { op: 'BatchGetItem' }, do: processes(0) });
    const waiting = accounts.getMany([{ id: 'a' }], { signal: stop.signal });
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const sent = table.wire.ops.length;
    await table.faults.idle();
    expect(table.wire.ops).toHaveLength(sent);
  });
});
