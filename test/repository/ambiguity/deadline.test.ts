import { describe, expect, it } from 'vitest';
import { fence } from '../../../src/index.ts';
import {
  delay,
  dropResponse,
  type Fault,
  hang,
  type ManualClock,
  manualClock,
  pause,
  reset,
  throttle,
} from '../../../src/testing/index.ts';
import { wrapHandler } from '../../../src/testing/wrap-handler.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account, accountsIn } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { type Scene, scene, withoutPauses } from './scene.ts';
import { balance, live } from './stored.ts';
import { overtakenBy } from './straggler.ts';
import { full, id, withdraw } from './withdraw.ts';

const caught = (write: Promise<unknown>): Promise<unknown> => write.catch((error) => error);
/** How many copies have met their fault. The caller hears of it a little later. */
const bitten = (table: Scene, times: number) =>
  expect.poll(() => table.faults.bites(), { interval: 1 }).toBe(times);
/** In the pause after a copy there is a timer beside the deadline's. Before that no time may pass. */
const pausing = (clock: ManualClock) => expect.poll(() => clock.timers, { interval: 1 }).toBe(2);
/** The longest pauses that there are, but for a hair. */
const longPauses = { ...withoutPauses, unit: () => 1 - 2 ** -20 };

describeEachEngine('the deadline of a write', (engine) => {
  const timed = async (clock: ManualClock, ...faults: Fault[]) =>
    scene(engine, {
      ...{ with: full, clock, random: longPauses },
      rules: faults.map((fault, index) => ({ on: { nth: index + 1 }, do: fault })),
    });

  it.each([
    ['the answer never comes', dropResponse({ as: 'hang' }), true],
    ['the request never arrives', hang(), false],
  ])('where %s: unknown, after one copy', async (_, fault, applied) => {
    const clock = manualClock();
    const table = await timed(clock, fault);
    const lease = granted(account('a'), 42);
    const write = caught(withdraw(table.accounts, lease, { timeoutMs: 150 }));
    await bitten(table, 1);
    await clock.advance(149);
    expect(clock.timers).toBe(1);
    await clock.advance(1);
    expect(await write).toMatchObject({
      code: 'outcome-unknown',
      applied: 'unknown',
      cause: { name: 'TimeoutError' },
    });
    expect(table.sent()).toEqual(['UpdateItem']);
    // What is on the wire arrives, whether somebody waits for the answer or not.
    await table.faults.idle();
    expect(await table.stored()).toEqual(applied ? live(balance(90), lease, 1) : full);
    expect(clock.timers).toBe(0);
  });

  it('is 10 s where none is given', async () => {
    const clock = manualClock();
    const table = await timed(clock, hang());
    let settled = false;
    const write = caught(withdraw(table.accounts, granted(account('a'), 42))).finally(() => {
      settled = true;
    });
    await bitten(table, 1);
    await clock.advance(9_999);
    expect(settled).toBe(false);
    await clock.advance(1);
    expect(await write).toMatchObject({ code: 'outcome-unknown' });
  });

  it('ends the wait for a transport that listens to no signal', async () => {
    const clock = manualClock();
    const { tableName, stored } = await scene(engine, { with: full });
    let sent = 0;
    const deaf = wrapHandler(engine.running.handler, () => {
      sent++;
      return new Promise(() => {});
    });
    const accounts = accountsIn({ client: engine.client({ requestHandler: deaf }), tableName }, { clock });
    const write = caught(withdraw(accounts, granted(account('a'), 42), { timeoutMs: 150 }));
    await expect.poll(() => sent, { interval: 1 }).toBe(1);
    await clock.advance(150);
    expect(await write).toMatchObject({ code: 'outcome-unknown' });
    expect(sent).toBe(1);
    expect(await stored()).toEqual(full);
  });

  it('cuts a pause short, and nothing is sent after it: throttled copies are contention', async () => {
    const clock = manualClock();
    const table = await timed(clock, throttle(), throttle(), throttle());
    // As a lease with 300 ms left would ask for: the second pause is longer than that.
    const write = withdraw(table.accounts, granted(account('a'), 42), { timeoutMs: 300 });
    await bitten(table, 1);
    await pausing(clock);
    await clock.advance(200);
    await bitten(table, 2);
    await pausing(clock);
    await clock.advance(99);
    expect(clock.timers).toBe(2);
    await clock.advance(1);
    expect(await write).toMatchObject({ ok: false, reason: 'contention', retryAfterMs: 400 });
    expect(table.sent()).toEqual(['UpdateItem', 'UpdateItem']);
    await clock.advance(60_000);
    expect(table.sent()).toEqual([]);
    expect(await table.stored()).toEqual(full);
    expect(clock.timers).toBe(0);
  });

  it('cuts a pause short: after a lost copy the outcome is unknown', async () => {
    const clock = manualClock();
    const table = await timed(clock, reset());
    const write = caught(withdraw(table.accounts, granted(account('a'), 42), { timeoutMs: 20 }));
    await bitten(table, 1);
    await pausing(clock);
    await clock.advance(20);
    expect(await write).toMatchObject({ code: 'outcome-unknown', cause: { code: 'ECONNRESET' } });
    await clock.advance(60_000);
    expect(table.sent()).toEqual(['UpdateItem']);
  });

  describe('holds also for a process that was frozen', () => {
    const frozen = (clock: ManualClock) => overtakenBy(async () => clock.freeze(600_000));

    it('no further copy is sent', async () => {
      const clock = manualClock();
      const table = await timed(clock);
      table.faults.add({ on: { nth: 1 }, do: [frozen(clock), reset()] });
      const write = caught(withdraw(table.accounts, granted(account('a'), 42)));
      await bitten(table, 2);
      await clock.advance(0);
      expect(await write).toMatchObject({ code: 'outcome-unknown' });
      expect(table.sent()).toEqual(['UpdateItem']);
      expect(clock.timers).toBe(0);
    });

    it('nothing is looked up: it asks the clock, since its timers have not run yet', async () => {
      const clock = manualClock();
      const table = await scene(engine, { clock });
      table.faults.add({ on: { nth: 1 }, do: frozen(clock) });
      const write = withdraw(table.accounts, granted(account('a'), 42));
      await expect(write).rejects.toMatchObject({ code: 'unavailable', applied: 'no' });
      expect(table.sent()).toEqual(['UpdateItem']);
    });
  });

  it('is told what was answered in time, however late it is read', async () => {
    const clock = manualClock();
    const table = await timed(clock);
    table.faults.add({ on: { nth: 1 }, do: overtakenBy(async () => clock.freeze(600_000)) });
    const lease = granted(account('a'), 42);
    expect(await withdraw(table.accounts, lease)).toMatchObject({ ok: true, replayed: false });
    expect(await table.stored()).toEqual(live(balance(90), lease, 1));
  });

  it('bounds the look at what refused it', async () => {
    const clock = manualClock();
    const table = await scene(engine, { clock, rules: [{ on: { op: 'GetItem' }, do: hang() }] });
    const write = caught(withdraw(table.accounts, granted(account('a'), 42), { timeoutMs: 300 }));
    await bitten(table, 1);
    await clock.advance(300);
    expect(await write).toMatchObject({ code: 'unavailable', applied: 'no' });
    expect(table.sent()).toEqual(['UpdateItem', 'GetItem']);
  });

  it('bounds the seal: unknown', async () => {
    const clock = manualClock();
    const table = await scene(engine, {
      ...{ with: full, clock },
      rules: [
        { on: { op: 'PutItem', nth: 1 }, do: reset() },
        { on: { op: 'UpdateItem' }, do: hang() },
      ],
    });
    const write = caught(table.accounts.create(granted(account('a'), 42), { ...id }, { timeoutMs: 300 }));
    await bitten(table, 1);
    await pausing(clock);
    await clock.advance(0);
    await bitten(table, 2);
    await clock.advance(300);
    expect(await write).toMatchObject({ code: 'outcome-unknown' });
    expect(await table.stored()).toEqual(full);
    expect(clock.timers).toBe(0);
  });

  describe('while it waits for its turn', () => {
    it('is unavailable: nothing was sent, and those behind go on in order', async () => {
      const clock = manualClock();
      const gate = pause();
      const table = await timed(clock, gate);
      const lease = granted(account('a'), 42);
      const running = withdraw(table.accounts, lease);
      await gate.reached;
      const waiting = caught(table.accounts.put(lease, { ...id, balance: 0 }, { timeoutMs: 300 }));
      const behind = withdraw(table.accounts, lease);
      await clock.advance(300);
      expect(await waiting).toMatchObject({ code: 'unavailable', applied: 'no', next: 'retry' });
      expect(table.sent()).toEqual(['UpdateItem']);
      gate.release();
      expect(await running).toMatchObject({ ok: true, item: { balance: 90 } });
      expect(await behind).toMatchObject({ ok: true, item: { balance: 80 } });
      expect(table.sent()).toEqual(['UpdateItem']);
      // The one that gave up took no number.
      expect(await table.stored()).toEqual(live(balance(80), lease, 2));
      expect(clock.timers).toBe(0);
    });

    it('counts: what is left for sending is what the wait has left', async () => {
      const clock = manualClock();
      const gate = pause();
      const table = await timed(clock, gate, hang());
      const lease = granted(account('a'), 42);
      const running = withdraw(table.accounts, lease);
      await gate.reached;
      const waiting = caught(withdraw(table.accounts, lease, { timeoutMs: 300 }));
      await clock.advance(200);
      gate.release();
      await running;
      await bitten(table, 2);
      await clock.advance(100);
      expect(await waiting).toMatchObject({ code: 'outcome-unknown' });
    });
  });

  it('is refused where it is no length of time', async () => {
    const table = await scene(engine, { with: full });
    const lease = granted(account('a'), 42);
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5' as unknown as number]) {
      await expect(withdraw(table.accounts, lease, { timeoutMs })).rejects.toMatchObject({
        code: 'invalid-input',
        path: 'timeoutMs',
      });
    }
    expect(table.sent()).toEqual([]);
  });
});

