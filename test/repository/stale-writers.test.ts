import { beforeEach, expect, it } from 'vitest';
import { add, append, gte } from '../../src/expressions.ts';
import { type Fence, fence, isFenced, unwrap } from '../../src/index.ts';
import { duplicate, pause } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type Accounts, account, accountsIn } from '../support/accounts.ts';
import { all } from '../support/all.ts';
import { granted } from '../support/fences.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

const id = { S: 'a' };
const lease = (token: number): Fence => granted(account('a'), token);

describeEachEngine('a stale writer', (engine) => {
  let table: TestTable;
  let accounts: Accounts;
  beforeEach(async () => {
    table = await testTable(engine);
    accounts = accountsIn(table);
  });
  const stampOf = (writer: Fence, seq: number) => ({
    _fence: { N: String(writer.token) },
    _fenceHolder: { S: writer.holder },
    _fenceSeq: { N: String(seq) },
  });

  it('that wakes from a pause does not overwrite what a newer one wrote', async () => {
    await table.plant({ id, balance: { N: '0' } });
    const [old, young] = [lease(41), lease(42)];
    const gate = pause();
    table.faults.add({ on: { op: 'PutItem', nth: 1 }, do: gate });
    const late = accounts.put(old, { id: 'a', balance: 1 });
    await gate.reached;
    await accounts.put(young, { id: 'a', balance: 2 });
    gate.release();
    expect(await late).toMatchObject({
      reason: 'fenced',
      lastToken: 42,
      lastHolder: young.holder,
      applied: 'no',
    });
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '2' }, ...stampOf(young, 1) });
  });

  it('changes nothing between the claim and the first write of a newer one', async () => {
    const [old, young] = [lease(41), lease(42)];
    await accounts.put(old, { id: 'a', balance: 100 });
    const { item } = unwrap(await accounts.claim(young, { id: 'a' }));
    expect(await accounts.update(old, { id: 'a' }, { balance: 90 })).toMatchObject({
      reason: 'fenced',
      lastToken: 42,
    });
    unwrap(await accounts.update(young, { id: 'a' }, { balance: (item?.balance ?? 0) - 30 }));
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '70' }, ...stampOf(young, 2) });
  });

  it('changes what a newer one has only read: so claim before you read', async () => {
    const [old, young] = [lease(41), lease(42)];
    await accounts.put(old, { id: 'a', balance: 100 });
    const seen = await accounts.get({ id: 'a' });
    expect(await accounts.update(old, { id: 'a' }, { balance: 90 })).toMatchObject({ ok: true });
    // Who reads without a claim can still write on the version that it saw.
    const balance = (seen?.item.balance ?? 0) - 30;
    expect(
      await accounts.update(young, { id: 'a' }, { balance }, { ifVersion: seen?.version ?? '' }),
    ).toMatchObject({ reason: 'version', item: { balance: 90 } });
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '90' } });
  });

  it('creates nothing where a newer one has seen nothing', async () => {
    const young = lease(42);
    expect(await accounts.claim(young, { id: 'a' })).toMatchObject({ ok: true, item: undefined });
    for (const stale of [
      await accounts.create(lease(41), { id: 'a' }),
      await accounts.put(lease(41), { id: 'a' }),
      await accounts.update(lease(41), { id: 'a' }, { balance: add(1) }, { upsert: true }),
    ]) {
      expect(stale).toMatchObject({ reason: 'fenced', lastToken: 42 });
    }
    expect(await accounts.get({ id: 'a' })).toBeUndefined();
    expect(await table.stored({ id })).toEqual({ id, ...stampOf(young, 1) });
    expect(await accounts.create(young, { id: 'a', balance: 1 })).toMatchObject({ ok: true });
  });

  it.each(['a put', 'nothing'])('does not bring back what a newer one deleted after %s', async (before) => {
    if (before === 'a put') await accounts.put(lease(40), { id: 'a', balance: 1 });
    const young = lease(42);
    expect(await accounts.delete(young, { id: 'a' })).toMatchObject({ ok: true });
    for (const stale of [
      await accounts.create(lease(41), { id: 'a' }),
      await accounts.put(lease(41), { id: 'a' }),
      await accounts.update(lease(41), { id: 'a' }, { balance: 5 }),
      await accounts.update(lease(41), { id: 'a' }, { balance: 5 }, { upsert: true }),
      await accounts.claim(lease(41), { id: 'a' }),
    ]) {
      expect(stale).toMatchObject({ reason: 'fenced', lastToken: 42, applied: 'no' });
    }
    expect(await accounts.get({ id: 'a' })).toBeUndefined();
    expect(await all(accounts.scan())).toEqual([]);
    expect(await table.stored({ id })).toEqual({ id, ...stampOf(young, 1) });
  });

  it('does not delete what a newer one wrote', async () => {
    await accounts.put(lease(42), { id: 'a', balance: 1 });
    const stored = await table.stored({ id });
    expect(await accounts.delete(lease(41), { id: 'a' })).toMatchObject({ reason: 'fenced', lastToken: 42 });
    expect(await table.stored({ id })).toEqual(stored);
  });

  it('may create again what a newer one than the deleter deleted, under its own fence', async () => {
    const young = lease(42);
    await accounts.put(young, { id: 'a', balance: 1, note: 'first' });
    await accounts.delete(young, { id: 'a' });
    expect(await accounts.create(young, { id: 'a', balance: 2 })).toMatchObject({ ok: true });
    expect(await table.stored({ id })).toEqual({
      id,
      balance: { N: '2' },
      ...stampOf(young, 3),
      _fenceVersion: { S: `42.3.${young.holder}` },
    });
  });

  it('makes no ghost: what was refused is in no list', async () => {
    for (const refused of [
      await accounts.update(lease(42), { id: 'a' }, { balance: add(1) }),
      await accounts.update(
        lease(42),
        { id: 'a' },
        { entries: append(['e']) },
        { when: { balance: gte(1) } },
      ),
      await accounts.delete(lease(42), { id: 'a' }, { ifVersion: 'v' }),
      await accounts.put(lease(42), { id: 'a' }, { when: { balance: gte(1) } }),
    ]) {
      expect(refused).toStrictEqual({ ok: false, reason: 'not-found' });
    }
    expect(await table.storedItems()).toEqual([]);
    expect(await all(accounts.scan())).toEqual([]);
  });

  it('stays fenced without a request, on every item of its resource and in every repository', async () => {
    const shared = accountsIn(table, { resource: () => account('a') });
    const old = lease(41);
    await shared.put(lease(42), { id: 'a', balance: 1 });
    const refused = await shared.put(old, { id: 'a', balance: 2 });
    table.wire.forget();
    for (const later of [
      await shared.put(old, { id: 'b' }),
      await accountsIn(table).claim(old, { id: 'a' }),
      await shared.modify(old, { id: 'c' }, () => expect.unreachable()),
      await shared.delete(old, { id: 'a' }),
    ]) {
      expect(later).toStrictEqual(refused);
      expect(() => unwrap(later)).toThrow(expect.objectContaining({ code: 'fenced' }));
    }
    expect(table.wire.ops).toEqual([]);
    // What its input is worth is still said.
    await expect(shared.put(old, { id: 'a', data: new Date(0) })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });

  it('remembers the first newer holder that it met', async () => {
    const shared = accountsIn(table, { resource: () => account('a') });
    await shared.claim(lease(43), { id: 'a' });
    await shared.claim(lease(42), { id: 'b' });
    const old = lease(41);
    const gate = pause();
    table.faults.add({ on: { where: ({ input }) => input.Item?.id?.S === 'a' }, do: gate });
    const slow = shared.put(old, { id: 'a' });
    await gate.reached;
    expect(await shared.put(old, { id: 'b' })).toMatchObject({ reason: 'fenced', lastToken: 42 });
    gate.release();
    expect(await slow).toMatchObject({ reason: 'fenced', lastToken: 43 });
    expect(await shared.put(old, { id: 'c' })).toMatchObject({ reason: 'fenced', lastToken: 42 });
  });

  it('is told from one whose condition failed', async () => {
    await accounts.put(lease(42), { id: 'a', balance: 1 });
    const young = lease(43);
    const poor = await accounts.update(
      young,
      { id: 'a' },
      { balance: add(-5) },
      { when: { balance: gte(5) } },
    );
    expect(poor).toMatchObject({ reason: 'condition' });
    expect(() => unwrap(poor)).toThrow(expect.objectContaining({ code: 'condition', result: poor }));
    // A refusal stamps nothing, and ends nothing.
    expect(await table.stored({ id })).toMatchObject({ _fence: { N: '42' } });
    expect(await accounts.update(young, { id: 'a' }, { balance: add(5) })).toMatchObject({ ok: true });
  });

  it('hears it as an error that says who and what, where it asks for one', async () => {
    const young = lease(42);
    await accounts.put(young, { id: 'a' });
    const old = lease(41);
    const error = await accounts
      .put(old, { id: 'a' })
      .then(unwrap)
      .catch((thrown: unknown) => thrown);
    expect(isFenced(error)).toBe(true);
    expect(error).toMatchObject({ code: 'fenced', next: 'final', docs: 'docs/results.md#fenced' });
    const { message } = error as Error;
    for (const said of ['account/a', '41', old.holder, '42', young.holder]) expect(message).toContain(said);
  });

  it('that races a newer one loses, whoever comes first', async () => {
    await Promise.all(
      Array.from({ length: 16 }, async (_, n) => {
        const one = `r${n}`;
        const [old, young] = [granted(account(one), 41), granted(account(one), 42)];
        const write = (writer: Fence) => accounts.put(writer, { id: one, balance: writer.token });
        const [first, second] = n % 2 === 0 ? [old, young] : [young, old];
        const results = await Promise.all([write(first), write(second)]);
        expect(results[n % 2 === 0 ? 1 : 0]).toMatchObject({ ok: true });
        const stored = await table.stored({ id: { S: one } });
        expect(stored).toMatchObject({ balance: { N: '42' }, ...stampOf(young, 1) });
      }),
    );
  });

  it('among fifty that race to create one item one wins, and nobody older follows a newer one', async () => {
    const tokens = Array.from({ length: 50 }, (_, n) => ((n * 7) % 50) + 1);
    const results = await Promise.all(
      tokens.map((token) => accounts.create(granted(account('slot'), token), { id: 'slot', balance: token })),
    );
    const won = results.filter((result) => result.ok);
    expect(won).toHaveLength(1);
    const stored = await table.stored({ id: { S: 'slot' } });
    expect(stored?.balance).toEqual({ N: String(won[0]?.item.balance) });
    const reasons = results.map((result, n) => {
      if (result.ok) return 'ok';
      return Number(tokens[n]) > Number(won[0]?.token) ? `${result.reason}/newer` : `${result.reason}/older`;
    });
    // A newer one finds the item; an older one finds that it is older.
    expect([...new Set(reasons)].sort()).toEqual(
      ['exists/newer', 'fenced/older', 'ok'].filter((reason) => reasons.includes(reason)),
    );
  });

  it('among withdrawals that race for the last money one wins', async () => {
    const shared = accountsIn(table, { resource: () => 'bank' });
    const setup = granted('bank', 1);
    await shared.put(setup, { id: 'a', balance: 10 });
    await shared.put(setup, { id: 'b', balance: 10 });
    const withdraw = (writer: Fence, from: string) =>
      shared.update(writer, { id: from }, { balance: add(-8) }, { when: { balance: gte(8) } });
    const one = granted('bank', 2);
    const same = await Promise.all([withdraw(one, 'a'), withdraw(one, 'a')]);
    expect(same).toMatchObject([{ ok: true }, { ok: false, reason: 'condition' }]);
    const two = await Promise.all([withdraw(granted('bank', 3), 'b'), withdraw(granted('bank', 4), 'b')]);
    expect(two.filter(({ ok }) => ok)).toHaveLength(1);
    const [a, b] = await shared.getMany([{ id: 'a' }, { id: 'b' }]);
    expect([a?.item.balance, b?.item.balance]).toEqual([2, 2]);
  });

  it('learns the last token as a number, in as few requests as the engine allows', async () => {
    await accounts.put(lease(42), { id: 'a' });
    table.wire.forget();
    const refused = await accounts.put(lease(9), { id: 'a' });
    expect(refused).toMatchObject({ reason: 'fenced', lastToken: 42 });
    expect(table.wire.ops).toEqual(engine.returnsItems ? ['PutItem'] : ['PutItem', 'GetItem']);
    expect(table.wire.requests.map(({ input }) => input.ConsistentRead)).toEqual(
      engine.returnsItems ? [undefined] : [undefined, true],
    );
  });
});

