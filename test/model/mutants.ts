import { explore } from '../simulation/explore.ts';
import { LEASES, LeaseWorld } from '../simulation/lease-world.ts';
import { scenario, starts } from '../simulation/scenarios.ts';
import { Storage } from '../simulation/storage.ts';
import { itemWeaknesses, renewWithoutGrantCheck, type Weakness } from '../simulation/weaken.ts';
import { TABLE, World } from '../simulation/world.ts';
import { openEngines, search } from './run.ts';

/** How soon a protocol that leaves a rule out is caught, and at what. */
export interface Killed {
  readonly name: string;
  /** Random histories until one broke a promise, and that promise. */
  readonly runs: number;
  readonly promise: string;
  /** States of the exhaustive search until one broke a promise, and that promise. */
  readonly states: number;
  readonly promiseInSearch: string;
}

/** The histories of the table in docs/testing.md. Any other seed does, with other figures. */
const SEED = 2026;
const RUNS = 2_000;
const STATES = 5_000;

const renewal = 'renew without grant check';
export const mutants: readonly { readonly name: string; readonly weakness: Weakness }[] = [
  ...itemWeaknesses,
  { name: renewal, weakness: renewWithoutGrantCheck },
];

/** Runs each protocol until a promise breaks. The figures are the same each time. */
export async function killMutants(): Promise<readonly Killed[]> {
  await using engines = await openEngines();
  await using accounts = await Storage.open(TABLE, 'id', { returnItems: true });
  await using leases = await Storage.open(LEASES, 'resource', { returnItems: true });
  const killed: Killed[] = [];
  for (const { name, weakness } of mutants) {
    const random = await search(engines, { seed: SEED, runs: RUNS, weakness, shrink: false });
    const { states, broken } = await exhaustive(name, weakness);
    killed.push({
      name,
      runs: random.runs,
      promise: kindOf(random.broken?.promise),
      states,
      promiseInSearch: kindOf(broken?.promise),
    });
  }
  return killed;

  function exhaustive(name: string, weakness: Weakness) {
    const item = itemWeaknesses.find((it) => it.name === name);
    if (item !== undefined) {
      const cast = scenario(starts[item.start], { programs: item.programs });
      return explore(() => new World(cast, accounts, weakness), STATES);
    }
    const programs = [['acquire', 'renew'], ['acquire']] as const;
    const grants = { start: undefined, programs, ahead: [0, 1], ticks: 0, copies: 1 };
    return explore(() => new LeaseWorld(grants, leases, weakness), STATES);
  }
}

/** The promise, without the names of those who broke it. */
function kindOf(promise = 'none'): string {
  return promise.replace(/:.*/, '');
}
