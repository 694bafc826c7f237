import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/fence/unwrap.ts';
import { fail, hang, loseRequest } from './unruly-source.ts';
import { TTL_MS, whilePending, world } from './world.ts';

describe('using', () => {
  it('gives the work a lease, its value back, and the lease to others', async () => {
    const { process, verbs, stored } = world();
    const result = await process('a').using('r', {}, async (lease) => {
      lease.assertHeld();
      return `done under ${lease.token}`;
    });
    const token = (await stored())?.token;
    expect(result).toEqual({ ok: true, value: `done under ${token}` });
    expect(await stored()).toMatchObject({ holder: undefined });
    expect(verbs).toEqual(['acquire', 'release']);
  });

  it('does not begin the work where somebody else has the lease', async () => {
    const { process } = world();
    const { lease } = unwrap(await process('a').acquire('r'));
    let begun = false;
    const result = await process('b').using('r', {}, () => {
      begun = true;
    });
    expect(result).toMatchObject({ ok: false, reason: 'held', holder: lease.holder });
    expect(begun).toBe(false);
  });

  it('waits as acquire does', async () => {
    const { process, clock } = world();
    unwrap(await process('dead').acquire('r'));
    const work = process('b').using('r', { waitMs: TTL_MS * 2 }, (lease) => lease.resource);
    expect(await whilePending(clock, work, TTL_MS * 2)).toEqual({ ok: true, value: 'r' });
  });

  it('releases the lease also where the work throws, and throws the same', async () => {
    const { process, stored } = world();
    const error = new Error('of the work');
    const work = process('a').using('r', {}, () => {
      throw error;
    });
    await expect(work).rejects.toBe(error);
    expect(await stored()).toMatchObject({ holder: undefined });
  });

  it('lets the work win over a release that fails: its error and its value', async () => {
    const { process, always } = world();
    const error = new Error('of the work');
    always('release', fail);
    await expect(process('a').using('r1', {}, () => Promise.reject(error))).rejects.toBe(error);
    expect(await process('a').using('r2', {}, () => 7)).toEqual({ ok: true, value: 7 });
  });

  it('bounds a release that nobody answers', async () => {
    const { process, clock, always } = world();
    always('release', loseRequest);
    const work = process('a').using('r', {}, () => 7);
    await clock.advance(10_000);
    expect(await work).toEqual({ ok: true, value: 7 });
    expect(clock.timers).toBe(0);
  });

  it('releases nothing again that the work has released', async () => {
    const { process, verbs } = world();
    await process('a').using('r', {}, (lease) => lease.release());
    expect(verbs).toEqual(['acquire', 'release']);
  });

  it.each(['value', 'error'])('gives back the %s of the work after timeoutMs at most', async (outcome) => {
    const { process, clock, always } = world();
    always('release', hang);
    const error = new Error('of the work');
    const work = process('a').using('r', { timeoutMs: 200 }, () => {
      if (outcome === 'error') throw error;
      return 7;
    });
    const settled = Promise.allSettled([work]);
    await clock.advance(200);
    expect(await settled).toEqual([
      outcome === 'error'
        ? { status: 'rejected', reason: error }
        : { status: 'fulfilled', value: { ok: true, value: 7 } },
    ]);
    expect(clock.timers).toBe(0);
  });

  it.each([false, true])(
    'does not let who gives up wait for the release, begun before: %s',
    async (before) => {
      const { process, always, verbs, clock } = world();
      always('release', hang);
      const controller = new AbortController();
      const work = process('a').using('r', { signal: controller.signal }, () => {
        if (!before) controller.abort();
        return 7;
      });
      await clock.advance(1);
      if (before) controller.abort();
      // The work was done: that its caller waits no longer takes nothing back.
      expect(await work).toEqual({ ok: true, value: 7 });
      expect(verbs).toEqual(['acquire', 'release']);
    },
  );

  it('says what is wrong with the work before anything is sent', async () => {
    const { process, verbs } = world();
    const a = process('a');
    for (const args of [[{}, undefined], [{}, 5], [async () => 7]]) {
      const using = a.using as (...args: unknown[]) => Promise<unknown>;
      const refused = {
        code: 'invalid-input',
        path: 'work',
        message: expect.stringContaining('cannot be called'),
      };
      await expect(using.call(a, 'r', ...args)).rejects.toMatchObject(refused);
    }
    expect(verbs).toEqual([]);
  });
});