describeEachEngine("the caller's signal", (engine) => {
  const enough = new Error('enough');

  it('aborted before: its reason, and nothing is sent', async () => {
    const table = await scene(engine, { with: full });
    const lease = granted(account('a'), 42);
    const signal = AbortSignal.abort(enough);
    expect(await caught(withdraw(table.accounts, lease, { signal }))).toBe(enough);
    expect(table.sent()).toEqual([]);
    expect(await withdraw(table.accounts, lease)).toMatchObject({ ok: true });
    expect(await table.stored()).toEqual(live(balance(90), lease, 1));
  });

  it.each([
    ['a lease', () => granted(account('a'), 42)],
    ['a bare fence', () => fence(account('a'), 42)],
  ])('while a copy of %s is on its way: unknown, and no other is sent', async (_, make) => {
    const table = await scene(engine, {
      with: full,
      rules: [{ on: { nth: 1 }, do: dropResponse({ as: 'hang' }) }],
    });
    const by = make();
    const controller = new AbortController();
    const write = caught(withdraw(table.accounts, by, { signal: controller.signal }));
    await bitten(table, 1);
    await expect.poll(() => table.stored(), { interval: 1 }).toEqual(live(balance(90), by, 1));
    controller.abort(enough);
    const error = (await write) as { resolve(): Promise<unknown> };
    expect(error).toMatchObject({ code: 'outcome-unknown' });
    expect(table.sent()).toEqual(['UpdateItem']);
    expect(await error.resolve()).toMatchObject({ ok: true, replayed: true });
  });

  it.each([
    ['a throttled copy: its reason', throttle(), undefined],
    ['a lost copy: unknown', reset(), 'outcome-unknown'],
  ])('in the pause after %s', async (_, fault, code) => {
    const clock = manualClock();
    const table = await scene(engine, { with: full, clock, rules: [{ do: fault }], random: longPauses });
    const controller = new AbortController();
    const write = caught(withdraw(table.accounts, granted(account('a'), 42), { signal: controller.signal }));
    await bitten(table, 1);
    await pausing(clock);
    controller.abort(enough);
    const error = await write;
    if (code === undefined) expect(error).toBe(enough);
    else expect(error).toMatchObject({ code });
    await clock.advance(60_000);
    expect(table.sent()).toEqual(['UpdateItem']);
    expect(await table.stored()).toEqual(full);
    expect(clock.timers).toBe(0);
  });

  it('in the queue: its reason, nothing is sent for it, and the others keep their order', async () => {
    const gate = pause();
    const table = await scene(engine, { with: full, rules: [{ on: { nth: 1 }, do: gate }] });
    const lease = granted(account('a'), 42);
    const controller = new AbortController();
    const running = withdraw(table.accounts, lease);
    await gate.reached;
    const waiting = caught(table.accounts.put(lease, { ...id, balance: 0 }, { signal: controller.signal }));
    const behind = withdraw(table.accounts, lease);
    controller.abort(enough);
    expect(await waiting).toBe(enough);
    expect(table.sent()).toEqual(['UpdateItem']);
    gate.release();
    expect(await running).toMatchObject({ ok: true });
    expect(await behind).toMatchObject({ ok: true, item: { balance: 80 } });
    expect(await table.stored()).toEqual(live(balance(80), lease, 2));
  });

  it('while it looks what refused it: its reason, for nothing was applied', async () => {
    const table = await scene(engine, { rules: [{ on: { op: 'GetItem' }, do: hang() }] });
    const controller = new AbortController();
    const write = caught(withdraw(table.accounts, granted(account('a'), 42), { signal: controller.signal }));
    await bitten(table, 1);
    controller.abort(enough);
    expect(await write).toBe(enough);
  });

  it('after the answer: no matter', async () => {
    const table = await scene(engine, { with: full, rules: [{ on: { nth: 1 }, do: delay(0) }] });
    const controller = new AbortController();
    const write = withdraw(table.accounts, granted(account('a'), 42), { signal: controller.signal });
    expect(await write).toMatchObject({ ok: true });
    controller.abort(enough);
    expect(await table.stored()).toMatchObject(balance(90));
  });
});
