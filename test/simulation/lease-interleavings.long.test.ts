import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explore } from './explore.ts';
import { leaseScenarios } from './lease-scenarios.ts';
import { LEASES, type LeaseScenario, LeaseWorld } from './lease-world.ts';
import { Storage } from './storage.ts';
import { renewWithoutGrantCheck } from './weaken.ts';

const LIMIT = Number(process.env.SEARCH_LIMIT ?? 150);

describe.each([true, false])(
  'every interleaving on a lease row, where a refusal shows it: %s',
  (returnItems) => {
    let storage: Storage;
    beforeAll(async () => {
      storage = await Storage.open(LEASES, 'resource', { returnItems });
    });
    afterAll(() => storage[Symbol.asyncDispose]());

    it.each(Object.keys(leaseScenarios))('%s', async (name) => {
      const scenario = leaseScenarios[name] as LeaseScenario;
      const { broken, states } = await explore(() => new LeaseWorld(scenario, storage), LIMIT);
      expect(broken).toBeUndefined();
      expect(states).toBeGreaterThan(20);
    });

    it('catches renewals that do not ask whose grant it is', async () => {
      const programs = [['acquire', 'renew'], ['acquire']] as const;
      const scenario: LeaseScenario = { start: undefined, programs, ahead: [0, 1], ticks: 0, copies: 1 };
      const begin = () => new LeaseWorld(scenario, storage, renewWithoutGrantCheck);
      const { broken } = await explore(begin, 2_000);
      expect(broken?.promise).toMatch(/not its own/);
    });
  },
);
