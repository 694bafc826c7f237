import { expect, it } from 'vitest';
import { seededRandom } from '../../src/testing/seeded-random.ts';

function draw(seed: number, count: number) {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => [random.unit(), random.nonce()] as const);
}

it('is the same for the same seed, and another for another', () => {
  expect(draw(42, 100)).toEqual(draw(42, 100));
  expect(draw(43, 100)).not.toEqual(draw(42, 100));
});

it('draws from all of [0, 1), evenly', () => {
  const counts = new Array<number>(10).fill(0);
  for (const [unit] of draw(1, 10_000)) {
    expect(unit).toBeGreaterThanOrEqual(0);
    expect(unit).toBeLessThan(1);
    counts[Math.floor(unit * 10)]! += 1;
  }
  for (const count of counts) expect(count).toBeGreaterThan(850);
});

it('draws no nonce twice', () => {
  const nonces = draw(1, 10_000).map(([, nonce]) => nonce);
  expect(new Set(nonces).size).toBe(nonces.length);
  expect(nonces.every((nonce) => /^[0-9a-f]{16}$/.test(nonce))).toBe(true);
});
