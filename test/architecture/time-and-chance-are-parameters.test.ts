import { describe, expect, it } from 'vitest';
import { source, sourcesBelow } from './source-tree.ts';
import { unownedTimeAndChance } from './time-and-chance.ts';

describe('time and chance are parameters', () => {
  it('in the whole library, but for one file each', () => {
    const library = sourcesBelow('src').filter(({ path }) => !path.startsWith('src/testing/'));
    expect(unownedTimeAndChance(library)).toEqual([]);
  });

  it.each([
    'const now = Date.now();',
    'const now = new Date().getTime();',
    'const now: () => number = Date.now;',
    'const start = performance.now();',
    'setTimeout(() => {}, 10);',
    'globalThis.setTimeout(() => {}, 10);',
    'setInterval(() => {}, 10);',
    `import { setTimeout as sleep } from 'node:timers/promises';`,
    'const signal = AbortSignal.timeout(10);',
    'const jitter = Math.random();',
    'const nonce = crypto.randomUUID();',
    `import { randomBytes } from 'node:crypto';`,
  ])('refuses %s', (text) => {
    expect(unownedTimeAndChance([source('src/lease/a.ts', text)])).not.toEqual([]);
  });

  it.each(['const date = new Date(0);', 'const ms = clock.now();', 'clearTimeout(timer);'])(
    'lets %s pass',
    (text) => {
      expect(unownedTimeAndChance([source('src/lease/a.ts', text)])).toEqual([]);
    },
  );
});
