import { describe, expect, it } from 'vitest';
import { sleep } from '../../src/fence/clock.ts';
import { sessionOf } from '../../src/fence/fence.ts';
import { fencingToken } from '../../src/fence/token.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import type { AcquireOptions } from '../../src/lease/lease-options.ts';
import type { AcquireResult } from '../../src/lease/lease-result.ts';
import { hang, loseAnswer, loseRequest, turnAway } from './unruly-source.ts';
import { TTL_MS, whilePending, world } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever was thrown.
const same = (thrown: any) => thrown;

describe('one try', () => {
  it('grants a lease that holds for its ttl, with one request', async () => {
    const { process, clock, verbs, stored } = world();
    const { lease } = unwrap(await process('a').acquire('r', { data: { job: 7 } }));
    expect(lease).toMatchObject({ resource: 'r', holder: expect.stringMatching(/^a\/[0-9a-f]+$/) });
    expect(lease.token).toBeGreaterThanOrEqual(clock.now());
    expect(lease.expiresAtMs).toBe(clock.now() + TTL_MS);
    expect(lease.remainingMs()).toBe(TTL_MS);
    expect(verbs).toEqual(['acquire']);
    expect(await stored()).toEqual({ ...lease.toJSON(), data: { job: 7 } });
  });

  it('says who has it, and when to ask again', async () => {
    const { process, clock, verbs } = world();
    const { lease } = unwrap(await process('a').acquire('r'));
    await clock.advance(4_000);
    expect(await process('b').acquire('r')).toEqual({
      ok: false,
      reason: 'held',
      ...lease.toJSON(),
      retryAfterMs: TTL_MS - 4_000,
    });
    expect(verbs).toEqual(['acquire', 'acquire']);
    expect(clock.timers).toBe(1);
  });

  it('takes a lease at the moment at which it is over', async () => {
    const { process, clock } = world();
    const first = unwrap(await process('a').acquire('r')).lease;
    await clock.advance(TTL_MS - 1);
    expect(await process('b').acquire('r')).toMatchObject({ reason: 'held', retryAfterMs: 1 });
    await clock.advance(1);
    const second = unwrap(await process('b').acquire('r')).lease;
    expect(second.token).toBeGreaterThan(first.token);
  });

  it('is not re-entrant: who holds it meets itself, and no number is used up', async () => {
    const { process, stored } = world();
    const a = process('a');
    const { lease } = unwrap(await a.acquire('r'));
    expect(await a.acquire('r')).toMatchObject({ reason: 'held', holder: lease.holder });
    expect((await stored())?.token).toBe(lease.token);
  });

  it('is a new holder with each call', async () => {
    const { process } = world();
    const a = process('a');
    const one = unwrap(await a.acquire('r1')).lease;
    const two = unwrap(await a.acquire('r2')).lease;
    expect(one.holder).not.toBe(two.holder);
  });

  it('takes a ttl of its own', async () => {
    const { process } = world();
    expect(unwrap(await process('a').acquire('r', { ttlMs: 500 })).lease.remainingMs()).toBe(500);
  });
});

