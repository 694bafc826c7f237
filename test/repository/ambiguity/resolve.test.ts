import { describe, expect, it } from 'vitest';
import { sessionOf } from '../../../src/fence/fence.ts';
import { fence, isOutcomeUnknown, type OutcomeUnknownError } from '../../../src/index.ts';
import { dropResponse, hang, manualClock, pause, reset } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene } from './scene.ts';
import { balance, live, stamp, tombstone } from './stored.ts';
import { verbs } from './verbs.ts';
import { full, id, withdraw } from './withdraw.ts';

/** The error of a write whose outcome is unknown. */
async function unknown<R>(write: Promise<R>): Promise<OutcomeUnknownError<R>> {
  const error = await write.then(
    (result) => Promise.reject(new Error(`decided: ${JSON.stringify(result)}`)),
    (reason) => reason,
  );
  if (!isOutcomeUnknown(error)) throw error;
  return error as OutcomeUnknownError<R>;
}

const numbered = () => fence(account('a'), 42, { holder: 'caller', seq: 1 });

describeEachEngine('resolve() of an unknown outcome', (engine) => {
  describe.each([
    ['a lease', () => granted(account('a'), 42), Object.entries(verbs)],
    // The same in all but where the number comes from.
    ['a numbered fence', numbered, Object.entries(verbs).filter(([name]) => name === 'add')],
  ] as const)('of %s', (_, make, some) => {
    it.each(some)('says that %s was applied', async (__, verb) => {
      const { accounts, stored, sent, wire, faults } = await scene(engine, {
        with: verb.with,
        rules: [{ do: dropResponse({ as: 'timeout' }) }],
        maxAttempts: 1,
      });
      const by = make();
      const error = await unknown(verb.call(accounts, by));
      const [copy] = wire.requests;
      expect(error).toMatchObject({
        ...{ applied: 'unknown', next: 'resolve' },
        cause: { name: 'TimeoutError', code: 'ETIMEDOUT' },
      });
      expect(sent()).toEqual([verb.op]);
      faults.heal();
      expect(await error.resolve()).toMatchObject({ ok: true, replayed: true, token: 42 });
      expect(wire.requests[0]?.input).toEqual(copy?.input);
      expect(await stored()).toEqual(verb.leaves(by));
    });

    it.each(some)('applies %s where it was not', async (__, verb) => {
      const { accounts, stored, sent, wire, faults } = await scene(engine, {
        with: verb.with,
        rules: [{ do: reset() }],
        maxAttempts: 1,
      });
      const by = make();
      const error = await unknown(verb.call(accounts, by));
      const [copy] = wire.requests;
      expect(await stored()).toEqual(verb.with);
      faults.heal();
      sent();
      expect(await error.resolve()).toMatchObject({ ok: true, replayed: false });
      expect(wire.requests.map(({ input }) => input)).toEqual([copy?.input]);
      expect(await stored()).toEqual(verb.leaves(by));
      expect(await error.resolve()).toMatchObject({ ok: true, replayed: true });
      expect(await stored()).toEqual(verb.leaves(by));
    });
  });

  it('all copies carry the same bytes, and the cause is what the SDK said last', async () => {
    const { accounts, wire, stored } = await scene(engine, {
      with: full,
      rules: [
        { on: { nth: 4 }, do: reset() },
        { do: dropResponse({ as: 'timeout' }), times: 3 },
      ],
    });
    const error = await unknown(withdraw(accounts, granted(account('a'), 42)));
    expect(error.cause).toMatchObject({ name: 'TimeoutError', code: 'ECONNRESET' });
    const bodies = wire.requests.map(({ input }) => JSON.stringify(input));
    expect(bodies).toHaveLength(4);
    expect(new Set(bodies).size).toBe(1);
    expect(await stored()).toMatchObject(balance(90));
  });

  it('is unknown once more where the wire has not recovered', async () => {
    const { accounts, stored, sent } = await scene(engine, { with: full, rules: [{ do: reset() }] });
    const error = await unknown(withdraw(accounts, granted(account('a'), 42)));
    const again = await unknown(error.resolve());
    expect(again).not.toBe(error);
    expect(sent()).toHaveLength(8);
    expect(await stored()).toEqual(full);
  });

  it('counts copies over all calls: a refusal after a copy of an earlier call is not «not applied»', async () => {
    const { accounts, others, faults } = await scene(engine, {
      with: full,
      rules: [{ do: dropResponse() }],
      maxAttempts: 1,
    });
    const [lease, newer] = [granted(account('a'), 42), granted(account('a'), 43)];
    const error = await unknown(withdraw(accounts, lease));
    await others.put(newer, { ...id, balance: 1 });
    faults.heal();
    expect(await error.resolve()).toMatchObject({ reason: 'fenced', applied: 'unknown', lastToken: 43 });
  });

  describe('when the fence has been fenced meanwhile', () => {
    const fencedMeanwhile = async (loss: ReturnType<typeof reset>) => {
      const table = await scene(engine, {
        with: full,
        rules: [{ on: { nth: 1 }, do: loss }],
        maxAttempts: 1,
      });
      const [lease, newer] = [granted(account('a'), 42), granted(account('a'), 43)];
      const error = await unknown(withdraw(table.accounts, lease));
      await table.others.claim(newer, id);
      expect(await table.accounts.claim(lease, id)).toMatchObject({ reason: 'fenced', applied: 'no' });
      expect(sessionOf(lease).signal.aborted).toBe(true);
      table.sent();
      return { ...table, lease, newer, error };
    };

    it('still sends, and finds what was applied', async () => {
      const { error, stored, sent, refused, lease, newer } = await fencedMeanwhile(dropResponse());
      expect(await error.resolve()).toMatchObject({ ok: true, replayed: true, item: { balance: 90 } });
      expect(sent()).toEqual(refused('UpdateItem', full));
      expect(await stored()).toEqual(live(balance(90), lease, 1, stamp(newer, 1)));
    });

    it('still sends, and does not claim that nothing was applied', async () => {
      const { error, stored, newer } = await fencedMeanwhile(reset());
      expect(await error.resolve()).toMatchObject({ reason: 'fenced', applied: 'unknown' });
      expect(await stored()).toEqual({ ...full, ...stamp(newer, 1) });
    });
  });

  it('sends also after the lease was released, when nothing else does', async () => {
    const { accounts, stored, faults, sent } = await scene(engine, {
      with: full,
      rules: [{ do: reset() }],
      maxAttempts: 1,
    });
    const lease = granted(account('a'), 42);
    const error = await unknown(withdraw(accounts, lease));
    faults.heal();
    sessionOf(lease).markReleased();
    await expect(accounts.claim(lease, id)).rejects.toMatchObject({ code: 'lease-released' });
    expect(await error.resolve()).toMatchObject({ ok: true, item: { balance: 90 } });
    expect(sent()).toEqual(['UpdateItem', 'UpdateItem']);
    expect(await stored()).toEqual(live(balance(90), lease, 1));
  });

  describe('when the lease has written the item again meanwhile', () => {
    it.each([
      ['applied', dropResponse()],
      ['not applied', reset()],
    ])('is superseded by new content, whether it was %s', async (_, loss) => {
      const { accounts, stored, sent } = await scene(engine, {
        with: full,
        rules: [{ on: { nth: 1 }, do: loss }],
        maxAttempts: 1,
      });
      const lease = granted(account('a'), 42);
      const error = await unknown(withdraw(accounts, lease));
      expect(await accounts.put(lease, { ...id, balance: 7 })).toMatchObject({ ok: true });
      expect(await error.resolve()).toStrictEqual({
        ...{ ok: false, reason: 'superseded', resource: account('a'), token: 42, holder: lease.holder },
        ...{ lastToken: 42, lastHolder: lease.holder, applied: 'unknown' },
      });
      expect(await stored()).toEqual(live(balance(7), lease, 2));
      sent();
      // The lease itself is as good as before.
      expect(await accounts.claim(lease, id)).toMatchObject({ ok: true });
    });

    it('is found where the lease has only claimed', async () => {
      const { accounts, stored } = await scene(engine, {
        with: full,
        rules: [{ on: { nth: 1 }, do: dropResponse() }],
        maxAttempts: 1,
      });
      const lease = granted(account('a'), 42);
      const error = await unknown(withdraw(accounts, lease));
      expect(await accounts.claim(lease, id)).toMatchObject({ ok: true, item: { balance: 90 } });
      expect(await error.resolve()).toMatchObject({ ok: true, replayed: true, item: { balance: 90 } });
      expect(await stored()).toEqual(live(balance(90), lease, 1, stamp(lease, 2)));
    });
  });

  describe('and the order of the writes', () => {
    it('waits for the write that is running, and those that were called before it', async () => {
      const gate = pause();
      const { accounts, stored, sent, faults } = await scene(engine, {
        with: full,
        rules: [{ on: { nth: 1 }, do: reset() }],
        maxAttempts: 1,
      });
      const lease = granted(account('a'), 42);
      const error = await unknown(withdraw(accounts, lease));
      faults.add({ on: { nth: 1 }, do: gate });
      const order: string[] = [];
      const note = (name: string) => () => void order.push(name);
      const running = accounts.claim(lease, id).then(note('running'));
      await gate.reached;
      const queued = accounts.claim(lease, id).then(note('queued'));
      const resolved = error.resolve().then(note('resolve'), note('resolve'));
      const behind = accounts.claim(lease, id).then(note('behind'));
      gate.release();
      await Promise.all([running, queued, resolved, behind]);
      expect(order).toEqual(['running', 'queued', 'resolve', 'behind']);
      expect(await stored()).toEqual({ ...full, ...stamp(lease, 4) });
      sent();
    });

    it.each(['the deadline', 'a signal'])('is unknown where %s ends the wait', async (what) => {
      const clock = manualClock();
      const gate = pause();
      const { accounts, sent, faults } = await scene(engine, {
        ...{ with: full, clock, maxAttempts: 1 },
        rules: [{ on: { nth: 1 }, do: reset() }],
      });
      const lease = granted(account('a'), 42);
      const error = await unknown(withdraw(accounts, lease));
      faults.add({ on: { nth: 1 }, do: gate });
      const running = accounts.claim(lease, id);
      await gate.reached;
      sent();
      const controller = new AbortController();
      const resolving = unknown(error.resolve({ timeoutMs: 500, signal: controller.signal }));
      if (what === 'a signal') controller.abort(new Error('enough'));
      else await clock.advance(500);
      // Nothing was sent this time, and still it may have been applied.
      const again = await resolving;
      expect(again.applied).toBe('unknown');
      expect(again.cause).toMatchObject(
        what === 'a signal' ? { message: 'enough' } : { name: 'TimeoutError' },
      );
      expect(sent()).toEqual([]);
      gate.release();
      expect(await running).toMatchObject({ ok: true });
      expect(clock.timers).toBe(0);
    });

    it('is bounded by its own time and signal while it sends', async () => {
      const clock = manualClock();
      const { accounts, faults, sent } = await scene(engine, {
        ...{ with: full, clock, maxAttempts: 1 },
        rules: [{ do: reset(), times: 1 }],
      });
      const error = await unknown(withdraw(accounts, granted(account('a'), 42)));
      sent();
      faults.add({ do: hang() });
      const resolving = unknown(error.resolve({ timeoutMs: 500 }));
      await expect.poll(() => faults.bites('hang'), { interval: 1 }).toBe(1);
      await clock.advance(500);
      await resolving;
      await expect(error.resolve({ timeoutMs: -1 })).rejects.toMatchObject({ code: 'invalid-input' });
      expect(await unknown(error.resolve({ signal: AbortSignal.abort(new Error('no')) }))).toMatchObject({
        cause: { message: 'no' },
      });
      expect(sent()).toEqual(['UpdateItem']);
      expect(clock.timers).toBe(0);
    });
  });

  it('of a delete finds its stamp, and leaves a tombstone once', async () => {
    const { accounts, stored, faults } = await scene(engine, {
      with: full,
      rules: [{ do: dropResponse() }],
      maxAttempts: 1,
    });
    const lease = granted(account('a'), 42);
    const error = await unknown(accounts.delete(lease, id));
    expect(await stored()).toEqual(tombstone(lease, 1));
    faults.heal();
    expect(await error.resolve()).toStrictEqual({ ok: true, item: undefined, token: 42, replayed: true });
  });
});