describeEachEngine('fences of one number', (engine) => {
  let table: TestTable;
  let accounts: Accounts;
  beforeEach(async () => {
    table = await testTable(engine);
    accounts = accountsIn(table);
  });

  it('that are bare let each other write, and nobody older', async () => {
    const [one, two] = [fence(account('a'), 42), fence(account('a'), 42)];
    expect(await accounts.put(one, { id: 'a', balance: 1 })).toMatchObject({ ok: true });
    expect(await accounts.update(two, { id: 'a' }, { balance: add(1) })).toMatchObject({ ok: true });
    expect(await accounts.update(one, { id: 'a' }, { balance: add(1) })).toMatchObject({ ok: true });
    expect(await accounts.put(fence(account('a'), 41), { id: 'a' })).toMatchObject({ reason: 'fenced' });
    expect(await accounts.claim(fence(account('a'), 43), { id: 'a' })).toMatchObject({
      item: { balance: 3 },
    });
    expect(await accounts.put(one, { id: 'a' })).toMatchObject({ reason: 'fenced', lastToken: 43 });
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '3' }, _fence: { N: '43' } });
  });

  it('that are bare apply once, though the network delivers twice', async () => {
    await accounts.put(fence(account('a'), 42), { id: 'a', balance: 1 });
    const copy = duplicate({ after: { requests: 1 } });
    table.faults.add({ on: { op: 'UpdateItem' }, do: copy, times: 1 });
    await accounts.update(fence(account('a'), 42), { id: 'a' }, { balance: add(1) });
    await accounts.get({ id: 'a' });
    await table.faults.idle();
    expect(copy.answers).toMatchObject([{ statusCode: 400 }]);
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '2' } });
  });

  it('are told apart where one is a lease', async () => {
    await accounts.put(fence(account('a'), 42), { id: 'a', balance: 1 });
    expect(await accounts.put(lease(42), { id: 'a' })).toMatchObject({
      reason: 'token-reused',
      lastToken: 42,
    });
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '1' } });
  });

  it('that are numbered carry one write each, in the order of their numbers', async () => {
    const numbered = (seq: number) => fence(account('a'), 42, { holder: 'importer', seq });
    const third = numbered(3);
    expect(await accounts.put(third, { id: 'a', balance: 3 })).toMatchObject({
      ok: true,
      version: '42.3.importer',
      replayed: false,
    });
    await expect(accounts.put(third, { id: 'a', balance: 4 })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    // The same number is the same request: it was applied.
    expect(await accounts.put(numbered(3), { id: 'a', balance: 3 })).toMatchObject({
      ok: true,
      replayed: true,
    });
    expect(await accounts.put(numbered(2), { id: 'a', balance: 2 })).toMatchObject({
      reason: 'superseded',
      lastHolder: 'importer',
    });
    expect(await table.stored({ id })).toMatchObject({ balance: { N: '3' }, _fenceSeq: { N: '3' } });
    expect(await accounts.put(numbered(4), { id: 'a', balance: 4 })).toMatchObject({ ok: true });
  });
});
