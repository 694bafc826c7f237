import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explore } from './explore.ts';
import { LEASES, type LeaseScenario, LeaseWorld } from './lease-world.ts';
import { type Row, Storage } from './storage.ts';
import { renewWithoutGrantCheck } from './weaken.ts';

const LIMIT = Number(process.env.SEARCH_LIMIT ?? 150);

const held: Row = {
  resource: { S: 'r' },
  token: { N: '20005' },
  holder: { S: 'z/0' },
  expiresAtMs: { N: '40000' },
};
const free: Row = { resource: { S: 'r' }, token: { N: '90000' } };

const scenarios: Readonly<Record<string, LeaseScenario>> = {
  'two managers, nobody before': {
    start: undefined,
    programs: [['acquire', 'release'], ['acquire']],
    ticks: 0,
    copies: 2,
  },
  'two managers, a token ahead of the clock': {
    start: free,
    programs: [['acquire', 'release'], ['acquire']],
    ticks: 0,
    copies: 1,
  },
  'clocks apart and moving': {
    start: held,
    programs: [['acquire', 'renew'], ['acquire']],
    ahead: [0, 1],
    ticks: 1,
    copies: 1,
  },
  'renewals that arrive late': {
    start: undefined,
    programs: [['acquire', 'renew', 'renew']],
    ticks: 1,
    copies: 2,
  },
  'a take-over against a waiter': {
    start: held,
    programs: [['take over', 'renew'], ['acquire']],
    ahead: [0, 1],
    ticks: 0,
    copies: 2,
  },
  'an operator raises the counter under a holder': {
    start: held,
    programs: [['raise'], ['acquire', 'renew']],
    ahead: [0, 1],
    ticks: 0,
    copies: 2,
  },
};

describe.each([true, false])(
  'every interleaving on a lease row, where a refusal shows it: %s',
  (returnItems) => {
    let storage: Storage;
    beforeAll(async () => {
      storage = await Storage.open(LEASES, 'resource', { returnItems });
    });
    afterAll(() => storage[Symbol.asyncDispose]());

    it.each(Object.keys(scenarios))('%s', async (name) => {
      const scenario = scenarios[name] as LeaseScenario;
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
