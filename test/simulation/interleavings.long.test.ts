import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explore } from './explore.ts';
import { casts, castsOfThree, scenario, starts } from './scenarios.ts';
import { Storage } from './storage.ts';
import { itemWeaknesses } from './weaken.ts';
import { TABLE, World } from './world.ts';

// Bounds the time of a test run: `npm run search` goes on.
const LIMIT = Number(process.env.SEARCH_LIMIT ?? 60);

describe.each([true, false])('every interleaving, where a refusal shows the item: %s', (returnItems) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await Storage.open(TABLE, 'id', { returnItems });
  });
  afterAll(() => storage[Symbol.asyncDispose]());

  for (const cast of [...casts, ...castsOfThree]) {
    for (const [start, row] of Object.entries(starts)) {
      it(`keeps every promise: ${JSON.stringify(cast)} from ${start}`, async () => {
        const { broken, states } = await explore(() => new World(scenario(row, cast), storage), LIMIT);
        expect(broken).toBeUndefined();
        expect(states).toBeGreaterThan(20);
      });
    }
  }
});

describe('a protocol that leaves a rule out is caught', () => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await Storage.open(TABLE, 'id', { returnItems: true });
  });
  afterAll(() => storage[Symbol.asyncDispose]());

  it.each(itemWeaknesses)('$name', async ({ weakness, start, programs, promise }) => {
    const begin = () => new World(scenario(starts[start], { programs }), storage, weakness);
    const { broken } = await explore(begin, 5_000);
    expect(broken?.promise).toMatch(promise);
  });
});
