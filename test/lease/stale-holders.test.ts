import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { fence } from '../../src/fence/fence.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import { FencedRepository, gte } from '../../src/index.ts';
import { skewedClock } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { testTable } from '../support/test-table.ts';
import { freeRow, rowOf, TTL_MS, testLeases } from './lease-table.ts';

/*
 * What went wrong for users of lock libraries: holders that wake up late, heartbeats of the dead, counters
 * that start again. Each with what is stored in the end.
 */
describeEachEngine('stale holders', (engine) => {
  const accounts = async (options: { clock?: ReturnType<typeof skewedClock> } = {}) => {
    const table = await testTable(engine);
    const repository = new FencedRepository<{ id: string; v: number }, 'id'>({
      client: table.client,
      tableName: table.tableName,
      key: ['id'],
      resource: () => 'r',
      ...options,
    });
    return { ...table, repository };
  };

  it('the heartbeat of a stale holder prolongs nothing', async () => {
    const { process, clock, stored } = await testLeases(engine);
    const stale = unwrap(await process('a').acquire('r')).lease;
    await clock.advance(TTL_MS);
    const current = unwrap(await process('b').acquire('r')).lease;
    expect(await stale.renew()).toMatchObject({ reason: 'fenced', lastToken: current.token });
    expect(stale.remainingMs()).toBe(0);
    expect(await stored()).toEqual(rowOf(current));
  });

  it('a stale holder releases nothing, whoever it says it is', async () => {
    const { process, clock, stored } = await testLeases(engine);
    const stale = unwrap(await process('same-name').acquire('r')).lease;
    await clock.advance(TTL_MS);
    const current = unwrap(await process('same-name').acquire('r')).lease;
    await stale.release();
    expect(await stored()).toEqual(rowOf(current));
  });

  it('a process that was frozen for ten minutes writes nothing more, and no timer wakes it', async () => {
    const { process, clock } = await testLeases(engine);
    const { repository, stored } = await accounts();
    const stale = unwrap(await process('a').acquire('r')).lease;
    expect(clock.timers).toBe(1);
    clock.freeze(600_000);
    const current = unwrap(await process('b').acquire('r')).lease;
    unwrap(await repository.put(current, { id: 'x', v: 2 }));
    expect(await repository.put(stale, { id: 'x', v: 1 })).toMatchObject({
      reason: 'fenced',
      lastToken: current.token,
      applied: 'no',
    });
    expect(await stored({ id: { S: 'x' } })).toMatchObject({
      v: { N: '2' },
      _fence: { N: String(current.token) },
    });
    await clock.advance(0);
    expect(stale.signal.reason).toMatchObject({ code: expect.stringMatching(/fenced|lease-expired/) });
    expect(clock.timers).toBe(1);
  });

  it('a holder that was fenced once asks nothing more; a condition of its own is something else', async () => {
    const { process, clock } = await testLeases(engine);
    const { repository, stored, wire } = await accounts();
    const stale = unwrap(await process('a').acquire('r')).lease;
    await clock.advance(TTL_MS - 1);
    await clock.advance(1);
    const current = unwrap(await process('b').acquire('r')).lease;
    unwrap(await repository.put(current, { id: 'x', v: 2 }));
    expect(await repository.put(stale, { id: 'x', v: 1 })).toMatchObject({ reason: 'fenced' });
    wire.forget();
    expect(await repository.put(stale, { id: 'x', v: 1 })).toMatchObject({ reason: 'fenced' });
    expect(await stale.renew()).toMatchObject({ reason: 'fenced' });
    expect(() => stale.assertHeld()).toThrow(expect.objectContaining({ code: 'fenced' }));
    expect(wire.ops).toEqual([]);
    const refused = await repository.update(current, { id: 'x' }, { v: 3 }, { when: { v: gte(30) } });
    expect(refused).toMatchObject({ reason: 'condition' });
    expect(current.signal.aborted).toBe(false);
    expect(await stored({ id: { S: 'x' } })).toMatchObject({ v: { N: '2' } });
  });

  it('a lost row starts no counter again: not for who has seen it, and not for anybody else', async () => {
    const { process, clock, client, tableName, stored } = await testLeases(engine);
    const first = unwrap(await process('a').acquire('r')).lease;
    await first.release();
    await client.send(new DeleteItemCommand({ TableName: tableName, Key: { resource: { S: 'r' } } }));
    await clock.advance(1);
    const second = unwrap(await process('stranger').acquire('r')).lease;
    expect(second.token).toBeGreaterThan(first.token);
    expect(await stored()).toEqual(rowOf(second));
  });

  it('the holder of a lost row is told that its lease is lost', async () => {
    const { process, client, tableName, stored } = await testLeases(engine);
    const { lease } = unwrap(await process('a').acquire('r'));
    await client.send(new DeleteItemCommand({ TableName: tableName, Key: { resource: { S: 'r' } } }));
    expect(await lease.renew()).toMatchObject({ ok: false, reason: 'lost' });
    expect(await process('b').takeOver(fence('r', lease.token))).toMatchObject({ reason: 'lost' });
    await lease.release();
    expect(await stored()).toBeUndefined();
  });

  it('a lost row that was ahead of the clock: who has met its token goes on from there', async () => {
    const { process, clock, client, tableName } = await testLeases(engine);
    const a = process('a');
    const first = unwrap(await a.acquire('r', { above: clock.now() * 2 })).lease;
    await first.release();
    await client.send(new DeleteItemCommand({ TableName: tableName, Key: { resource: { S: 'r' } } }));
    expect(unwrap(await a.acquire('r')).lease.token).toBeGreaterThan(first.token);
  });

  it('the same process asking again uses up no number', async () => {
    const { process, stored } = await testLeases(engine);
    const a = process('a');
    const { lease } = unwrap(await a.acquire('r'));
    for (let n = 0; n < 3; n++) expect(await a.acquire('r')).toMatchObject({ reason: 'held' });
    expect(await stored()).toEqual(rowOf(lease));
  });

  it('clocks that are wrong cost time, never order', async () => {
    const { process, clock, stored } = await testLeases(engine);
    const ahead = process('ahead', { clock: skewedClock(clock, 3_600_000) });
    const behind = process('behind', { clock: skewedClock(clock, -3_600_000) });
    const tokens: number[] = [];
    const note = (result: Awaited<ReturnType<typeof ahead.acquire>>) => {
      const { lease } = unwrap(result);
      tokens.push(lease.token);
      return lease;
    };
    note(await ahead.acquire('r'));
    // By the other clock it lasts an hour longer; by its own it is over in time.
    await clock.advance(TTL_MS);
    expect(await behind.acquire('r')).toMatchObject({ reason: 'held' });
    const second = note(await ahead.acquire('r'));
    await second.release();
    const third = note(await behind.acquire('r'));
    // The one that is behind has written an end that is long past for everybody else.
    const fourth = note(await process('right').acquire('r'));
    expect(await third.renew()).toMatchObject({ reason: 'fenced', lastToken: fourth.token });
    expect(tokens).toEqual([...tokens].sort((x, y) => x - y));
    expect(new Set(tokens).size).toBe(4);
    expect(await stored()).toEqual(rowOf(fourth));
  });

  it('after a restore the old grant looks alive; a raise ends it before anybody works', async () => {
    const { process, plant, clock, stored } = await testLeases(engine);
    const a = process('a');
    const old = unwrap(await a.acquire('r')).lease;
    const backup = rowOf(old);
    await clock.advance(TTL_MS);
    const current = unwrap(await process('b').acquire('r')).lease;
    await plant(backup);
    expect(await current.renew()).toMatchObject({ reason: 'lost' });
    const raised = await process('operator').raise('r', { above: current.token });
    expect(raised).toBeGreaterThan(current.token);
    expect(await stored()).toEqual(freeRow('r', raised));
    expect(await old.renew()).toMatchObject({ reason: 'fenced', lastToken: raised });
    const next = unwrap(await process('c').acquire('r')).lease;
    expect(next.token).toBeGreaterThan(raised);
  });

  it('a lease taken over by another process moves its writes there', async () => {
    const { process } = await testLeases(engine);
    const { repository, stored } = await accounts();
    const given = unwrap(await process('a').acquire('r')).lease;
    unwrap(await repository.put(given, { id: 'x', v: 1 }));
    const taken = unwrap(await process('b').takeOver(fence('r', String(given.token)))).lease;
    unwrap(await repository.put(taken, { id: 'x', v: 2 }));
    expect(await repository.put(given, { id: 'x', v: 3 })).toMatchObject({ reason: 'fenced' });
    expect(await stored({ id: { S: 'x' } })).toMatchObject({
      v: { N: '2' },
      _fenceHolder: { S: taken.holder },
    });
  });
});