describe('waiting', () => {
  const almostOne = { unit: () => 1 - Number.EPSILON, nonce: () => 'n' };

  it('asks again after growing random pauses of at most a second, under one nonce', async () => {
    const { process, clock, asked } = world();
    unwrap(await process('a', { ttlMs: 60_000 }).acquire('r'));
    const start = clock.now();
    const result = process('b', { random: almostOne }).acquire('r', { waitMs: 3_600 });
    await clock.advance(3_600);
    expect(await result).toMatchObject({ reason: 'held' });
    const polls = asked.slice(1);
    expect(polls.map(({ atMs }) => Math.round(atMs - start))).toEqual([
      0, 50, 150, 350, 750, 1_550, 2_550, 3_550, 3_600,
    ]);
    expect(new Set(polls.map(({ request }) => request.holder)).size).toBe(1);
  });

  it('draws its pauses from the whole range, so that waiters do not come in step', async () => {
    const { process, clock, asked } = world();
    unwrap(await process('a', { ttlMs: 60_000 }).acquire('r'));
    const waiters = ['b', 'c', 'd'].map((name) => process(name).acquire('r', { waitMs: 5_000 }));
    await clock.advance(5_000);
    await Promise.all(waiters);
    const moments = asked.slice(1).map(({ atMs }) => atMs);
    // All of them ask at once, and once more when their time is up; never in step in between.
    expect(moments.length - new Set(moments).size).toBe(4);
  });

  it('gets the lease soon after it is released', async () => {
    const { process, clock } = world();
    const { lease } = unwrap(await process('a').acquire('r'));
    const waiting = process('b').acquire('r', { waitMs: 5_000 });
    await clock.advance(2_000);
    await lease.release();
    const second = unwrap(await whilePending(clock, waiting, 1_000)).lease;
    expect(second.token).toBeGreaterThan(lease.token);
    expect(second.remainingMs()).toBeGreaterThanOrEqual(TTL_MS - 1);
  });

  it('gets the lease of a holder that died at the moment at which it is over', async () => {
    const { process, clock } = world();
    const { lease } = unwrap(await process('dead', { ttlMs: 15_000 }).acquire('r'));
    const waiting = process('b').acquire('r', { waitMs: 20_000 });
    const second = unwrap(await whilePending(clock, waiting, 20_000)).lease;
    expect(clock.now()).toBeLessThanOrEqual(lease.expiresAtMs + 1);
    expect(second.token).toBeGreaterThan(lease.token);
  });

  it('goes on waiting where the holder renews, and takes over when it stops', async () => {
    const { process, clock } = world();
    const { lease } = unwrap(await process('a').acquire('r'));
    const waiting = process('b').acquire('r', { waitMs: 60_000 });
    let granted = false;
    void waiting.then(() => {
      granted = true;
    });
    for (let renewal = 0; renewal < 3; renewal++) {
      await clock.advance(TTL_MS - 1);
      expect(granted).toBe(false);
      unwrap(await lease.renew());
    }
    await clock.advance(TTL_MS + 1);
    expect(granted).toBe(true);
  });

  it('ends with the last holder that it met', async () => {
    const { process, clock } = world();
    const a = process('a');
    const first = unwrap(await a.acquire('r')).lease;
    const waiting = process('b', { random: almostOne }).acquire('r', { waitMs: 1_500 });
    await clock.advance(1_499);
    await first.release();
    const second = unwrap(await a.acquire('r')).lease;
    await clock.advance(1);
    expect(await waiting).toMatchObject({ reason: 'held', token: second.token, holder: second.holder });
  });
});

describe('the caller gives up', () => {
  const reason = new Error('the user has left');

  it('before anything was sent: nothing is', async () => {
    const { process, verbs, clock } = world();
    const waiting = process('a').acquire('r', { signal: AbortSignal.abort(reason) });
    await expect(waiting).rejects.toBe(reason);
    expect(verbs).toEqual([]);
    expect(clock.timers).toBe(0);
  });

  it('while it waits: it is told at once, and nothing is left behind', async () => {
    const { process, clock, verbs } = world();
    const { lease } = unwrap(await process('a').acquire('r'));
    await lease.release();
    const blocking = unwrap(await process('a').acquire('r')).lease;
    const controller = new AbortController();
    const waiting = process('b').acquire('r', { waitMs: 60_000, signal: controller.signal });
    await clock.advance(10);
    const before = verbs.length;
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await blocking.release();
    await clock.advance(60_000);
    expect(verbs.slice(before)).toEqual(['release']);
    expect(clock.timers).toBe(0);
  });

  it('while a request is out that is granted: it is released in the background', async () => {
    const { process, clock, verbs, next, stored } = world();
    const controller = new AbortController();
    next('acquire', async (ask) => {
      const answer = await ask();
      controller.abort(reason);
      return answer;
    });
    await expect(process('a').acquire('r', { signal: controller.signal })).rejects.toBe(reason);
    await clock.advance(0);
    expect(verbs).toEqual(['acquire', 'release']);
    expect(await stored()).toMatchObject({ holder: undefined });
    expect(clock.timers).toBe(0);
  });

  it('with a heartbeat: nothing goes on beating', async () => {
    const { process, clock, verbs, next } = world();
    const controller = new AbortController();
    next('acquire', async (ask) => {
      const answer = await ask();
      controller.abort(reason);
      return answer;
    });
    const acquiring = process('a', { heartbeat: true }).acquire('r', { signal: controller.signal });
    await expect(acquiring).rejects.toBe(reason);
    await clock.advance(TTL_MS * 3);
    expect(verbs).toEqual(['acquire', 'release']);
    expect(clock.timers).toBe(0);
  });

  it('while a request is out whose answer is lost: what it was granted is released by its nonce', async () => {
    const { process, clock, asked, next, stored } = world();
    const controller = new AbortController();
    next('acquire', async (ask, deadline) => {
      const nothing = await loseAnswer(ask, deadline);
      controller.abort(reason);
      return nothing;
    });
    await expect(process('a').acquire('r', { signal: controller.signal })).rejects.toBe(reason);
    await clock.advance(0);
    expect(asked.at(-1)).toMatchObject({
      verb: 'release',
      request: { holder: asked[0]?.request.holder, token: undefined },
    });
    expect(await stored()).toMatchObject({ holder: undefined });
  });
});

