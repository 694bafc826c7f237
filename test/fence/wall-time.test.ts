import { describe, expect, it } from 'vitest';
import { stopwatch } from '../../src/fence/clock.ts';
import { wallTimeMs } from '../../src/fence/wall-time.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import { world } from '../lease/world.ts';

const told = (now: unknown) => ({ ...manualClock(), now: () => now as number });

it.each([0, -1, 1_767_225_600_000.5, 8.64e15])('%d is a time', (now) => {
  expect(wallTimeMs(told(now))).toBe(now);
});

describe.each([1e17, 8.64e15 + 2, Infinity, -Infinity, NaN, '1767225600000', new Date(0), undefined, 5n])(
  '%s',
  (now) => {
    const refused = expect.objectContaining({ code: 'invalid-input', path: 'clock' });

    it('is none', () => {
      expect(() => wallTimeMs(told(now))).toThrow(refused);
      expect(() => stopwatch(told(now))).toThrow(refused);
    });

    it('is said of the clock, not of the resource, and nothing is stored', async () => {
      const { process, verbs, stored } = world();
      const leases = process('a', { clock: told(now) });
      await expect(leases.acquire('r')).rejects.toEqual(refused);
      await expect(leases.raise('r', { above: 1 })).rejects.toEqual(refused);
      expect(verbs).toEqual([]);
      expect(await stored()).toBeUndefined();
    });
  },
);
