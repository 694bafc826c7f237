import { describe, expect, it } from 'vitest';
import { sessionOf } from '../../src/fence/fence.ts';
import { fencingToken } from '../../src/fence/token.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import type { Lease } from '../../src/lease/lease.ts';
import type { LeaseManager } from '../../src/lease/lease-manager.ts';
import type { MemoryTokenSource } from '../../src/lease/sources/memory.ts';
import { fail, hang, loseAnswer, loseRequest, slowAnswer, turnAway } from './unruly-source.ts';
import { TTL_MS, whilePending, world } from './world.ts';

async function take(manager: LeaseManager<MemoryTokenSource>): Promise<Lease> {
  return unwrap(await manager.acquire('r')).lease;
}

const codeOf = (signal: AbortSignal) => signal.reason?.code;

describe('a lease', () => {
  it('is a fence; as JSON it is data, and a copy of it is no fence', async () => {
    const lease = await take(world().process('a'));
    const { resource, token, holder, expiresAtMs } = lease;
    expect(JSON.parse(JSON.stringify(lease))).toEqual({ resource, token, holder, expiresAtMs });
    expect(sessionOf(lease)).toMatchObject({ kind: 'lease', resource, token, holder });
    expect(() => sessionOf({ ...lease })).toThrow('neither a lease');
    expect(() => sessionOf(lease.toJSON())).toThrow('neither a lease');
  });

  it('starts one timer, which keeps no process alive', async () => {
    const { process, clock } = world();
    const options: unknown[] = [];
    const spied = {
      ...clock,
      after: (ms: number, callback: () => void, o?: object) => {
        options.push(o);
        return clock.after(ms, callback);
      },
    };
    await take(process('a', { clock: spied }));
    expect(clock.timers).toBe(1);
    expect(options.at(-1)).toEqual({ unref: true });
  });
});

describe('its local end', () => {
  it('aborts the signal by a timer', async () => {
    const { process, clock } = world();
    const lease = await take(process('a'));
    await clock.advance(TTL_MS - 1);
    expect([lease.signal.aborted, lease.remainingMs()]).toEqual([false, 1]);
    lease.assertHeld();
    await clock.advance(1);
    expect([codeOf(lease.signal), lease.remainingMs()]).toEqual(['lease-expired', 0]);
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'lease-expired' }));
    expect(clock.timers).toBe(0);
  });

  it.each<[string, (lease: Lease) => unknown]>([
    ['its remaining time', (lease) => lease.remainingMs()],
    ['its signal', (lease) => lease.signal],
    ['whether it is held', (lease) => expect(() => lease.assertHeld()).toThrow('is over by the local clock')],
    ['the same for a write', (lease) => expect(() => sessionOf(lease).assertUsable(true)).toThrow()],
  ])('is noticed by whoever asks after a pause, before any timer runs: %s', async (_, ask) => {
    const { process, clock } = world();
    const lease = await take(process('a'));
    const { signal } = lease;
    clock.freeze(TTL_MS);
    expect(signal.aborted).toBe(false);
    ask(lease);
    expect(codeOf(signal)).toBe('lease-expired');
  });

  it('comes when either clock says so: a machine that slept, a wall clock set back', async () => {
    const { process, clock } = world();
    const asleep = await take(process('a'));
    clock.jump(TTL_MS);
    expect(asleep.remainingMs()).toBe(0);
    const setBack = await take(process('b'));
    clock.jump(-3_600_000);
    clock.freeze(TTL_MS - 1);
    expect(setBack.remainingMs()).toBe(1);
    clock.freeze(1);
    expect(setBack.remainingMs()).toBe(0);
  });

  it('does not hinder writes: the storage decides about them', async () => {
    const { process, clock } = world();
    const lease = await take(process('a'));
    clock.freeze(TTL_MS);
    expect(() => sessionOf(lease).assertUsable()).not.toThrow();
  });

  it('waits for a timer that comes early', async () => {
    const { process, clock } = world();
    const early = { ...clock, after: (ms: number, then: () => void) => clock.after(ms * 0.999, then) };
    const { signal } = await take(process('a', { clock: early }));
    await clock.advance(TTL_MS - 0.001);
    expect(signal.aborted).toBe(false);
    await clock.advance(0.002);
    expect(signal.aborted).toBe(true);
  });
});

