import { expect, it } from 'vitest';
import { add, append, gte } from '../../../src/expressions.ts';
import { sessionOf } from '../../../src/fence/fence.ts';
import type { Fence } from '../../../src/index.ts';
import {
  dropResponse,
  type Fault,
  pause,
  reorder,
  reset,
  respond,
  throttle,
} from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { type Accounts, account, accountsIn } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene } from './scene.ts';
import { balance, live } from './stored.ts';
import { full, id } from './withdraw.ts';

const note = (accounts: Accounts, by: Fence, n: number) =>
  accounts.update(by, id, { entries: append([n]) }, { upsert: true });

describeEachEngine('the writes of one lease to one item', (engine) => {
  const numbers = Array.from({ length: 50 }, (_, n) => n + 1);

  it('arrive in the order of their calls, though nobody waits for one', async () => {
    const { accounts, stored, wire } = await scene(engine);
    const lease = granted(account('a'), 42);
    const results = await Promise.all(numbers.map((n) => note(accounts, lease, n)));
    expect(results.map((result) => result.ok && result.version)).toEqual(
      numbers.map((n) => `42.${n}.${lease.holder}`),
    );
    expect(await stored()).toEqual(live({ entries: { L: numbers.map((n) => ({ N: `${n}` })) } }, lease, 50));
    const sent = wire.requests.map(({ input }) =>
      Object.values<{ L?: { N?: string }[] }>(input.ExpressionAttributeValues).flatMap(({ L }) =>
        (L ?? []).map(({ N }) => Number(N)),
      ),
    );
    expect(sent.flat()).toEqual(numbers);
  });

  it('do so over several repositories and clients', async () => {
    const { accounts, client, tableName, stored } = await scene(engine);
    const second = accountsIn({ client: engine.client(), tableName });
    const third = accountsIn({ client, tableName });
    const lease = granted(account('a'), 42);
    const results = await Promise.all(
      numbers.map((n) => note([accounts, second, third][n % 3] as Accounts, lease, n)),
    );
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect((await stored())?.entries).toEqual({ L: numbers.map((n) => ({ N: `${n}` })) });
  });

  const failures: readonly [what: string, fault: Fault, copies: number, outcome: string][] = [
    ['its answer is lost', dropResponse(), 1, 'ok'],
    ['it is throttled for good', throttle(), 2, 'contention'],
    ['it is invalid', respond({ name: 'ValidationException' }), 1, 'ValidationException'],
    ['its outcome is unknown', reset(), 2, 'outcome-unknown'],
  ];
  it.each(failures)('do not overtake the first, where %s', async (_, fault, copies, outcome) => {
    const gate = pause();
    const { accounts, wire, faults } = await scene(engine, { with: full, maxAttempts: 2 });
    faults.add({ on: { nth: 1 }, do: [gate, fault] }, { do: fault, times: copies - 1 });
    const lease = granted(account('a'), 42);
    const ended: string[] = [];
    const write = (name: string, n: number) =>
      accounts.update(lease, id, { balance: add(n) }).then(
        (result) => ended.push(`${name} ${result.ok ? 'ok' : result.reason}`),
        (error) => ended.push(`${name} ${error.code ?? error.name}`),
      );
    const all = [write('first', 1), write('second', 10), write('third', 100)];
    await gate.reached;
    // They have had every chance to leave.
    await new Promise((resolve) => setImmediate(resolve));
    expect(wire.ops).toEqual(['UpdateItem']);
    gate.release();
    await Promise.all(all);
    expect(ended).toEqual([`first ${outcome}`, 'second ok', 'third ok']);
    const seqs = wire.requests.flatMap(({ input, op }) =>
      op === 'GetItem'
        ? []
        : Object.values<{ S?: string }>(input.ExpressionAttributeValues)
            .map(({ S }) => S?.match(/^42\.(\d+)\./)?.[1])
            .filter(Boolean),
    );
    expect(seqs.map(Number)).toEqual(seqs.map(Number).sort((x, y) => x - y));
  });

  it('keep their order behind one that is refused and sealed', async () => {
    const { accounts, stored, faults } = await scene(engine, {
      with: full,
      rules: [{ on: { nth: 1 }, do: reset() }],
    });
    const lease = granted(account('a'), 42);
    const [refused, second, third] = await Promise.all([
      accounts.update(lease, id, { balance: add(-500) }, { when: { balance: gte(500) } }),
      accounts.update(lease, id, { balance: add(1) }),
      accounts.update(lease, id, { balance: add(1) }),
    ]);
    expect(refused).toMatchObject({ reason: 'condition', item: { balance: 100 } });
    expect([second.ok, third.ok]).toEqual([true, true]);
    expect(await stored()).toEqual(live(balance(102), lease, 3));
    expect(faults.bites()).toBe(1);
  });

  it('are refused together where the first is fenced: one request', async () => {
    const { accounts, others, sent, refused } = await scene(engine, { with: full });
    await others.put(granted(account('a'), 43), { ...id, balance: 1 });
    const lease = granted(account('a'), 42);
    const results = await Promise.all(numbers.map((n) => note(accounts, lease, n)));
    expect(new Set(results.map((result) => !result.ok && result.reason))).toEqual(new Set(['fenced']));
    expect(sent()).toEqual(refused('UpdateItem', full));
  });

  it('are dropped where the lease is released while they wait', async () => {
    const gate = pause();
    const { accounts, stored, sent } = await scene(engine, {
      with: full,
      rules: [{ on: { nth: 1 }, do: gate }],
    });
    const lease = granted(account('a'), 42);
    const running = accounts.update(lease, id, { balance: add(-10) });
    await gate.reached;
    const waiting = [1, 2].map(() => accounts.put(lease, { ...id, balance: 0 }).catch((error) => error));
    sessionOf(lease).markReleased();
    gate.release();
    // What was on its way is decided by the storage.
    expect(await running).toMatchObject({ ok: true });
    for (const dropped of await Promise.all(waiting))
      expect(dropped).toMatchObject({ code: 'lease-released' });
    expect(sent()).toEqual(['UpdateItem']);
    expect(await stored()).toEqual(live(balance(90), lease, 1));
  });
});

describeEachEngine('the writes of one lease to several items', (engine) => {
  it('do not wait for one another', async () => {
    const gate = pause();
    const { client, tableName, wire } = await scene(engine, { rules: [{ on: { nth: 1 }, do: gate }] });
    const group = accountsIn({ client, tableName }, { resource: () => 'group' });
    const lease = granted('group', 42);
    const slow = group.put(lease, { id: 'a', balance: 1 });
    await gate.reached;
    const others = ['b', 'c', 'd'].map((other) => group.put(lease, { id: other, balance: 1 }));
    expect((await Promise.all(others)).every(({ ok }) => ok)).toBe(true);
    gate.release();
    expect(await slow).toMatchObject({ ok: true });
    expect(wire.requests.map(({ input }) => input.Item.id.S)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('nor do those of several leases to one item, whatever order the network makes of them', async () => {
    const { accounts, stored } = await scene(engine, {
      rules: [{ on: { nth: [1, 3] }, do: reorder({ behind: 1 }) }],
    });
    const leases = [41, 42, 43, 44].map((token) => granted(account('a'), token));
    const results = await Promise.all(
      leases.map((lease) => accounts.put(lease, { ...id, balance: lease.token })),
    );
    expect(results.at(-1)).toMatchObject({ ok: true });
    expect(await stored()).toMatchObject({ ...balance(44), _fence: { N: '44' } });
  });
});