describe('no answer', () => {
  it('a lost one is made good by the next poll: same nonce, same grant, counted from the first request', async () => {
    const { process, clock, next, verbs, stored } = world();
    next('acquire', loseAnswer);
    const acquiring = process('a').acquire('r', { waitMs: 1_000 });
    const start = clock.now();
    const { lease } = unwrap(await whilePending(clock, acquiring, 1_000));
    expect(verbs).toEqual(['acquire', 'acquire']);
    expect(lease.expiresAtMs).toBe(start + TTL_MS);
    expect(clock.now()).toBeGreaterThan(start);
    expect(lease.remainingMs()).toBe(start + TTL_MS - clock.now());
    expect(await stored()).toMatchObject({ token: lease.token, holder: lease.holder });
  });

  it('without time to wait the outcome is unknown; resolve() acquires under a nonce of its own', async () => {
    const { process, next, asked } = world();
    next('acquire', loseAnswer);
    const error = await process('a').acquire('r').catch(same);
    expect(error).toMatchObject({ code: 'outcome-unknown', cause: { message: 'socket hang up' } });
    const { lease } = unwrap((await error.resolve()) as AcquireResult);
    expect(lease.holder).not.toBe(asked[0]?.request.holder);
    expect(asked.map(({ verb }) => verb)).toEqual(['acquire', 'release', 'acquire']);
  });

  it('an unknown outcome blocks nobody: it is released in the background', async () => {
    const { process, clock, next } = world();
    next('acquire', loseAnswer);
    await expect(process('a').acquire('r')).rejects.toMatchObject({ code: 'outcome-unknown' });
    await clock.advance(0);
    expect(await process('b').acquire('r')).toMatchObject({ ok: true });
  });

  it('resolve() makes that release where it was lost, and is granted a new token', async () => {
    const { process, next, verbs, stored } = world();
    next('acquire', loseAnswer);
    next('release', loseRequest);
    const error = await process('a').acquire('r').catch(same);
    const before = await stored();
    const { lease } = unwrap((await error.resolve()) as AcquireResult);
    expect(lease.token).toBeGreaterThan(before?.token ?? Number.NaN);
    expect(await stored()).toMatchObject({ token: lease.token, holder: lease.holder });
    expect(verbs).toEqual(['acquire', 'release', 'acquire', 'release', 'acquire']);
  });

  it('that release, when it arrives late, does not end what resolve() was granted', async () => {
    const { process, clock, next, stored } = world();
    next('acquire', loseAnswer);
    next('release', async (ask) => {
      await sleep(clock, 1_000);
      return ask();
    });
    const error = await process('a').acquire('r').catch(same);
    const { lease } = unwrap((await error.resolve({ timeoutMs: 100 })) as AcquireResult);
    await clock.advance(2_000);
    expect(await stored()).toMatchObject({ token: lease.token, holder: lease.holder });
    expect(await process('b').acquire('r')).toMatchObject({ reason: 'held', holder: lease.holder });
  });

  it('resolve() does not wait for that release longer than it may', async () => {
    const { process, clock, next, always } = world();
    next('acquire', loseAnswer);
    always('release', hang);
    const error = await process('a').acquire('r').catch(same);
    const late = error.resolve({ timeoutMs: 500 }).catch(same);
    const controller = new AbortController();
    const given = error.resolve({ signal: controller.signal }).catch(same);
    await clock.advance(499);
    controller.abort(new Error('enough'));
    expect(await given).toBe(controller.signal.reason);
    await clock.advance(1);
    expect(await late).toMatchObject({ code: 'outcome-unknown' });
  });

  it('resolve() knows its own holders also where resolve() itself was not answered', async () => {
    const { process, next, stored } = world();
    next('acquire', loseAnswer, loseRequest);
    next('release', loseRequest, loseRequest);
    const first = await process('a').acquire('r').catch(same);
    const second = await first.resolve().catch(same);
    expect(second).toMatchObject({ code: 'outcome-unknown' });
    const { lease } = unwrap((await second.resolve()) as AcquireResult);
    expect(await stored()).toMatchObject({ token: lease.token, holder: lease.holder });
  });

  it('a lease that resolve() was granted lasts from its own request on, and no longer', async () => {
    const { process, clock, next, stored } = world();
    next('acquire', loseAnswer);
    next('release', loseRequest);
    const error = await process('a').acquire('r').catch(same);
    await clock.advance(TTL_MS * 0.8);
    const { lease } = unwrap((await error.resolve()) as AcquireResult);
    expect(lease.remainingMs()).toBe(((await stored())?.expiresAtMs ?? 0) - clock.now());
  });

  it('resolve() says so where somebody else has it by now', async () => {
    const { process, next, clock } = world();
    next('acquire', loseRequest);
    const error = await process('a').acquire('r').catch(same);
    await clock.advance(0);
    unwrap(await process('b').acquire('r'));
    expect(await error.resolve()).toMatchObject({ reason: 'held', holder: expect.stringMatching(/^b/) });
  });

  it('a refusal while an older copy is out is followed by a release', async () => {
    const { process, clock, next, verbs } = world();
    unwrap(await process('a').acquire('r'));
    next('acquire', async (ask) => ({ ...(await ask()), applied: 'unknown' }));
    expect(await process('b').acquire('r')).toMatchObject({ reason: 'held' });
    await clock.advance(0);
    expect(verbs).toEqual(['acquire', 'acquire', 'release']);
  });

  it('being turned away is waited out while there is time', async () => {
    const { process, clock, next, verbs } = world();
    next('acquire', turnAway, turnAway);
    unwrap(await whilePending(clock, process('a').acquire('r', { waitMs: 1_000 }), 1_000));
    expect(verbs).toEqual(['acquire', 'acquire', 'acquire']);
  });

  it('being turned away without time to wait: nothing was applied, nothing needs a release', async () => {
    const { process, clock, next, verbs } = world();
    next('acquire', turnAway);
    await expect(process('a').acquire('r')).rejects.toMatchObject({
      code: 'unavailable',
      next: 'retry',
      cause: { message: 'throttled' },
    });
    await clock.advance(0);
    expect(verbs).toEqual(['acquire']);
    expect(clock.timers).toBe(0);
  });
});

