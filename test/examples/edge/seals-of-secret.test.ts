import { expect, it } from 'vitest';
import { sealsOfSecret } from '../../../examples/edge/seals-of-secret.ts';
import { fence } from '../../../src/index.ts';
import { manualClock } from '../../../src/testing/index.ts';

const [first, second] = ['1'.repeat(64), '2'.repeat(64)];
const minutes = 60_000;

/** Seals whose secret somebody changes. */
function kept(...secrets: readonly (object | Error)[]) {
  const clock = manualClock();
  const left = [...secrets];
  let reads = 0;
  const seals = sealsOfSecret(async () => {
    reads++;
    const secret = left.length > 1 ? left.shift() : left[0];
    if (secret instanceof Error) throw secret;
    return JSON.stringify(secret);
  }, clock);
  return { clock, seals, reads: () => reads };
}

const receipt = () => fence('slot/s1', 42);
const ttlMs = 60 * minutes;

it('reads the secret with the first fence, once for all who wait', async () => {
  const { seals, reads } = kept({ current: first });
  expect(reads()).toBe(0);
  const [one, other] = await Promise.all([seals(), seals()]);
  expect(one.open(other.seal(receipt(), { ttlMs }))).toMatchObject({ ok: true });
  await seals();
  expect(reads()).toBe(1);
});

it('opens what the key before has sealed, and seals with the new one', async () => {
  const { clock, seals } = kept({ current: first }, { current: second, previous: first });
  const old = await seals();
  const sealed = old.seal(receipt(), { ttlMs });
  await clock.advance(5 * minutes);
  const changed = await seals();
  expect(changed.open(sealed)).toMatchObject({ ok: true });
  expect(old.open(changed.seal(receipt(), { ttlMs }))).toEqual({ ok: false, reason: 'tampered' });
});

it('a change that is announced first is met by nobody: functions that have not read it open both', async () => {
  const before = await kept({ current: first, previous: second }).seals();
  const after = await kept({ current: second, previous: first }).seals();
  expect(before.open(after.seal(receipt(), { ttlMs }))).toMatchObject({ ok: true });
  expect(after.open(before.seal(receipt(), { ttlMs }))).toMatchObject({ ok: true });
});

it('keeps the last keys while the secret cannot be read, and asks again', async () => {
  const { clock, seals, reads } = kept({ current: first }, new Error('denied'), { current: second });
  const sealed = (await seals()).seal(receipt(), { ttlMs });
  await clock.advance(5 * minutes);
  expect((await seals()).open(sealed)).toMatchObject({ ok: true });
  expect((await seals()).open(sealed)).toMatchObject({ ok: false });
  expect(reads()).toBe(3);
});

it('has no seals without a key', async () => {
  const { seals } = kept(new Error('denied'), { current: 'short' }, { current: first });
  await expect(seals()).rejects.toThrow('denied');
  await expect(seals()).rejects.toThrow('too few');
  expect((await seals()).seal(receipt(), { ttlMs })).toMatch(/^v1\./);
});
