import { expect, it } from 'vitest';
import { systemClock } from '../../src/fence/clock.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import type { AcquireResult, TakeOverResult } from '../../src/lease/lease-result.ts';
import {
  conflict,
  dropResponse,
  duplicate,
  type Fault,
  hang,
  pause,
  refuse,
  reset,
  respond,
  serverError,
  throttle,
} from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { freeRow, rowOf, TTL_MS, testLeases } from './lease-table.ts';

/** No fault: it tells when the answer to a request is there. */
function answered(): Fault & { readonly done: Promise<void> } {
  let tell = () => {};
  const done = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return {
    name: 'answered',
    done,
    async inject({ deliver }) {
      const answer = await deliver();
      tell();
      return answer;
    },
  };
}

describeEachEngine('leases on a bad wire', (engine) => {
  const first = { op: 'UpdateItem', nth: 1 } as const;
  /** What an engine shows, or a look, after a copy that was refused by its own effect. */
  const again = engine.returnsItems ? ['UpdateItem'] : ['UpdateItem', 'GetItem'];

  it('a lost answer never locks a caller out of its own lease', async () => {
    const { process, faults, wire, stored } = await testLeases(engine, systemClock);
    faults.add({ on: first, do: dropResponse() });
    const { lease } = unwrap(await process('a').acquire('r', { data: 'mine' }));
    expect(faults.bites('dropResponse')).toBe(1);
    expect(wire.ops).toEqual(['UpdateItem', ...again]);
    expect(await stored()).toEqual({ ...rowOf(lease), data: { S: 'mine' } });
    lease.assertHeld();
  });

  it('of a takeover: the newer token in the row is its own', async () => {
    const { process, faults, stored } = await testLeases(engine, systemClock);
    const given = unwrap(await process('a').acquire('r')).lease;
    faults.add({ on: first, do: dropResponse() });
    const { lease } = unwrap(await process('b').takeOver(given));
    expect(lease.token).toBeGreaterThan(given.token);
    expect(await stored()).toEqual(rowOf(lease));
  });

  it('of a renewal, a release and a raise: each is simply done', async () => {
    const { process, faults, wire, stored } = await testLeases(engine, systemClock);
    const a = process('a');
    const { lease } = unwrap(await a.acquire('r'));
    for (const step of ['renew', 'release'] as const) {
      faults.add({ on: first, do: dropResponse() });
      wire.forget();
      await lease[step]();
      expect(wire.ops).toEqual(['UpdateItem', 'UpdateItem']);
      expect(await stored()).toEqual(step === 'renew' ? rowOf(lease) : freeRow('r', lease.token));
    }
    faults.add({ on: first, do: dropResponse() });
    wire.forget();
    const token = await a.raise('r', { above: 0 });
    expect(wire.ops).toEqual(['UpdateItem', ...again]);
    expect(await stored()).toEqual(freeRow('r', token));
    expect(faults.bites('dropResponse')).toBe(3);
  });

  it('a late copy of an acquire takes no lease that was released meanwhile', async () => {
    const { process, faults, stored } = await testLeases(engine, systemClock);
    const late = duplicate({ after: { requests: 1 } });
    faults.add({ on: first, do: late });
    const { lease } = unwrap(await process('a').acquire('r'));
    await lease.release();
    await faults.idle();
    expect(late.answers).toMatchObject([{ statusCode: 400 }]);
    expect(await stored()).toEqual(freeRow('r', lease.token));
  });

  it('a late copy of a renewal neither shortens a grant nor revives one', async () => {
    const { process, faults, stored, clock } = await testLeases(engine);
    const { lease } = unwrap(await process('a').acquire('r'));
    const overtaken = duplicate({ after: { requests: 1 } });
    const late = duplicate({ after: { requests: 1 } });
    faults.add({ on: first, do: overtaken });
    unwrap(await lease.renew());
    await clock.advance(1_000);
    faults.add({ on: first, do: late });
    unwrap(await lease.renew());
    await expect.poll(() => overtaken.answers).toHaveLength(1);
    expect(overtaken.answers).toMatchObject([{ statusCode: 400 }]);
    expect(await stored()).toMatchObject({ expiresAtMs: { N: String(clock.now() + TTL_MS) } });
    await lease.release();
    await faults.idle();
    expect(late.answers).toMatchObject([{ statusCode: 400 }]);
    expect(await stored()).toEqual(freeRow('r', lease.token));
  });

  it('a late copy of a release ends no newer grant', async () => {
    const { process, faults, stored } = await testLeases(engine, systemClock);
    const { lease } = unwrap(await process('a').acquire('r'));
    const late = duplicate({ after: { requests: 1 } });
    faults.add({ on: first, do: late });
    await lease.release();
    const newer = unwrap(await process('b').acquire('r', { waitMs: 1_000 })).lease;
    await faults.idle();
    expect(late.answers).toMatchObject([{ statusCode: 400 }]);
    expect(await stored()).toEqual(rowOf(newer));
  });

  it.each([
    ['throttling', throttle()],
    ['a transaction that holds the row', conflict()],
    ['a server error before it was applied', serverError()],
    ['a server error after it was applied', serverError({ applied: true })],
    ['a broken connection', reset()],
  ])('%s is sat out by every step', async (_, fault) => {
    const { process, faults, stored } = await testLeases(engine, systemClock);
    const a = process('a');
    const twice = () => faults.add({ on: { op: 'UpdateItem' }, do: fault, times: 2 });
    twice();
    const { lease } = unwrap(await a.acquire('r'));
    expect(await stored()).toEqual(rowOf(lease));
    twice();
    unwrap(await lease.renew());
    expect(await stored()).toEqual(rowOf(lease));
    twice();
    await lease.release();
    expect(await stored()).toEqual(freeRow('r', lease.token));
    expect(faults.bites()).toBe(6);
  });

  it('a renewal goes on after the client has used up its attempts', async () => {
    const { process, faults, wire } = await testLeases(engine, systemClock);
    const { lease } = unwrap(await process('a').acquire('r'));
    faults.add({ on: { op: 'UpdateItem' }, do: conflict(), times: 9 });
    wire.forget();
    expect(await lease.renew()).toMatchObject({ ok: true });
    expect(wire.ops).toHaveLength(10);
  });

  it.each([
    ['always throttled', throttle(), 'unavailable', 4, { name: 'ProvisionedThroughputExceededException' }],
    ['nobody listens', refuse(), 'unavailable', 4, { code: 'ECONNREFUSED' }],
    ['the connection always breaks', reset(), 'outcome-unknown', 5, { code: 'ECONNRESET' }],
  ])('%s: acquire says so, and stores nothing', async (_, fault, code, sent, cause) => {
    const { process, faults, wire, stored } = await testLeases(engine, systemClock);
    faults.add({ do: fault, times: 4 });
    await expect(process('a').acquire('r')).rejects.toMatchObject({ code, cause });
    // Where it may have been granted something, it gives that up.
    await expect.poll(() => wire.ops).toHaveLength(sent);
    await faults.idle();
    expect(await stored()).toBeUndefined();
  });

  it('what the service will never accept is thrown as it is', async () => {
    const { process, faults, wire } = await testLeases(engine, systemClock);
    faults.add({ on: { op: 'UpdateItem' }, do: respond({ name: 'AccessDeniedException' }) });
    const acquiring = process('a').acquire('r', { waitMs: 1_000 });
    await expect(acquiring).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(wire.ops).toEqual(['UpdateItem']);
  });

  it('a refusal that nothing explains is asked again, a bounded number of times', async () => {
    const { process, faults, wire } = await testLeases(engine, systemClock);
    faults.add({ on: { op: 'UpdateItem' }, do: respond({ name: 'ConditionalCheckFailedException' }) });
    await expect(process('a').acquire('r')).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: expect.stringContaining('changed 5 times') },
    });
    expect(wire.ops.filter((op) => op === 'UpdateItem')).toHaveLength(5);
  });

  it.each([
    ['nobody listens', refuse(), { code: 'ECONNREFUSED' }],
    ['the connection always breaks', reset(), { code: 'ECONNRESET' }],
  ])('%s: what cannot be read is unavailable, by inspect', async (_, fault, cause) => {
    const { process, faults } = await testLeases(engine, systemClock);
    faults.add({ on: { op: 'GetItem' }, do: fault });
    const unavailable = { code: 'unavailable', cause };
    await expect(process('a').inspect('r')).rejects.toMatchObject(unavailable);
  });

  it('inspect ends with its deadline, and with the caller', async () => {
    const { process, faults, clock, wire } = await testLeases(engine);
    faults.add({ on: { op: 'GetItem' }, do: hang() });
    const late = process('a')
      .inspect('r', { timeoutMs: 500 })
      .catch((error) => error);
    await expect.poll(() => faults.bites('hang')).toBe(1);
    await clock.advance(500);
    expect(await late).toMatchObject({ code: 'unavailable', cause: { name: 'TimeoutError' } });
    const controller = new AbortController();
    const given = process('a').inspect('r', { signal: controller.signal });
    await expect.poll(() => wire.ops).toHaveLength(2);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(given).rejects.toBe(reason);
    expect(clock.timers).toBe(0);
  });

  it('nothing is sent after the deadline, and no answer after it counts', async () => {
    const { process, faults, wire, clock, stored } = await testLeases(engine);
    faults.add({ on: { op: 'UpdateItem', nth: 1 }, do: hang() });
    const acquiring = process('a')
      .acquire('r', { timeoutMs: 500 })
      .catch((error) => error);
    await expect.poll(() => faults.bites('hang')).toBe(1);
    await clock.advance(499);
    expect(wire.ops).toEqual(['UpdateItem']);
    await clock.advance(1);
    expect(await acquiring).toMatchObject({ code: 'outcome-unknown', cause: { name: 'TimeoutError' } });
    await expect.poll(() => wire.ops).toEqual(['UpdateItem', 'UpdateItem']);
    expect(wire.requests[1]?.input.UpdateExpression).toMatch(/^REMOVE/);
    expect(await stored()).toBeUndefined();
  });

  it('who gives up while its request is applied leaves a free lease behind', async () => {
    const { process, faults, wire, stored } = await testLeases(engine, systemClock);
    const answer = pause({ at: 'answer' });
    faults.add({ on: first, do: answer });
    const controller = new AbortController();
    const acquiring = process('a').acquire('r', { signal: controller.signal });
    await answer.reached;
    expect(await stored()).toMatchObject({ holder: { S: expect.stringMatching(/^a/) } });
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(acquiring).rejects.toBe(reason);
    answer.release();
    await expect.poll(() => wire.ops).toEqual(['UpdateItem', 'UpdateItem']);
    await faults.idle();
    expect(Object.keys((await stored()) ?? {}).sort()).toEqual(['resource', 'token']);
  });

  it('a release of what was given up that arrives late does not end what resolve() was granted', async () => {
    const { process, faults, stored } = await testLeases(engine, systemClock);
    const late = pause();
    faults.add({ on: { op: 'UpdateItem' }, do: dropResponse(), times: 4 });
    faults.add({ on: { op: 'UpdateItem', nth: 5 }, do: late });
    const error = await process('a')
      .acquire('r')
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'outcome-unknown' });
    await late.reached;
    const before = Number((await stored())?.token?.N);
    const { lease } = unwrap((await error.resolve()) as AcquireResult);
    expect(lease.token).toBeGreaterThan(before);
    late.release();
    await faults.idle();
    expect(await stored()).toEqual(rowOf(lease));
  });

  it('a takeover that resolve() finds believes in no more time than its row has', async () => {
    const { process, faults, clock, stored } = await testLeases(engine);
    const given = unwrap(await process('a').acquire('r')).lease;
    const answer = pause({ at: 'answer' });
    faults.add({ on: first, do: answer });
    const taking = process('b')
      .takeOver(given, { timeoutMs: 100 })
      .catch((thrown) => thrown);
    await answer.reached;
    await clock.advance(100);
    const error = await taking;
    expect(error).toMatchObject({ code: 'outcome-unknown' });
    answer.release();
    await clock.advance(TTL_MS * 0.4);
    const { lease } = unwrap((await error.resolve()) as TakeOverResult);
    expect(lease.remainingMs()).toBeLessThanOrEqual(Number((await stored())?.expiresAtMs?.N) - clock.now());
  });

  it('who gives up before its request arrives blocks others for no longer than its ttl', async () => {
    const { process, faults, clock, stored } = await testLeases(engine);
    const request = pause();
    const released = answered();
    faults.add({ on: first, do: request }, { on: { op: 'UpdateItem', nth: 2 }, do: released });
    const controller = new AbortController();
    const acquiring = process('a').acquire('r', { signal: controller.signal });
    await request.reached;
    const granted = clock.now();
    controller.abort(new Error('enough'));
    await expect(acquiring).rejects.toThrow('enough');
    await released.done;
    request.release();
    await faults.idle();
    expect(await stored()).toMatchObject({ expiresAtMs: { N: String(granted + TTL_MS) } });
    await clock.advance(TTL_MS);
    expect(await process('b').acquire('r')).toMatchObject({ ok: true });
  });
});
