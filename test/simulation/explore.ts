import type { Storage } from './storage.ts';
import type { Weakness } from './weaken.ts';
import { type Choice, type Scenario, World } from './world.ts';

export interface Search {
  readonly states: number;
  /** How often callers were told what, at the ends of runs. */
  readonly told: ReadonlyMap<string, number>;
  /** The first broken promise, and what led to it. */
  readonly broken: { readonly promise: string; readonly trace: readonly string[] } | undefined;
  /** True where the limit ended the search. */
  readonly cut: boolean;
}

/**
 * Every interleaving of a scenario, depth first. The code under test cannot be copied in the middle of a
 * run, so each state is reached by running its choices from the start; states that were seen are not
 * entered again.
 */
export async function explore(
  scenario: Scenario,
  storage: Storage,
  options: { readonly limit: number; readonly weakness?: Weakness | undefined },
): Promise<Search> {
  const seen = new Set<string>();
  const told = new Map<string, number>();
  const open: (readonly Choice[])[] = [[]];
  while (open.length > 0) {
    if (seen.size >= options.limit) return { states: seen.size, told, broken: undefined, cut: true };
    const path = open.pop() as readonly Choice[];
    const { world, trace } = await run(scenario, storage, path, options.weakness);
    const { broken } = world.history;
    if (broken !== undefined)
      return { states: seen.size, told, broken: { promise: broken, trace }, cut: false };
    const { key } = world;
    if (seen.has(key)) continue;
    seen.add(key);
    const choices = world.choices();
    if (choices.length === 0)
      for (const what of world.history.told) told.set(what, (told.get(what) ?? 0) + 1);
    // The last one in is the first one out: what goes well is tried before what goes wrong.
    for (const choice of [...choices].reverse()) open.push([...path, choice]);
  }
  return { states: seen.size, told, broken: undefined, cut: false };
}

async function run(
  scenario: Scenario,
  storage: Storage,
  path: readonly Choice[],
  weakness: Weakness | undefined,
) {
  const world = new World(scenario, storage, weakness);
  const trace: string[] = [];
  await world.settle();
  for (const choice of path) {
    trace.push(await world.take(choice));
    await world.settle();
  }
  return { world, trace };
}
