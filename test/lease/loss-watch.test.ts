import { expect, it } from 'vitest';
import { fencingToken } from '../../src/fence/token.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { memoryTokenSource } from '../../src/lease/sources/memory.ts';
import type { CanTellLoss, Gone, GrantInQuestion, Newer } from '../../src/lease/token-source.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';

const lost: Gone = { is: 'lost' };
const fenced = (token: number): Newer => ({
  ...{ is: 'fenced', lastToken: fencingToken(token), lastHolder: 'b', applied: 'no' },
});

/** A source that tells what it is made to tell, one answer for each time that it is asked. */
function telling() {
  const clock = manualClock();
  const asked: { grant: GrantInQuestion; signal: AbortSignal; tell: PromiseWithResolvers }[] = [];
  const whenGone: CanTellLoss['whenGone'] = (grant, signal) =>
    new Promise((resolve, reject) => asked.push({ grant, signal, tell: { resolve, reject } }));
  const memory = memoryTokenSource({ clock });
  const source = {
    acquire: memory.acquire.bind(memory),
    renew: memory.renew.bind(memory),
    release: memory.release.bind(memory),
    whenGone,
  };
  return { asked, clock, leases: new LeaseManager({ source, ttlMs: 10_000, clock }) };
}
interface PromiseWithResolvers {
  resolve(answer: Gone | Newer): void;
  reject(error: Error): void;
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it.each([
  ['lost', lost],
  ['fenced', fenced(Number.MAX_SAFE_INTEGER)],
] as const)(
  'a source that tells that a lease is %s aborts its signal, and is not asked to release it',
  async (code, answer) => {
    const { leases, asked } = telling();
    const lease = unwrap(await leases.acquire('r'));
    const { resource, holder, token } = lease.lease;
    expect(asked.map(({ grant }) => grant)).toEqual([{ resource, holder, token }]);
    asked[0]?.tell.resolve(answer);
    await turn();
    expect(lease.lease.signal.aborted).toBe(true);
    expect(lease.lease.signal.reason).toMatchObject({ code });
    expect(() => lease.lease.assertHeld()).toThrow();
    expect(await lease.lease.renew()).toMatchObject({ ok: false, reason: code });
  },
);

it('one that cannot tell is asked again after a pause, as long as the lease runs', async () => {
  const { leases, asked, clock } = telling();
  const { lease } = unwrap(await leases.acquire('r'));
  asked[0]?.tell.reject(new Error('the connection is broken'));
  await turn();
  expect(lease.signal.aborted).toBe(false);
  expect(asked).toHaveLength(1);
  await clock.advance(100);
  expect(asked).toHaveLength(2);
  asked[1]?.tell.reject(new Error('it still is'));
  await turn();
  await lease.release();
  await clock.advance(60_000);
  expect(asked).toHaveLength(2);
  expect(clock.timers).toBe(0);
});

it('what it tells after the release changes nothing, and it is told to stop', async () => {
  const { leases, asked } = telling();
  const { lease } = unwrap(await leases.acquire('r'));
  await lease.release();
  expect(asked[0]?.signal.aborted).toBe(true);
  asked[0]?.tell.resolve(lost);
  await turn();
  expect(lease.signal.reason).toMatchObject({ code: 'lease-released' });
});

it('one that throws instead of rejecting harms nobody', async () => {
  const clock = manualClock();
  const memory = memoryTokenSource({ clock });
  const source = Object.assign(memory, {
    whenGone: () => {
      throw new Error('not today');
    },
  });
  const leases = new LeaseManager({ source, ttlMs: 10_000, clock });
  const { lease } = unwrap(await leases.acquire('r'));
  await turn();
  expect(lease.signal.aborted).toBe(false);
  await lease.release();
});