describe('renew', () => {
  it('prolongs the lease from now, with one request', async () => {
    const { process, clock, verbs, stored } = world();
    const lease = await take(process('a'));
    await clock.advance(TTL_MS * 0.6);
    const renewed = { ok: true, expiresAtMs: clock.now() + TTL_MS, renewedLate: false };
    expect(await lease.renew()).toEqual(renewed);
    expect([lease.remainingMs(), lease.expiresAtMs]).toEqual([TTL_MS, renewed.expiresAtMs]);
    expect((await stored())?.expiresAtMs).toBe(renewed.expiresAtMs);
    expect(verbs).toEqual(['acquire', 'renew']);
    await clock.advance(TTL_MS - 1);
    expect(lease.signal.aborted).toBe(false);
    expect(clock.timers).toBe(1);
  });

  it('counts from before the request that was answered', async () => {
    const { process, clock, next } = world();
    const lease = await take(process('a'));
    next('renew', turnAway, slowAnswer(clock, 300));
    const renewing = whilePending(clock, lease.renew(), 1_000);
    unwrap(await renewing);
    expect(lease.remainingMs()).toBeLessThanOrEqual(TTL_MS - 300);
    expect(lease.remainingMs()).toBeGreaterThan(TTL_MS - 302);
  });

  it('may be late while nobody took it over: it holds again, and its signal stays aborted', async () => {
    const { process, clock } = world();
    const lease = await take(process('a'));
    await clock.advance(TTL_MS * 2);
    expect(await lease.renew()).toMatchObject({ ok: true, renewedLate: true });
    expect([lease.remainingMs(), codeOf(lease.signal)]).toEqual([TTL_MS, 'lease-expired']);
    lease.assertHeld();
    expect(await lease.renew()).toMatchObject({ ok: true, renewedLate: false });
    expect(clock.timers).toBe(0);
    clock.freeze(TTL_MS);
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'lease-expired' }));
  });

  it('is late as well where its answer comes after the end', async () => {
    const { process, clock, next } = world();
    const lease = await take(process('a'));
    next('renew', slowAnswer(clock, TTL_MS / 2));
    await clock.advance(TTL_MS * 0.75);
    const renewing = lease.renew();
    await clock.advance(TTL_MS / 2);
    expect(await renewing).toMatchObject({ ok: true, renewedLate: true });
    expect(lease.remainingMs()).toBe(TTL_MS / 2);
  });

  it('says who was granted it since, and then says so without asking', async () => {
    const { process, clock, verbs, stored } = world();
    const lease = await take(process('a'));
    clock.freeze(TTL_MS);
    const newer = await take(process('b'));
    const before = await stored();
    const fenced = {
      ok: false,
      reason: 'fenced',
      resource: 'r',
      token: lease.token,
      holder: lease.holder,
      lastToken: newer.token,
      lastHolder: newer.holder,
      applied: 'no',
    };
    const { signal } = lease;
    expect(await lease.renew()).toEqual(fenced);
    expect(codeOf(signal)).toBe('lease-expired');
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'fenced' }));
    expect(sessionOf(lease).fenced).toEqual(fenced);
    const asked = verbs.length;
    expect(await lease.renew()).toEqual(fenced);
    expect(verbs.length).toBe(asked);
    expect(await stored()).toEqual(before);
  });

  it('aborts the signal with the newer token where the lease was taken before its end', async () => {
    const { process } = world();
    const lease = await take(process('a'));
    await process('operator').raise('r', { above: 0 });
    expect(await lease.renew()).toMatchObject({ reason: 'fenced', lastHolder: undefined });
    expect(codeOf(lease.signal)).toBe('fenced');
    expect(lease.remainingMs()).toBe(0);
  });

  it('says that it is lost where nobody newer is known, and then says so without asking', async () => {
    const { process, verbs, next, clock } = world();
    const lease = await take(process('a'));
    next('renew', async () => ({ is: 'lost' }));
    const lost = { ok: false, reason: 'lost', resource: 'r', token: lease.token, holder: lease.holder };
    expect(await lease.renew()).toEqual(lost);
    expect(await lease.renew()).toEqual(lost);
    expect([codeOf(lease.signal), lease.remainingMs()]).toEqual(['lost', 0]);
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'lost', result: lost }));
    expect(verbs).toEqual(['acquire', 'renew']);
    expect(clock.timers).toBe(0);
  });

  it('asks again after being turned away and after lost answers: neither means that it is lost', async () => {
    const { process, clock, verbs, next } = world();
    const lease = await take(process('a'));
    next('renew', turnAway, loseAnswer, loseRequest, turnAway);
    expect(await whilePending(clock, lease.renew(), 5_000)).toMatchObject({ ok: true });
    expect(verbs).toEqual(['acquire', 'renew', 'renew', 'renew', 'renew', 'renew']);
  });

  it.each([
    ['turned away', turnAway, 'unavailable', 'throttled'],
    ['lost answers', loseRequest, 'outcome-unknown', 'socket hang up'],
  ])('gives up with its deadline: %s', async (_, mishap, code, cause) => {
    const { process, clock, always, heal } = world();
    const lease = await take(process('a'));
    always('renew', mishap);
    const renewing = lease.renew({ timeoutMs: 500 }).catch((error) => error);
    await clock.advance(500);
    const error = await renewing;
    expect(error).toMatchObject({ code, cause: { message: cause } });
    heal();
    if (code === 'outcome-unknown') expect(await error.resolve()).toMatchObject({ ok: true });
    expect(clock.timers).toBe(1);
  });

  it('throws at once what will never succeed', async () => {
    const { process, verbs, next } = world();
    const lease = await take(process('a'));
    next('renew', fail);
    await expect(lease.renew()).rejects.toThrow('not authorised');
    expect(verbs).toEqual(['acquire', 'renew']);
  });

  it('ends with the caller’s signal', async () => {
    const { process, clock, always } = world();
    const lease = await take(process('a'));
    always('renew', turnAway);
    const controller = new AbortController();
    const renewing = lease.renew({ signal: controller.signal });
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(renewing).rejects.toBe(reason);
    await expect(lease.renew({ signal: controller.signal })).rejects.toBe(reason);
    expect(clock.timers).toBe(1);
  });

  it('goes one after the other', async () => {
    const { process, clock, verbs, next } = world();
    const lease = await take(process('a'));
    next('renew', slowAnswer(clock, 100));
    const both = Promise.all([lease.renew(), lease.renew()]);
    await clock.advance(99);
    expect(verbs).toEqual(['acquire', 'renew']);
    await clock.advance(1);
    expect(await both).toMatchObject([{ ok: true }, { ok: true }]);
    expect(verbs).toEqual(['acquire', 'renew', 'renew']);
  });
});

