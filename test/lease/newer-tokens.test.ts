import { expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { pause } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { account, accountsIn } from '../support/accounts.ts';
import { testTable } from '../support/test-table.ts';
import { slowAnswer } from './unruly-source.ts';
import { TTL_MS, whilePending, world } from './world.ts';

const id = { id: 'a' };
const resource = account('a');

/** The lease rows were lost, and what they had issued was ahead of every clock: only the items remember it. */
describeEachEngine('a newer token that a write meets', (engine) => {
  const scene = async () => {
    const here = world();
    const table = await testTable(engine);
    const accounts = accountsIn(table, { clock: here.clock });
    const leases = here.process('a');
    const ahead = here.clock.now() * 2;
    const fenceItem = (name: string, token: number) =>
      table.plant({
        id: { S: name },
        _fence: { N: `${token}` },
        _fenceHolder: { S: 'x' },
        _fenceSeq: { N: '1' },
      });
    const nextToken = async () => {
      await here.clock.advance(TTL_MS);
      return unwrap(await leases.acquire(resource)).lease.token;
    };
    return { ...here, table, accounts, leases, ahead, fenceItem, nextToken };
  };

  it('is below the next one', async () => {
    const { accounts, leases, ahead, fenceItem, nextToken } = await scene();
    await fenceItem('a', ahead);
    const { lease } = unwrap(await leases.acquire(resource));
    expect(await accounts.put(lease, id)).toMatchObject({ reason: 'fenced', lastToken: ahead });
    await lease.release();
    expect(await nextToken()).toBe(ahead + 1);
  });

  it('is below the next one, if the lease was over here already', async () => {
    const { accounts, leases, ahead, fenceItem, nextToken, clock } = await scene();
    await fenceItem('a', ahead);
    const { lease } = unwrap(await leases.acquire(resource));
    await clock.advance(TTL_MS);
    expect(lease.signal.reason).toMatchObject({ code: 'lease-expired' });
    expect(await accounts.put(lease, id)).toMatchObject({ reason: 'fenced', lastToken: ahead });
    expect(await nextToken()).toBe(ahead + 1);
  });

  it('is below the next one, if the lease was released while the write was on its way', async () => {
    const { accounts, leases, ahead, fenceItem, nextToken, table } = await scene();
    await fenceItem('a', ahead);
    const gate = pause();
    table.faults.add({ on: { nth: 1 }, do: gate });
    const { lease } = unwrap(await leases.acquire(resource));
    const write = accounts.put(lease, id);
    await gate.reached;
    await lease.release();
    gate.release();
    expect(await write).toMatchObject({ reason: 'fenced' });
    expect(await nextToken()).toBe(ahead + 1);
  });

  it('is below the next one, if it was not the first that was met', async () => {
    const { leases, ahead, fenceItem, nextToken, table, clock } = await scene();
    const items = accountsIn(table, { clock, resource: () => resource });
    await fenceItem('a', ahead);
    await fenceItem('b', ahead + 5);
    const gate = pause();
    table.faults.add({ on: { where: ({ input }) => input.Item?.id?.S === 'b' }, do: gate });
    const { lease } = unwrap(await leases.acquire(resource));
    const second = items.put(lease, { id: 'b' });
    await gate.reached;
    expect(await items.put(lease, id)).toMatchObject({ reason: 'fenced', lastToken: ahead });
    gate.release();
    expect(await second).toMatchObject({ reason: 'fenced', lastToken: ahead + 5 });
    await lease.release();
    expect(await nextToken()).toBe(ahead + 6);
  });
});

it('a newer token that is met before a lease is handed out is below the next one', async () => {
  const { clock, process, next, asked } = world();
  const ahead = clock.now() * 2;
  // The answer takes longer than half of the lease; when it is renewed, somebody else was granted it.
  next('acquire', slowAnswer(clock, 0.6 * TTL_MS));
  next('renew', async (ask) => {
    await process('operator').raise('r', { above: ahead });
    return ask();
  });
  const acquiring = process('a').acquire('r', { waitMs: 3 * TTL_MS });
  expect(await whilePending(clock, acquiring, 4 * TTL_MS)).toMatchObject({ ok: true });
  const acquires = asked.filter(({ verb }) => verb === 'acquire');
  expect(acquires.map(({ request }) => request.above)).toEqual([0, ahead + 1]);
});