describe('an old grant', () => {
  it('is renewed before it is handed out, where its answer took more than half of its time', async () => {
    const { process, clock, next, verbs, stored } = world();
    next('acquire', async (ask) => {
      const answer = await ask();
      clock.freeze(TTL_MS / 2 + 1);
      return answer;
    });
    const { lease } = unwrap(await process('a').acquire('r'));
    expect(verbs).toEqual(['acquire', 'renew']);
    expect(lease.remainingMs()).toBe(TTL_MS);
    expect(lease.signal.aborted).toBe(false);
    expect((await stored())?.expiresAtMs).toBe(lease.expiresAtMs);
    expect(lease.expiresAtMs).toBe(clock.now() + TTL_MS);
  });

  it('is handed out as it is, where half of its time is left, and counts from before the request', async () => {
    const { process, clock, next, verbs } = world();
    next('acquire', async (ask) => {
      clock.freeze(TTL_MS / 4);
      const answer = await ask();
      clock.freeze(TTL_MS / 4);
      return answer;
    });
    const { lease } = unwrap(await process('a').acquire('r'));
    expect(verbs).toEqual(['acquire']);
    expect(lease.remainingMs()).toBe(TTL_MS / 2);
    expect(lease.expiresAtMs).toBe(clock.now() + (TTL_MS * 3) / 4);
  });

  it('is not handed out where somebody took it over meanwhile', async () => {
    const { process, clock, next } = world();
    const b = process('b');
    let taken: unknown;
    next('acquire', async (ask) => {
      const answer = await ask();
      clock.freeze(TTL_MS);
      taken = await b.acquire('r');
      return answer;
    });
    const acquiring = process('a').acquire('r', { waitMs: TTL_MS * 1.2, timeoutMs: TTL_MS * 2 });
    const result = await whilePending(clock, acquiring, TTL_MS);
    const { lease } = taken as { lease: { token: number; holder: string } };
    expect(result).toMatchObject({ reason: 'held', holder: lease.holder, token: lease.token });
  });

  it('whose answers take longer than its ttl is never handed out', async () => {
    const { process, clock, always, stored } = world();
    const slow = async (ask: () => Promise<unknown>) => {
      const answer = await ask();
      clock.freeze(600);
      return answer;
    };
    always('acquire', slow);
    always('renew', slow);
    const acquiring = process('a').acquire('r', { ttlMs: 1_000 });
    await expect(acquiring).rejects.toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringContaining('took 600 ms, more than half of its ttlMs of 1000'),
    });
    await clock.advance(0);
    expect(await stored()).toMatchObject({ holder: undefined });
  });
});