describe('release', () => {
  it('ends the lease with one request, and keeps its token', async () => {
    const { process, clock, verbs, stored } = world();
    const lease = await take(process('a'));
    await lease.release();
    expect(await stored()).toMatchObject({ token: lease.token, holder: undefined });
    expect([codeOf(lease.signal), lease.remainingMs()]).toEqual(['lease-released', 0]);
    expect(verbs).toEqual(['acquire', 'release']);
    expect(clock.timers).toBe(0);
  });

  it('afterwards everything throws and nothing is asked', async () => {
    const { process, verbs } = world();
    const a = process('a');
    const lease = await take(a);
    await lease.release();
    const released = expect.objectContaining({ code: 'lease-released' });
    await expect(lease.renew()).rejects.toEqual(released);
    await expect(a.takeOver(lease)).rejects.toEqual(released);
    expect(() => lease.assertHeld()).toThrow(released);
    expect(() => sessionOf(lease).assertUsable()).toThrow(released);
    await lease.release();
    await lease[Symbol.asyncDispose]();
    expect(verbs).toEqual(['acquire', 'release']);
  });

  it('throws from its first moment on, not only when it is through', async () => {
    const { process } = world();
    const lease = await take(process('a'));
    const releasing = lease.release();
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'lease-released' }));
    await releasing;
  });

  it('of a lease that somebody else has by now changes nothing and is no error', async () => {
    const { process, clock, stored } = world();
    const lease = await take(process('a'));
    await clock.advance(TTL_MS);
    const newer = await take(process('b'));
    await lease.release();
    expect(await stored()).toMatchObject({ token: newer.token, holder: newer.holder });
  });

  it.each(['fenced', 'lost'])('of a lease that is known to be %s asks nothing', async (is) => {
    const { process, verbs, next } = world();
    const lease = await take(process('a'));
    next('renew', async () => ({ is, lastToken: fencingToken(lease.token + 1), applied: 'no' }));
    await lease.renew();
    await lease.release();
    expect(verbs).toEqual(['acquire', 'renew']);
  });

  it('ends a renewal that is under way, and its late answer changes nothing', async () => {
    const { process, clock, verbs, always } = world();
    const lease = await take(process('a'));
    always('renew', slowAnswer(clock, 1_000));
    const renewing = lease.renew().catch((error) => error);
    await clock.advance(500);
    const releasing = lease.release();
    await clock.advance(499);
    expect(verbs).toEqual(['acquire', 'renew']);
    await clock.advance(1);
    await releasing;
    expect(await renewing).toMatchObject({ code: 'lease-released' });
    expect(verbs).toEqual(['acquire', 'renew', 'release']);
    expect([lease.remainingMs(), clock.timers]).toEqual([0, 0]);
  });

  it('ends the pauses of a renewal that is turned away', async () => {
    const { process, clock, always } = world();
    const lease = await take(process('a'));
    always('renew', turnAway);
    const renewing = lease.renew().catch((error) => error);
    await clock.advance(2_000);
    await lease.release();
    expect(await renewing).toMatchObject({ code: 'lease-released' });
    expect(clock.timers).toBe(0);
  });

  it('asks again until it is decided', async () => {
    const { process, clock, verbs, next } = world();
    const lease = await take(process('a'));
    next('release', turnAway, loseAnswer);
    await whilePending(clock, lease.release(), 1_000);
    expect(verbs).toEqual(['acquire', 'release', 'release', 'release']);
  });

  it('throws where no answer came, and can then be asked again', async () => {
    const { process, clock, always, heal, stored } = world();
    const lease = await take(process('a'));
    always('release', loseRequest);
    const releasing = lease.release({ timeoutMs: 500 }).catch((error) => error);
    await clock.advance(500);
    const error = await releasing;
    expect(error).toMatchObject({ code: 'outcome-unknown' });
    heal();
    await error.resolve();
    expect(await stored()).toMatchObject({ holder: undefined });
  });

  it.each(['timeoutMs', 'signal'])('asked for twice at once is bound by each %s', async (bound) => {
    const { process, clock, always } = world();
    const lease = await take(process('a'));
    always('release', hang);
    const controller = new AbortController();
    const first = lease.release({ timeoutMs: 2_000 }).catch((error) => error);
    const options = bound === 'timeoutMs' ? { timeoutMs: 100 } : { signal: controller.signal };
    const second = lease.release(options).catch((error) => error);
    await clock.advance(100);
    controller.abort(new Error('enough'));
    // The request of the first is out: whether the lease is free nobody knows yet.
    const ended = bound === 'timeoutMs' ? { code: 'outcome-unknown' } : { message: 'enough' };
    expect(await second).toMatchObject(ended);
    await clock.advance(1_900);
    expect(await first).toMatchObject({ code: 'outcome-unknown' });
  });

  it('asked for twice at once is one request', async () => {
    const { process, verbs } = world();
    const lease = await take(process('a'));
    await Promise.all([lease.release(), lease.release(), lease[Symbol.asyncDispose]()]);
    expect(verbs).toEqual(['acquire', 'release']);
  });

  it('asked for again is made where the one before it was not answered', async () => {
    const { process, clock, next, verbs, stored } = world();
    const lease = await take(process('a'));
    next('release', hang);
    const first = lease.release({ timeoutMs: 500 }).catch((error) => error);
    const second = lease.release();
    await clock.advance(500);
    expect(await first).toMatchObject({ code: 'outcome-unknown' });
    await second;
    expect(verbs).toEqual(['acquire', 'release', 'release']);
    expect(await stored()).toMatchObject({ holder: undefined });
  });

  it('that was turned away after one of which nobody knows is unknown, too', async () => {
    const { process, clock, next, always } = world();
    const lease = await take(process('a'));
    next('release', loseRequest);
    always('release', turnAway);
    for (let time = 1; time <= 2; time++) {
      const releasing = lease.release({ timeoutMs: 500 }).catch((error) => error);
      await clock.advance(500);
      expect(await releasing).toMatchObject({ code: 'outcome-unknown' });
    }
  });

  it('of a lease that an item has fenced frees its row: its source knows of nobody newer', async () => {
    const { process, verbs, stored } = world();
    const lease = await take(process('a'));
    sessionOf(lease).markFenced({ lastToken: fencingToken(lease.token + 1), lastHolder: 'bare/1' });
    await lease.release();
    expect(verbs).toEqual(['acquire', 'release']);
    expect(await stored()).toMatchObject({ token: lease.token, holder: undefined });
  });

  it('refuses bad options without ending the lease', async () => {
    const { process } = world();
    const lease = await take(process('a'));
    await expect(lease.release({ timeoutMs: -1 })).rejects.toMatchObject({ path: 'timeoutMs' });
    lease.assertHeld();
  });
});

describe('await using', () => {
  it('releases the lease at the end of its scope', async () => {
    const { process, verbs } = world();
    {
      await using lease = await take(process('a'));
      lease.assertHeld();
    }
    expect(verbs).toEqual(['acquire', 'release']);
  });

  it('hides neither the error of the scope nor its result behind a release that fails', async () => {
    const { process, always } = world();
    always('release', fail);
    const a = process('a');
    const work = async (resource: string, error?: Error) => {
      await using lease = unwrap(await a.acquire(resource)).lease;
      if (error !== undefined) throw error;
      return lease.token;
    };
    expect(await work('r1')).toBeGreaterThan(0);
    const error = new Error('of the work');
    await expect(work('r2', error)).rejects.toBe(error);
  });

  it('waits no longer than a deadline for a release that nobody answers', async () => {
    const { process, clock, always, verbs } = world();
    const lease = await take(process('a'));
    always('release', turnAway);
    const leaving = lease[Symbol.asyncDispose]();
    await clock.advance(10_000);
    await leaving;
    expect(verbs.length).toBeGreaterThan(5);
    expect(clock.timers).toBe(0);
  });
});
