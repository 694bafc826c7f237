import { beforeAll, it } from 'vitest';
import type { ConformanceCase } from '../../src/testing/conformance/token-source.ts';

/**
 * Cases on a server whose time passes by waiting, all at the same time: each waits for itself, and together they take no
 * longer than the longest.
 */
export function itAllAtOnce(cases: readonly ConformanceCase[]): void {
  let running: readonly Promise<void>[] = [];
  beforeAll(() => {
    running = cases.map(({ run }) => run());
    // Each is reported by its own test.
    for (const outcome of running) outcome.catch(() => undefined);
  });
  cases.forEach(({ title }, n) => {
    it(title, () => running[n]);
  });
}
