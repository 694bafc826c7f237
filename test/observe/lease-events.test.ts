import { describe, expect, it } from 'vitest';
import { fence } from '../../src/fence/fence.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import { loseAnswer, slowAnswer, turnAway } from '../lease/unruly-source.ts';
import { TTL_MS, whilePending, world } from '../lease/world.ts';
import { heard } from './heard.ts';

const effort = { durationMs: 0, attempts: 1, requestId: undefined };

describe('what is told of a lease', () => {
  it('acquire, renew and release, each with who, until when and what it took', async () => {
    using told = heard();
    const { process, clock } = world();
    const atMs = clock.now();
    const { lease } = unwrap(await process('a').acquire('r'));
    await clock.advance(1_000);
    await lease.renew();
    await lease.release();
    await lease.release();
    const { token, holder } = lease;
    const who = { resource: 'r', token, holder };
    expect(told.events).toEqual([
      { event: 'acquire', verb: 'acquire', atMs, ...who, ...effort, expiresAtMs: atMs + TTL_MS },
      {
        ...{ event: 'renew', verb: 'renew', atMs: atMs + 1_000, ...who, ...effort },
        ...{ expiresAtMs: atMs + 1_000 + TTL_MS, renewedLate: false },
      },
      { event: 'release', verb: 'release', atMs: atMs + 1_000, ...who, ...effort },
    ]);
  });

  it('a wait once, however often it asks, and then the grant with the time that it took', async () => {
    const { process, clock } = world();
    const first = unwrap(await process('a').acquire('r')).lease;
    using told = heard();
    const waiting = process('b').acquire('r', { waitMs: 60_000 });
    const { lease } = unwrap(await whilePending(clock, waiting, 60_000));
    const [wait, loss, acquire] = told.events;
    const by = { resource: 'r', holder: lease.holder };
    const { token, holder, expiresAtMs } = first;
    expect(wait).toEqual({
      ...{ event: 'wait', verb: 'acquire', ...by, token: undefined, atMs: expiresAtMs - TTL_MS },
      ...{ lastToken: token, lastHolder: holder, expiresAtMs },
    });
    expect(loss).toMatchObject({ event: 'loss', holder, reason: 'lease-expired' });
    expect(acquire).toMatchObject({ event: 'acquire', ...by, token: lease.token });
    if (acquire?.event !== 'acquire') throw new Error('it is');
    expect(acquire.durationMs).toBeGreaterThanOrEqual(TTL_MS);
    expect(acquire.attempts).toBeGreaterThan(2);
    expect(told.events).toHaveLength(3);
  });

  it('held, with whom it met', async () => {
    const { process } = world();
    const { token, holder } = unwrap(await process('a').acquire('r')).lease;
    using told = heard();
    await process('b').acquire('r');
    expect(told.events).toMatchObject([
      {
        ...{ event: 'refusal', verb: 'acquire', reason: 'held', resource: 'r', token: undefined },
        ...{ lastToken: token, lastHolder: holder, applied: undefined, attempts: 1 },
      },
    ]);
    expect(told.events[0]?.holder).toMatch(/^b\//);
  });

  it('a loss once: by the local clock first, and what the storage says then is a refusal', async () => {
    const { process, clock } = world();
    const a = unwrap(await process('a').acquire('r')).lease;
    await clock.advance(TTL_MS - 1);
    using told = heard();
    clock.freeze(10);
    expect(a.remainingMs()).toBe(0);
    expect(a.remainingMs()).toBe(0);
    const b = unwrap(await process('b').acquire('r')).lease;
    await a.renew();
    await a.renew();
    expect(told.kinds).toEqual(['loss lease-expired', 'acquire', 'refusal fenced', 'refusal fenced']);
    const newer = { lastToken: b.token, lastHolder: b.holder };
    const by = { resource: 'r', token: a.token, holder: a.holder };
    expect(told.events[0]).toMatchObject({ ...by, lastToken: undefined, lastHolder: undefined });
    expect(told.events[2]).toMatchObject({ verb: 'renew', ...by, ...newer, applied: 'no', attempts: 1 });
    // The second time it was known.
    expect(told.events[3]).toMatchObject({ verb: 'renew', ...by, ...newer, attempts: 0 });
  });

  it('a loss to a newer holder, or to a release that somebody else made', async () => {
    const { process, source } = world();
    const a = unwrap(await process('a').acquire('r')).lease;
    const c = unwrap(await process('c').acquire('q')).lease;
    using told = heard();
    const b = unwrap(await process('b').takeOver(fence('r', a.token))).lease;
    await a.renew();
    await source.release({ ...c.toJSON() }, { over: false } as never);
    await c.renew();
    expect(told.events).toMatchObject([
      { event: 'acquire', verb: 'take-over', token: b.token, holder: b.holder, attempts: 1 },
      { event: 'loss', holder: a.holder, reason: 'fenced', lastToken: b.token, lastHolder: b.holder },
      { event: 'refusal', verb: 'renew', holder: a.holder, reason: 'fenced' },
      { event: 'loss', holder: c.holder, reason: 'lost', lastToken: undefined },
      { event: 'refusal', verb: 'renew', holder: c.holder, reason: 'lost', lastToken: undefined },
    ]);
  });

  it('a takeover that comes too late, also where that is known before anybody is asked', async () => {
    const { process } = world();
    const a = unwrap(await process('a').acquire('r')).lease;
    const b = unwrap(await process('b').takeOver(a)).lease;
    using told = heard();
    await process('c').takeOver(fence('r', a.token));
    await process('c').takeOver(a);
    const why = { event: 'refusal', verb: 'take-over', reason: 'fenced', lastToken: b.token };
    expect(told.events).toMatchObject([
      { ...why, attempts: 1, token: a.token },
      { ...why, attempts: 0, token: a.token },
    ]);
  });

  it('outages, unknown outcomes and what resolve() finds', async () => {
    const { process, clock, always, heal } = world();
    const a = unwrap(await process('a').acquire('r')).lease;
    using told = heard();
    always('renew', turnAway);
    const renewing = a.renew({ timeoutMs: 1 });
    await expect(whilePending(clock, renewing, 100)).rejects.toMatchObject({ code: 'unavailable' });
    always('release', loseAnswer);
    const releasing = a.release({ timeoutMs: 1 });
    const error = await whilePending(clock, releasing, 100).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'outcome-unknown' });
    heal();
    await error.resolve();
    expect(told.events).toMatchObject([
      { event: 'failure', verb: 'renew', code: 'unavailable', holder: a.holder, token: a.token },
      { event: 'unknown', verb: 'release', cause: 'Error', holder: a.holder, token: a.token },
      { event: 'release', verb: 'release', holder: a.holder, token: a.token },
    ]);
  });

  it('a release once, also where it is asked for while it is on its way', async () => {
    const { process, clock, next } = world();
    const { lease } = unwrap(await process('a').acquire('r'));
    next('release', slowAnswer(clock, 5));
    using told = heard();
    const both = Promise.all([lease.release(), lease.release()]);
    await clock.advance(5);
    await both;
    expect(told.kinds).toEqual(['release']);
  });

  it('nothing where the caller gives up', async () => {
    const { process } = world();
    await process('a').acquire('r');
    using told = heard();
    const controller = new AbortController();
    const waiting = process('b').acquire('r', { waitMs: 60_000, signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(told.kinds).toEqual(['wait']);
  });
});