describe('what was seen last', () => {
  it('the caller says: the next token is larger', async () => {
    const { process, clock } = world();
    const above = clock.now() * 2;
    expect(unwrap(await process('a').acquire('r', { above })).lease.token).toBe(above + 1);
  });

  it('the manager remembers what it met in grants and refusals', async () => {
    const { process, clock, asked } = world();
    const above = clock.now() * 2;
    const { lease } = unwrap(await process('a').acquire('r', { above }));
    const b = process('b');
    await b.acquire('r');
    await lease.release();
    unwrap(await b.acquire('r'));
    expect(asked.at(-1)?.request.above).toBe(lease.token);
    await b.acquire('other');
    expect(asked.at(-1)?.request.above).toBe(0);
  });

  it('the manager remembers its own grants', async () => {
    const { process, clock, asked } = world();
    const a = process('a');
    const { lease } = unwrap(await a.acquire('r', { above: clock.now() * 2 }));
    await lease.release();
    await a.acquire('r');
    expect(asked.at(-1)?.request.above).toBe(lease.token);
  });

  it('the manager remembers the token that fenced a write of its own', async () => {
    const { process, asked } = world();
    const a = process('a');
    const { lease } = unwrap(await a.acquire('r'));
    const lastToken = fencingToken(lease.token + 7);
    sessionOf(lease).markFenced({ lastToken, lastHolder: 'b' });
    await a.acquire('r');
    expect(asked.at(-1)?.request.above).toBe(lastToken);
  });

  it('the manager remembers the token that fenced a lease of its own', async () => {
    const { process, clock, asked } = world();
    const a = process('a');
    const { lease } = unwrap(await a.acquire('r'));
    await clock.advance(TTL_MS);
    const newer = unwrap(await process('b').acquire('r', { above: clock.now() * 2 })).lease;
    expect(await lease.renew()).toMatchObject({ reason: 'fenced' });
    await a.acquire('r');
    expect(asked.at(-1)?.request.above).toBe(newer.token);
  });
});

describe('bad input is refused before anything is sent', () => {
  it.each<[string, string, AcquireOptions]>([
    ['resource', '', {}],
    ['resource', 'a\nb', {}],
    ['resource', 'a\u0085b', {}],
    ['resource', 'é'.repeat(513), {}],
    ['ttlMs', 'r', { ttlMs: 0 }],
    ['ttlMs', 'r', { ttlMs: 0.999 }],
    ['ttlMs', 'r', { ttlMs: Number.POSITIVE_INFINITY }],
    ['ttlMs', 'r', { ttlMs: 24 * 3_600_000 + 1 }],
    ['waitMs', 'r', { waitMs: -1 }],
    ['waitMs', 'r', { waitMs: Number.NaN }],
    ['waitMs', 'r', { waitMs: Number.POSITIVE_INFINITY }],
    ['above', 'r', { above: 41.5 }],
    ['above', 'r', { above: Number.MAX_SAFE_INTEGER }],
    ['timeoutMs', 'r', { timeoutMs: 0 }],
    ['data.when', 'r', { data: { when: new Date(0) } }],
    ['heartbeat.intervalMs', 'r', { ttlMs: 1_000 }],
  ])('%s of %j %j', async (path, resource, options) => {
    const { process, clock, stored } = world();
    const a = process('a', { heartbeat: { intervalMs: 1_000 } });
    await expect(a.acquire(resource, options)).rejects.toMatchObject({ code: 'invalid-input', path });
    expect(await stored()).toBeUndefined();
    expect(clock.timers).toBe(0);
  });

  it.each([
    ['ttlMs', { ttlMs: -1 }],
    ['ttlMs', { ttlMs: '10s' }],
    ['holder', { holder: '' }],
    ['holder', { holder: 'a\u0007' }],
    ['holder', { holder: 'a\ud83d' }],
    ['holder', { holder: 'x'.repeat(257) }],
    ['holder', { holder: 'é'.repeat(129) }],
    ['heartbeat.intervalMs', { heartbeat: { intervalMs: 0 } }],
    ['heartbeat.intervalMs', { heartbeat: { intervalMs: TTL_MS } }],
    ['source', { source: {} }],
  ])('%s of a manager with %j', (path, options) => {
    expect(() => world().process('a', options as never)).toThrow(
      expect.objectContaining({ code: 'invalid-input', path }),
    );
  });
});
