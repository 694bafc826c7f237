import { describe, expect, it } from 'vitest';
import { LeaseManager, memoryTokenSource, unwrap } from '../../src/index.ts';
import type { CanWait, GrantEnd, TokenSource } from '../../src/lease/token-source.ts';
import { type ManualClock, manualClock, skewedClock } from '../../src/testing/index.ts';

const TTL_MS = 10_000;
const HOUR_MS = 3_600_000;
const skews = [0, -4_000, 4_000, -HOUR_MS, HOUR_MS];

/** A lock server: grants end by a clock of its own, and its answers say what is left. */
function server(clock: ManualClock, capMs = Number.POSITIVE_INFINITY) {
  const inner = memoryTokenSource({ clock });
  const asked = { acquire: 0, renew: 0 };
  const telling = <Answer extends { is: string } | GrantEnd>(answer: Answer): Answer =>
    'expiresAtMs' in answer ? { ...answer, remainingMs: answer.expiresAtMs - clock.now() } : answer;
  const capped = <Request extends { readonly ttlMs: number }>(request: Request): Request => ({
    ...request,
    ttlMs: Math.min(request.ttlMs, capMs),
  });
  const source: TokenSource = {
    async acquire(request, deadline) {
      asked.acquire++;
      return telling(await inner.acquire(capped(request), deadline));
    },
    async renew(request, deadline) {
      asked.renew++;
      return telling(await inner.renew(capped(request), deadline));
    },
    release: (request, deadline) => inner.release(request, deadline),
  };
  const wakes: CanWait = {
    waitForRelease: (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  };
  return { source, waking: { ...source, ...wakes }, asked };
}

describe.each(skews)('a process whose clock is %d ms from that of the source', (skewMs) => {
  const scene = (capMs?: number) => {
    const clock = manualClock();
    const { source, waking, asked } = server(clock, capMs);
    const here = skewedClock(clock, skewMs);
    const of = (from: TokenSource) => new LeaseManager({ source: from, ttlMs: TTL_MS, clock: here });
    return { clock, asked, leases: of(source), woken: of(waking) };
  };

  it('knows how long another one still holds', async () => {
    const { clock, leases } = scene();
    unwrap(await leases.acquire('r'));
    await clock.advance(2_500);
    expect(await leases.acquire('r')).toMatchObject({ reason: 'held', retryAfterMs: 7_500 });
  });

  it('comes when the grant of a holder that died ends, where the source wakes those who wait', async () => {
    const { clock, asked, leases, woken } = scene();
    unwrap(await leases.acquire('r'));
    const before = asked.acquire;
    const waiting = woken.acquire('r', { waitMs: 60_000 });
    await clock.advance(TTL_MS - 1);
    expect(asked.acquire - before).toBe(1);
    await clock.advance(1);
    expect(asked.acquire - before).toBe(2);
    expect((await waiting).ok).toBe(true);
  });

  it('polls to the very end of it where the source does not', async () => {
    const { clock, leases } = scene();
    unwrap(await leases.acquire('r'));
    const waiting = leases.acquire('r', { waitMs: 60_000 });
    // Its pauses are no whole ms, and the last one ends within this one.
    await clock.advance(TTL_MS + 1);
    expect((await waiting).ok).toBe(true);
  });

  it('counts its own lease by its own clock', async () => {
    const { clock, leases } = scene();
    const { lease } = unwrap(await leases.acquire('r'));
    await clock.advance(4_000);
    expect(lease.remainingMs()).toBe(6_000);
    expect(await lease.renew()).toMatchObject({ ok: true, renewedLate: false });
    expect(lease.remainingMs()).toBe(TTL_MS);
  });

  it('holds no longer than the source grants', async () => {
    const { clock, leases } = scene(6_000);
    const { lease } = unwrap(await leases.acquire('r'));
    expect(lease.remainingMs()).toBe(6_000);
    await clock.advance(1_000);
    await lease.renew();
    expect(lease.remainingMs()).toBe(6_000);
  });

  it('is told where the source never grants enough', async () => {
    const { leases } = scene(4_000);
    await expect(leases.acquire('r')).rejects.toThrow(
      /was granted under token \d+, for 4000 ms, less than half of its ttlMs of 10000: .* ttlMs of at most 4000/,
    );
  });
});

describe('a grant whose answer was lost', () => {
  it('has what the source says is left, however long the call has taken since', async () => {
    const clock = manualClock();
    const { source, asked } = server(clock);
    let lost = false;
    const lossy: TokenSource = {
      ...source,
      async acquire(request, deadline) {
        const answer = await source.acquire(request, deadline);
        if (lost) return answer;
        lost = true;
        return { is: 'undecided', applied: 'unknown', error: new Error('socket hang up') };
      },
    };
    const leases = new LeaseManager({ source: lossy, ttlMs: TTL_MS, clock });
    const waiting = leases.acquire('r', { waitMs: 60_000 });
    await clock.advance(1_000);
    const { lease } = unwrap(await waiting);
    expect(lease.remainingMs()).toBe(lease.expiresAtMs - clock.now());
    expect(asked).toEqual({ acquire: 2, renew: 0 });
  });
});
