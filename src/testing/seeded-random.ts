import type { Random } from '../fence/random.ts';

/**
 * Randomness that can be run again: the same seed gives the same numbers and nonces, in the same order.
 * The generator is mulberry32 (T. Ettinger, public domain): 32 bits of state, which is plenty for tests.
 *
 * @param seed an integer; print it where a run fails.
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const word = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const hex = () => word().toString(16).padStart(8, '0');
  return { unit: () => word() / 2 ** 32, nonce: () => hex() + hex() };
}
