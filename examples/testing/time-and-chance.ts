// Time and chance that a test decides about: run with `npx tsx examples/testing/time-and-chance.ts`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, LeaseManager, memoryTokenSource, unwrap } from 'dynamodb-fenced';
import { manualClock, seededRandom, skewedClock } from 'dynamodb-fenced/testing';

test('a clock that only the test moves', async () => {
  // #region manual
  const clock = manualClock();
  const leases = new LeaseManager({ source: memoryTokenSource({ clock }), ttlMs: 10_000, clock });
  const { lease } = unwrap(await leases.acquire('account/a1'));

  const next = leases.acquire('account/a1', { waitMs: 15_000 }); // waits for the first to end
  await clock.advance(15_000); // takes no time
  const newer = unwrap(await next).lease;
  assert.ok(newer.token > lease.token);
  assert.equal(lease.signal.aborted, true);

  await newer.release();
  assert.equal(clock.timers, 0); // nothing was left behind
  // #endregion manual
});

test('a process that is frozen', async () => {
  // #region freeze
  const clock = manualClock();
  const leases = new LeaseManager({ source: memoryTokenSource({ clock }), ttlMs: 10_000, clock });
  const { lease } = unwrap(await leases.acquire('account/a1'));

  clock.freeze(60_000); // a minute passes, and no timer runs
  assert.throws(() => lease.assertHeld(), { code: 'lease-expired' }); // it asks the clock, not a timer
  await clock.advance(0); // the process goes on: its timers run, late
  // #endregion freeze
});

test('clocks that are wrong', async () => {
  // #region skewed
  const time = manualClock();
  const source = memoryTokenSource({ clock: time });
  const process = (clock: Clock) => new LeaseManager({ source, ttlMs: 10_000, clock });
  const right = process(time);
  const ahead = process(skewedClock(time, 3_600_000)); // an hour ahead
  const fast = process(skewedClock(time, 0, 2)); // runs at twice the speed
  // #endregion skewed
  const tokens: number[] = [];
  for (const leases of [right, ahead, fast]) {
    const { lease } = unwrap(await leases.acquire('account/a1'));
    tokens.push(lease.token);
    await lease.release();
  }
  assert.deepEqual(
    tokens,
    [...tokens].sort((a, b) => a - b),
  );
});

test('chance that can be run again', async () => {
  // #region seed
  const seed = Number(process.env.SEED ?? 42); // printed by the title of the test, or where it fails
  const random = seededRandom(seed);
  const again = seededRandom(seed);
  assert.deepEqual([random.unit(), random.nonce()], [again.unit(), again.nonce()]);
  const leases = new LeaseManager({ source: memoryTokenSource(), ttlMs: 10_000, holder: 'fn', random });
  // #endregion seed
  const { lease } = unwrap(await leases.acquire('account/a1'));
  assert.equal(lease.holder, `fn/${again.nonce()}`);
});
