import fc from 'fast-check';
import { Storage } from '../simulation/storage.ts';
import type { Weakness } from '../simulation/weaken.ts';
import { eventsOf, type Schedule, schedules } from './event.ts';
import type { Promises } from './promises.ts';
import { type Executor, renamed } from './renaming.ts';
import type { Storages } from './rows.ts';
import { World } from './world.ts';

/** The engines of all histories: they are asked of single rows, and remember nothing of a history. */
export interface Engines extends AsyncDisposable {
  /** How many different questions they were asked. */
  readonly size: number;
  of(schedule: Schedule): Omit<Storages, 'weakness'>;
}

/** Opens the engines, which answer in both ways: with what refused a request, or without, as older engines do. */
export async function openEngines(): Promise<Engines> {
  const accounts = await Storage.open('accounts', 'id', { returnItems: true });
  const leases = await Storage.open('leases', 'resource', { returnItems: true });
  const showing = { accounts: renamed(accounts), leases: renamed(leases) };
  const silent = { accounts: withoutItems(showing.accounts), leases: withoutItems(showing.leases) };
  return {
    get size() {
      return accounts.size + leases.size;
    },
    of: ({ returnItems }) => (returnItems ? showing : silent),
    async [Symbol.asyncDispose]() {
      await Promise.all([accounts, leases].map((storage) => storage[Symbol.asyncDispose]()));
    },
  };
}

function withoutItems(engine: Executor): Executor {
  return {
    async execute(row, op, input) {
      const { row: after, answer } = await engine.execute(row, op, input);
      if ('output' in answer) return { row: after, answer };
      const { name, message } = answer.error;
      return { row: after, answer: { error: Object.assign(new Error(message), { name }) } };
    },
  };
}

/** Lets a history happen, until its end or until a promise is broken. */
export async function happen(schedule: Schedule, engines: Engines, weakness?: Weakness): Promise<Promises> {
  const world = new World(schedule, { ...engines.of(schedule), weakness });
  for (const event of eventsOf(schedule)) {
    await world.take(event);
    if (world.promises.broken !== undefined) return world.promises;
  }
  await world.end();
  return world.promises;
}

/** What came of many random histories. */
export interface Search {
  /** How many were run until one broke a promise, that one included. */
  readonly runs: number;
  /** What callers were told, and rare things that happened, in all of them. */
  readonly seen: ReadonlySet<string>;
  readonly broken:
    | { readonly promise: string; readonly trace: readonly string[]; readonly path: string }
    | undefined;
}

export interface SearchOptions {
  /** The same seed gives the same histories. */
  readonly seed: number;
  readonly runs: number;
  /** Begins with one that an earlier search has reported. */
  readonly path?: string | undefined;
  readonly weakness?: Weakness;
  /** Whether to look for the shortest history that breaks a promise. Default true. */
  readonly shrink?: boolean;
}

export async function search(engines: Engines, options: SearchOptions): Promise<Search> {
  const { seed, runs, path, weakness, shrink = true } = options;
  const seen = new Set<string>();
  const property = fc.asyncProperty(schedules, async (schedule) => {
    const promises = await happen(schedule, engines, weakness);
    for (const what of promises.seen) seen.add(what);
    return promises.broken === undefined;
  });
  const replay = path === undefined ? {} : { path };
  const details = await fc.check(property, { seed, numRuns: runs, endOnFailure: !shrink, ...replay });
  if (!details.failed) return { runs: details.numRuns, seen, broken: undefined };
  const [schedule] = details.counterexample as [Schedule];
  const { broken: promise = 'it did not break again', trace } = await happen(schedule, engines, weakness);
  return {
    runs: details.numRuns,
    seen,
    broken: { promise, trace, path: details.counterexamplePath as string },
  };
}
