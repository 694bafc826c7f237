import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/fence/unwrap.ts';
import type { AcquireOptions } from '../../src/lease/lease-options.ts';
import { fail, hang } from './unruly-source.ts';
import { TTL_MS, whilePending, world } from './world.ts';

describe('acquireAll', () => {
  it('takes all leases in one order, and gives them in that of the arguments', async () => {
    const { process, asked } = world();
    const { leases } = unwrap(await process('a').acquireAll(['c', 'a', 'b']));
    expect(leases.map(({ resource }) => resource)).toEqual(['c', 'a', 'b']);
    expect(asked.map(({ request }) => request.resource)).toEqual(['a', 'b', 'c']);
  });

  it('releases all of them at the end of its scope', async () => {
    const { process, stored, verbs } = world();
    {
      await using both = unwrap(await process('a').acquireAll(['x', 'y']));
      for (const lease of both.leases) lease.assertHeld();
    }
    expect(verbs).toEqual(['acquire', 'acquire', 'release', 'release']);
    for (const resource of ['x', 'y']) expect(await stored(resource)).toMatchObject({ holder: undefined });
  });

  it('keeps nothing where somebody else has one of them', async () => {
    const { process, stored, clock } = world();
    const { lease } = unwrap(await process('a').acquire('b'));
    const result = await process('b').acquireAll(['c', 'b', 'a'], { data: 'x' });
    expect(result).toMatchObject({ ok: false, reason: 'held', resource: 'b', holder: lease.holder });
    expect(await stored('a')).toMatchObject({ holder: undefined });
    expect(await stored('c')).toBeUndefined();
    expect(clock.timers).toBe(1);
  });

  it('waits for all of them together no longer than waitMs', async () => {
    const { process, clock } = world();
    const a = process('a', { ttlMs: 60_000 });
    const first = unwrap(await a.acquire('x')).lease;
    unwrap(await a.acquire('y'));
    const start = clock.now();
    const waiting = process('b').acquireAll(['x', 'y'], { waitMs: 3_000 });
    await clock.advance(1_500);
    await first.release();
    const result = await whilePending(clock, waiting, 5_000);
    expect(result).toMatchObject({ reason: 'held', resource: 'y' });
    expect(clock.now() - start).toBeLessThanOrEqual(3_001);
  });

  it('lets two callers with crossed arguments both have their turn', async () => {
    const { process, clock } = world();
    const both = (name: string, resources: string[]) =>
      process(name)
        .acquireAll(resources, { waitMs: 30_000 })
        .then(async (result) => {
          const all = unwrap(result);
          const names = all.leases.map(({ holder }) => holder.slice(0, 1));
          await all[Symbol.asyncDispose]();
          return names;
        });
    const work = Promise.all([both('a', ['x', 'y']), both('b', ['y', 'x'])]);
    expect(await whilePending(clock, work, 30_000)).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
  });

  it('renews those that grew old while it waited for the others', async () => {
    const { process, clock, verbs } = world();
    unwrap(await process('a', { ttlMs: 7_000 }).acquire('y'));
    const waiting = process('b').acquireAll(['x', 'y'], { waitMs: 30_000 });
    const { leases } = unwrap(await whilePending(clock, waiting, 30_000));
    for (const lease of leases) {
      expect(lease.remainingMs()).toBeGreaterThan(TTL_MS - 10);
      expect(lease.signal.aborted).toBe(false);
    }
    expect(verbs.filter((verb) => verb === 'renew')).toHaveLength(1);
  });

  it('takes those again that ran out while it waited for the others', async () => {
    const { process, clock, stored } = world();
    unwrap(await process('a', { ttlMs: 20_000 }).acquire('y'));
    const waiting = process('b').acquireAll(['x', 'y'], { waitMs: 30_000 });
    await clock.advance(1);
    const first = (await stored('x'))?.token ?? Number.NaN;
    const { leases } = unwrap(await whilePending(clock, waiting, 30_000));
    expect(leases.map((lease) => lease.signal.aborted)).toEqual([false, false]);
    expect(leases[0]?.token).toBeGreaterThan(first);
    expect(await stored('x')).toMatchObject({ token: leases[0]?.token, holder: leases[0]?.holder });
  });

  it('keeps nothing where somebody took one that ran out meanwhile', async () => {
    const { process, clock, stored } = world();
    unwrap(await process('a', { ttlMs: 20_000 }).acquire('y'));
    const waiting = process('b').acquireAll(['x', 'y'], { waitMs: 30_000 });
    await clock.advance(TTL_MS + 1);
    const { lease } = unwrap(await process('c', { ttlMs: 60_000 }).acquire('x'));
    const result = await whilePending(clock, waiting, 30_000);
    expect(result).toMatchObject({ reason: 'held', resource: 'x', holder: lease.holder });
    expect(await stored('y')).toMatchObject({ holder: undefined });
  });

  it('releases what it got where another one fails or the caller gives up', async () => {
    const { process, next, stored, clock } = world();
    next('acquire', (ask) => ask(), fail);
    await expect(process('a').acquireAll(['x', 'y'])).rejects.toThrow('not authorised');
    expect(await stored('x')).toMatchObject({ holder: undefined });

    unwrap(await process('b', { ttlMs: 60_000 }).acquire('y'));
    const controller = new AbortController();
    const waiting = process('a').acquireAll(['x', 'y'], { waitMs: 30_000, signal: controller.signal });
    await clock.advance(100);
    expect(await stored('x')).toMatchObject({ holder: expect.stringMatching(/^a/) });
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await stored('x')).toMatchObject({ holder: undefined });
  });

  it('does not let the caller who gives up wait for the releases', async () => {
    const { process, always, verbs, clock } = world();
    unwrap(await process('b', { ttlMs: 60_000 }).acquire('y'));
    const controller = new AbortController();
    const waiting = process('a').acquireAll(['x', 'y'], { waitMs: 30_000, signal: controller.signal });
    await clock.advance(100);
    always('release', hang);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(verbs.at(-1)).toBe('release');
  });

  it.each(['held', 'failed', 'ran out'])('nor where it was %s, and they are under way', async (why) => {
    const { process, next, always, clock, verbs } = world();
    const ttlMs = why === 'ran out' ? 20_000 : 60_000;
    if (why !== 'failed') unwrap(await process('b', { ttlMs }).acquire('y'));
    if (why === 'failed') next('acquire', (ask) => ask(), fail);
    always('release', hang);
    const controller = new AbortController();
    const { signal } = controller;
    const waitMs = why === 'ran out' ? 30_000 : 0;
    const waiting = process('a').acquireAll(['x', 'y'], { waitMs, signal });
    waiting.catch(() => undefined);
    for (let passed = 0; verbs.at(-1) !== 'release' && passed < 30_000; passed += 100)
      await clock.advance(100);
    expect(verbs.at(-1)).toBe('release');
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it('lets no release take longer than timeoutMs', async () => {
    const { process, always, clock } = world();
    unwrap(await process('b', { ttlMs: 60_000 }).acquire('y'));
    always('release', hang);
    const waiting = process('a').acquireAll(['x', 'y'], { timeoutMs: 300 });
    await clock.advance(300);
    await expect(waiting).resolves.toMatchObject({ reason: 'held' });
  });

  it('nor at the end of the scope, where the signal of the acquire says nothing any more', async () => {
    const { process, always, clock, verbs } = world();
    const controller = new AbortController();
    const options = { timeoutMs: 300, signal: controller.signal };
    const both = unwrap(await process('a').acquireAll(['x', 'y'], options));
    controller.abort();
    always('release', hang);
    let over = false;
    const disposed = both[Symbol.asyncDispose]().then(() => {
      over = true;
    });
    await clock.advance(299);
    expect(over).toBe(false);
    await clock.advance(1);
    await disposed;
    expect(verbs).toEqual(['acquire', 'acquire', 'release', 'release']);
  });

  it('waits no longer than waitMs where the machine was suspended meanwhile', async () => {
    const { process, clock } = world();
    unwrap(await process('b', { ttlMs: 3_600_000 }).acquire('x'));
    unwrap(await process('b', { ttlMs: 24 * 3_600_000 }).acquire('y'));
    const waiting = process('a').acquireAll(['x', 'y'], { waitMs: 60_000 });
    await clock.advance(10);
    clock.jump(3_600_000);
    await clock.advance(1_000);
    await expect(waiting).resolves.toMatchObject({ reason: 'held', resource: 'y' });
  });

  it.each<[string, string[], AcquireOptions?]>([
    ['resources', []],
    ['resources[1]', ['x', 'x']],
    ['resource', ['x', '']],
    ['waitMs', ['x'], { waitMs: -1 }],
    ['ttlMs', ['x'], { ttlMs: 0 }],
  ])('refuses bad %s before anything is sent', async (path, resources, options = {}) => {
    const { process, verbs } = world();
    const acquiring = process('a').acquireAll(resources, options);
    await expect(acquiring).rejects.toMatchObject({ code: 'invalid-input', path });
    expect(verbs).toEqual([]);
  });
});
