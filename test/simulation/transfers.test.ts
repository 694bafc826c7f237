import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explore } from './explore.ts';
import { PairStorage } from './row-pair.ts';
import { transferCasts, transferScenario } from './scenarios.ts';
import { TransferWorld } from './transfer-world.ts';
import { inTransactions, itemWeaknesses, type Weakness } from './weaken.ts';

const LIMIT = Number(process.env.SEARCH_LIMIT ?? 80);

describe.each([true, false])(
  'every interleaving of transactions, where a refusal shows the items: %s',
  (returnItems) => {
    let storage: PairStorage;
    beforeAll(async () => {
      storage = await PairStorage.open({ returnItems });
    });
    afterAll(() => storage[Symbol.asyncDispose]());

    it.each(transferCasts.map((cast) => [JSON.stringify(cast), cast] as const))('%s', async (_, cast) => {
      const begin = () => new TransferWorld(transferScenario(cast), storage);
      const { broken, states } = await explore(begin, LIMIT);
      expect(broken).toBeUndefined();
      expect(states).toBeGreaterThan(5);
    });

    it.each([
      ['no fence', [['transfer'], ['put']], /older token|applied twice/],
      ['`<` only', [['claim', 'transfer']], /every answer arrived/],
      ['no seq', [['transfer']], /applied twice/],
    ] as const)('is caught: %s', async (name, programs, promise) => {
      const weakness = itemWeaknesses.find((it) => it.name === name)?.weakness as Weakness;
      const start = transferScenario({ programs });
      // Enough for two transfers, so that the caller's own condition does not stop the second.
      const rich = { ...start, start: { ...start.start, a: { ...start.start.a, balance: { N: '9' } } } };
      const { broken } = await explore(
        () => new TransferWorld(rich, storage, inTransactions(weakness)),
        2_000,
      );
      expect(broken?.promise).toMatch(promise);
    });
  },
);
