import { describe, expect, it } from 'vitest';
import { fence, formatFence, parseFence, sessionOf } from '../../src/fence/fence.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import type { TakeOverResult } from '../../src/lease/lease-result.ts';
import { hang, loseAnswer, loseRequest, slowAnswer, turnAway } from './unruly-source.ts';
import { TTL_MS, whilePending, world } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever was thrown.
const same = (thrown: any) => thrown;

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error('enough')) };
}

describe('takeOver', () => {
  it('moves a lease to another process by its text, with one request', async () => {
    const { process, clock, verbs, stored } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    await clock.advance(4_000);
    const { lease } = unwrap(await process('b').takeOver(parseFence(formatFence(given)), { data: 'job' }));
    expect(lease.token).toBeGreaterThan(given.token);
    expect(lease.remainingMs()).toBe(TTL_MS);
    expect(await stored()).toEqual({ ...lease.toJSON(), data: 'job' });
    expect(verbs).toEqual(['acquire', 'takeOver']);
    expect(await given.renew()).toMatchObject({ reason: 'fenced', lastToken: lease.token });
  });

  it('fences the giver at once where it is in this process', async () => {
    const { process } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    const { lease } = unwrap(await process('b').takeOver(given));
    expect(given.signal.reason).toMatchObject({ code: 'fenced', result: { lastToken: lease.token } });
    expect(await process('c').takeOver(given)).toMatchObject({ reason: 'fenced', lastHolder: lease.holder });
  });

  it('takes a lease that is over, as long as nobody else did', async () => {
    const { process, clock } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    await clock.advance(TTL_MS * 2);
    expect(await process('b').takeOver(given)).toMatchObject({ ok: true });
  });

  it('is lost after a release, fenced by a newer token; a fence knows it from then on', async () => {
    const { process, verbs } = world();
    const a = process('a');
    const first = unwrap(await a.acquire('r')).lease;
    const bare = fence('r', first.token);
    await first.release();
    const who = { resource: 'r', token: first.token, holder: bare.holder };
    expect(await process('b').takeOver(bare)).toEqual({ ok: false, reason: 'lost', ...who });
    const second = unwrap(await a.acquire('r')).lease;
    const fenced = {
      ok: false,
      reason: 'fenced',
      ...who,
      lastToken: second.token,
      lastHolder: second.holder,
    };
    expect(await process('b').takeOver(bare)).toEqual({ ...fenced, applied: 'no' });
    expect(sessionOf(bare).signal.reason).toMatchObject({ code: 'fenced' });
    const asked = verbs.length;
    expect(await process('b').takeOver(bare)).toMatchObject({ reason: 'fenced' });
    expect(verbs.length).toBe(asked);
  });

  it('finds its own grant after a lost answer', async () => {
    const { process, clock, next, verbs, stored } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    next('takeOver', turnAway, loseAnswer);
    const start = clock.elapsed();
    const taking = process('b').takeOver(given);
    const { lease } = unwrap(await whilePending(clock, taking, 1_000));
    expect(verbs).toEqual(['acquire', 'takeOver', 'takeOver', 'takeOver']);
    expect(await stored()).toMatchObject({ token: lease.token, holder: lease.holder });
    expect(clock.elapsed()).toBeGreaterThan(start);
    expect(lease.remainingMs()).toBe(TTL_MS - (clock.elapsed() - start));
  });

  it('whose outcome is unknown finds it out by resolve()', async () => {
    const { process, clock, always, heal } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    always('takeOver', loseAnswer);
    const taking = process('b')
      .takeOver(given, { timeoutMs: 300 })
      .catch((error) => error);
    await clock.advance(300);
    const error = await taking;
    expect(error).toMatchObject({ code: 'outcome-unknown' });
    heal();
    expect(await error.resolve()).toMatchObject({ ok: true, lease: { resource: 'r' } });
  });

  it('found by resolve() is timed from the request that may have brought it', async () => {
    const { process, clock, next, stored } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    next('takeOver', loseAnswer);
    const taking = process('b').takeOver(given, { timeoutMs: 1 }).catch(same);
    await clock.advance(TTL_MS * 0.4);
    const { lease } = unwrap((await (await taking).resolve()) as TakeOverResult);
    expect(lease.remainingMs()).toBe(((await stored())?.expiresAtMs ?? 0) - clock.now());
    expect(lease.remainingMs()).toBe(TTL_MS * 0.6);
  });

  it('found by resolve() too late is renewed before it is handed out', async () => {
    const { process, clock, next, verbs, stored } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    next('takeOver', loseAnswer);
    const taking = process('b').takeOver(given, { timeoutMs: 1 }).catch(same);
    await clock.advance(TTL_MS * 0.8);
    const { lease } = unwrap((await (await taking).resolve()) as TakeOverResult);
    expect(verbs).toEqual(['acquire', 'takeOver', 'takeOver', 'renew']);
    expect(lease.remainingMs()).toBe(TTL_MS);
    expect((await stored())?.expiresAtMs).toBe(clock.now() + TTL_MS);
  });

  it('found by resolve() is one lease, however often it is asked: two would number their requests alike', async () => {
    const { process, clock, next } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    next('takeOver', loseAnswer, slowAnswer(clock, 100));
    const taking = process('b').takeOver(given, { timeoutMs: 1 }).catch(same);
    await clock.advance(1);
    const error = await taking;
    const both = Promise.all([error.resolve(), error.resolve()]);
    const results = await whilePending(clock, both, 1_000);
    const [one, two, three] = [...results, await error.resolve()].map((result) => unwrap(result).lease);
    expect(two).toBe(one);
    expect(three).toBe(one);
  });

  it('resolve() has bounds of its own: those of the call are over', async () => {
    const { process, clock, next, always, heal } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    const { signal, abort } = abortable();
    next('takeOver', loseAnswer);
    const taking = process('b').takeOver(given, { timeoutMs: 1, signal }).catch(same);
    await clock.advance(1);
    const error = await taking;
    abort();
    always('takeOver', hang);
    const resolving = error.resolve().catch(same);
    await clock.advance(9_999);
    heal();
    await clock.advance(1);
    expect(await resolving).toMatchObject({ code: 'outcome-unknown' });
    expect(await error.resolve()).toMatchObject({ ok: true });
  });

  it('resolve() that is given up releases nothing: it may be asked again', async () => {
    const { process, clock, next, verbs, stored } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    next('takeOver', loseAnswer);
    const taking = process('b').takeOver(given, { timeoutMs: 1 }).catch(same);
    await clock.advance(1);
    const error = await taking;
    const { signal, abort } = abortable();
    next('takeOver', hang);
    const resolving = error.resolve({ signal }).catch(same);
    await clock.advance(0);
    abort();
    expect(await resolving).toBe(signal.reason);
    await clock.advance(0);
    expect(verbs).toEqual(['acquire', 'takeOver', 'takeOver']);
    const { lease } = unwrap((await error.resolve()) as TakeOverResult);
    expect(await stored()).toMatchObject({ token: lease.token, holder: lease.holder });
  });

  it('releases in the background what it may have got where the caller gives up', async () => {
    const { process, clock, next, verbs } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    const controller = new AbortController();
    const reason = new Error('enough');
    next('takeOver', async (ask, deadline) => {
      controller.abort(reason);
      return loseRequest(ask, deadline);
    });
    const taking = process('b').takeOver(given, { signal: controller.signal });
    await expect(taking).rejects.toBe(reason);
    await clock.advance(0);
    expect(verbs).toEqual(['acquire', 'takeOver', 'release']);
    const again = process('b').takeOver(given, { signal: controller.signal });
    await expect(again).rejects.toBe(reason);
    expect(verbs).toHaveLength(3);
  });

  it('is renewed before it is handed out where its answer took too long', async () => {
    const { process, clock, next, verbs } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    next('takeOver', async (ask) => {
      const answer = await ask();
      clock.freeze(TTL_MS * 0.6);
      return answer;
    });
    const { lease } = unwrap(await process('b').takeOver(given));
    expect(verbs).toEqual(['acquire', 'takeOver', 'renew']);
    expect(lease.remainingMs()).toBe(TTL_MS);
  });

  it('is an unknown outcome where that renewal is turned away: the lease has moved', async () => {
    const { process, clock, next, always } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    next('takeOver', async (ask) => {
      const answer = await ask();
      clock.freeze(TTL_MS * 0.6);
      return answer;
    });
    always('renew', turnAway);
    const taking = process('b')
      .takeOver(given, { timeoutMs: TTL_MS })
      .catch((error) => error);
    await clock.advance(TTL_MS);
    expect(await taking).toMatchObject({ code: 'outcome-unknown', cause: { message: 'throttled' } });
  });

  it('takes nothing that merely looks like a fence', async () => {
    const { process, verbs } = world();
    const given = unwrap(await process('a').acquire('r')).lease;
    await expect(process('b').takeOver(given.toJSON())).rejects.toMatchObject({ path: 'fence' });
    expect(verbs).toEqual(['acquire']);
  });
});
