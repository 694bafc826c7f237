import { expect, it } from 'vitest';
import { LeaseManager, memoryTokenSource, unwrap } from '../../src/index.ts';
import type { CanWait, TokenSource } from '../../src/lease/token-source.ts';
import { type ManualClock, manualClock } from '../../src/testing/index.ts';

/** A source that serves those who wait in the order in which they came, as ZooKeeper's recipe does. */
function queueingSource(clock: ManualClock) {
  const inner = memoryTokenSource({ clock });
  const places: string[] = [];
  const wakes = new Map<string, () => void>();
  const leave = (holder: string) => {
    const place = places.indexOf(holder);
    if (place >= 0) places.splice(place, 1);
  };
  const wakeFirst = () => wakes.get(places[0] ?? '')?.();
  const source: TokenSource & CanWait = {
    async acquire(request, deadline) {
      const [first = request.holder] = places;
      // Whoever is not first is told to wait, by the one who is.
      const answer = await inner.acquire({ ...request, holder: first }, deadline);
      if (answer.is !== 'granted') return answer;
      if (first === request.holder) {
        leave(first);
        return answer;
      }
      await inner.release({ ...request, holder: first, token: undefined }, deadline);
      return { ...answer, is: 'held', holder: first, applied: 'no' };
    },
    renew: (request, deadline) => inner.renew(request, deadline),
    async release(request, deadline) {
      leave(request.holder);
      const answer = await inner.release(request, deadline);
      wakeFirst();
      return answer;
    },
    waitForRelease({ holder }, signal) {
      if (!places.includes(holder)) places.push(holder);
      return new Promise((resolve, reject) => {
        wakes.set(holder, resolve);
        signal.addEventListener('abort', () => {
          wakes.delete(holder);
          reject(signal.reason);
        });
      });
    },
  };
  return { source, places };
}

function scene() {
  const clock = manualClock();
  const { source, places } = queueingSource(clock);
  const process = (holder: string) => new LeaseManager({ source, ttlMs: 60_000, holder, clock });
  /** Begins to wait, behind all who wait already. */
  const waits = (holder: string, options: { waitMs?: number; signal?: AbortSignal } = {}) => {
    const waiting = process(holder).acquire('r', { waitMs: 30_000, ...options });
    waiting.catch(() => undefined);
    return waiting;
  };
  return { clock, places, process, waits };
}

it('serves those who wait in their order, and keeps no place of whoever was served', async () => {
  const { clock, places, process, waits } = scene();
  const served: string[] = [];
  const first = unwrap(await process('first').acquire('r')).lease;
  for (const holder of ['a', 'b', 'c']) {
    void waits(holder).then(async (result) => {
      served.push(holder);
      await unwrap(result).lease.release();
    });
    await clock.advance(1);
  }
  await first.release();
  for (let pass = 0; pass < 10; pass++) await clock.advance(50);
  expect(served).toEqual(['a', 'b', 'c']);
  expect(places).toEqual([]);
});

it('gives its place back where its wait is over: nobody waits for whoever is gone', async () => {
  const { clock, places, process, waits } = scene();
  const first = unwrap(await process('first').acquire('r')).lease;
  const impatient = waits('impatient', { waitMs: 1_000 });
  await clock.advance(1);
  const patient = waits('patient');
  await clock.advance(1);
  expect(places).toHaveLength(2);
  await clock.advance(1_000);
  expect(await impatient).toMatchObject({ ok: false, reason: 'held' });
  expect(places).toHaveLength(1);
  await first.release();
  await clock.advance(100);
  expect(unwrap(await patient).lease.holder).toMatch(/^patient\//);
});

it('gives it back where its caller gives up', async () => {
  const { clock, places, process, waits } = scene();
  unwrap(await process('first').acquire('r'));
  const caller = new AbortController();
  const waiting = waits('a', { signal: caller.signal });
  await clock.advance(1);
  expect(places).toHaveLength(1);
  caller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await clock.advance(1);
  expect(places).toEqual([]);
});
