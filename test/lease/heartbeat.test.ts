import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/fence/unwrap.ts';
import { fail, hang, loseRequest, slowAnswer, turnAway } from './unruly-source.ts';
import { TTL_MS, world } from './world.ts';

const everyThird = { heartbeat: true } as const;

describe('a heartbeat', () => {
  it('is off by default: a frozen function wakes up to no renewal', async () => {
    const { process, clock, verbs } = world();
    unwrap(await process('a').acquire('r'));
    await clock.advance(TTL_MS * 10);
    expect(verbs).toEqual(['acquire']);
    expect(clock.timers).toBe(0);
  });

  it('renews every third of the ttl, for as long as it takes', async () => {
    const { process, clock, asked } = world();
    const start = clock.now();
    const { lease } = unwrap(await process('a', everyThird).acquire('r'));
    await clock.advance(TTL_MS * 2);
    const moments = asked.slice(1).map(({ atMs }) => Math.round(((atMs - start) * 3) / TTL_MS));
    expect(moments).toEqual([1, 2, 3, 4, 5, 6]);
    lease.assertHeld();
    expect(await process('b').acquire('r')).toMatchObject({ reason: 'held' });
  });

  it('renews as often as it is told', async () => {
    const { process, clock, verbs } = world();
    unwrap(await process('a', { heartbeat: { intervalMs: 1_000 } }).acquire('r'));
    await clock.advance(5_500);
    expect(verbs.filter((verb) => verb === 'renew')).toHaveLength(5);
  });

  it('is left out for a lease that does not want it, whatever the manager says', async () => {
    const { process, clock, verbs } = world();
    // Too slow for such a short lease, if it beat.
    const leases = process('a', { heartbeat: { intervalMs: TTL_MS / 2 } });
    const without = { heartbeat: false, ttlMs: 1_000 } as const;
    const first = unwrap(await leases.acquire('r', without)).lease;
    const second = unwrap(await leases.takeOver(first, without)).lease;
    await leases.using('q', without, () => clock.advance(900));
    await unwrap(await leases.acquireAll(['s', 't'], without))[Symbol.asyncDispose]();
    await clock.advance(TTL_MS);
    expect(second.signal.reason).toMatchObject({ code: 'lease-expired' });
    expect(verbs).not.toContain('renew');
    await expect(leases.acquire('r', { ttlMs: 1_000 })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it.each([true, { intervalMs: 1_000 }, 0, null])(
    'cannot be asked for by one lease: %j',
    async (heartbeat) => {
      const wrong = world()
        .process('a')
        .acquire('r', { heartbeat: heartbeat as never });
      await expect(wrong).rejects.toMatchObject({ code: 'invalid-input', path: 'heartbeat' });
    },
  );

  it('keeps no process alive', async () => {
    const { process, clock } = world();
    const unrefs: (boolean | undefined)[] = [];
    const spied = {
      ...clock,
      after: (ms: number, callback: () => void, options?: { unref?: boolean }) => {
        unrefs.push(options?.unref);
        return clock.after(ms, callback);
      },
    };
    unwrap(await process('a', { ...everyThird, clock: spied }).acquire('r'));
    // The first one is the deadline of the request, which is over.
    expect(unrefs.slice(1)).toEqual([true, true]);
  });

  it('ends with the release', async () => {
    const { process, clock, verbs } = world();
    const { lease } = unwrap(await process('a', everyThird).acquire('r'));
    await clock.advance(TTL_MS / 2);
    await lease.release();
    expect(clock.timers).toBe(0);
    await clock.advance(TTL_MS);
    expect(verbs).toEqual(['acquire', 'renew', 'release']);
  });

  it('ends with the release, also where a renewal is under way: no timer, no request after it', async () => {
    const { process, clock, verbs, always } = world();
    always('renew', slowAnswer(clock, 1_000));
    const { lease } = unwrap(await process('a', everyThird).acquire('r'));
    await clock.advance(TTL_MS / 3 + 500);
    expect(verbs).toEqual(['acquire', 'renew']);
    const releasing = lease.release();
    await clock.advance(1_000);
    await releasing;
    expect(clock.timers).toBe(0);
    await clock.advance(TTL_MS * 30);
    expect(verbs).toEqual(['acquire', 'renew', 'release']);
  });

  it('goes on through an outage that is shorter than the lease', async () => {
    const { process, clock, always, heal } = world();
    const { lease } = unwrap(await process('a', everyThird).acquire('r'));
    always('renew', loseRequest);
    await clock.advance(TTL_MS * 0.8);
    heal();
    await clock.advance(TTL_MS);
    expect(lease.signal.aborted).toBe(false);
    lease.assertHeld();
  });

  it('ends with the lease in a longer one, throwing nothing and reviving nothing', async () => {
    const { process, clock, always, heal, verbs } = world();
    const { lease } = unwrap(await process('a', everyThird).acquire('r'));
    always('renew', turnAway);
    await clock.advance(TTL_MS);
    expect(lease.signal.reason).toMatchObject({ code: 'lease-expired' });
    heal();
    const asked = verbs.length;
    await clock.advance(TTL_MS * 10);
    expect(verbs.length).toBe(asked);
    expect(clock.timers).toBe(0);
  });

  it('is not worn out by a request that hangs', async () => {
    const { process, clock, next } = world();
    const { lease } = unwrap(await process('a', everyThird).acquire('r'));
    next('renew', hang);
    await clock.advance(TTL_MS * 3);
    expect(lease.signal.aborted).toBe(false);
  });

  it('throws nowhere, and goes on trying, where renewals fail for good', async () => {
    const { process, clock, always, verbs } = world();
    const { lease } = unwrap(await process('a', everyThird).acquire('r'));
    always('renew', fail);
    await clock.advance(TTL_MS * 2);
    expect(lease.signal.reason).toMatchObject({ code: 'lease-expired' });
    // At a third, then after a ninth each time.
    expect(verbs.filter((verb) => verb === 'renew').length).toBe(6);
    expect(clock.timers).toBe(0);
  });

  it('stops when somebody newer is seen', async () => {
    const { process, clock, verbs } = world();
    const { lease } = unwrap(await process('a', everyThird).acquire('r'));
    unwrap(await process('b').takeOver(lease));
    expect(lease.signal.reason).toMatchObject({ code: 'fenced' });
    await clock.advance(TTL_MS * 3);
    expect(verbs).toEqual(['acquire', 'takeOver']);
  });

  it('that learns it itself aborts the signal and stops', async () => {
    const { process, clock, verbs } = world();
    const { lease } = unwrap(await process('a', everyThird).acquire('r'));
    await process('operator').raise('r', { above: 0 });
    await clock.advance(TTL_MS * 3);
    expect(lease.signal.reason).toMatchObject({ code: 'fenced' });
    expect(verbs).toEqual(['acquire', 'raise', 'renew']);
    expect(clock.timers).toBe(0);
  });

  it('does not revive a lease that ran out while the process was frozen', async () => {
    const { process, clock, verbs, stored } = world();
    const { lease } = unwrap(await process('a', everyThird).acquire('r'));
    const before = await stored();
    clock.freeze(600_000);
    await clock.advance(0);
    expect(lease.signal.reason).toMatchObject({ code: 'lease-expired' });
    expect(verbs).toEqual(['acquire']);
    expect(await stored()).toEqual(before);
    expect(clock.timers).toBe(0);
  });
});
