// The proof that it is a token source: run with `npx tsx examples/token-source/conformance.ts`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeaseManager, unwrap } from 'dynamodb-fenced';
import { manualClock, tokenSourceConformance } from 'dynamodb-fenced/testing';
import { memoryStore } from './store.ts';
import { storeTokenSource } from './store-token-source.ts';

// #region conformance
const cases = tokenSourceConformance({
  offers: ['inspect'],
  async open() {
    const clock = manualClock();
    return {
      source: storeTokenSource(memoryStore(), clock.now),
      clock,
      now: clock.now,
      advance: clock.advance,
    };
  },
});
for (const { title, run } of cases) test(title, run);
// #endregion conformance

// What the suite cannot know: the faults of this very store.
test('a lost answer locks nobody out of its own lease', async () => {
  const store = memoryStore();
  let lost = 1;
  const source = storeTokenSource({
    ...store,
    async put(key, value, revision, signal) {
      const written = await store.put(key, value, revision, signal);
      if (lost-- > 0) throw new Error('connection reset');
      return written;
    },
  });
  const leases = new LeaseManager({ source, ttlMs: 10_000 });
  const { lease } = unwrap(await leases.acquire('account/a1', { waitMs: 2_000 }));
  assert.equal((await leases.inspect('account/a1'))?.token, lease.token);
  await lease.release();
});

test('a store that cannot be reached is an outage, and nothing was applied', async () => {
  const down = () => Promise.reject(new Error('connection refused'));
  const leases = new LeaseManager({ source: storeTokenSource({ get: down, put: down }), ttlMs: 10_000 });
  await assert.rejects(leases.acquire('account/a1'), { code: 'unavailable', applied: 'no' });
  await assert.rejects(leases.inspect('account/a1'), { code: 'unavailable' });
});
