/** A run that can be moved step by step. */
export interface Steps<Choice> {
  readonly history: { readonly broken: string | undefined; readonly told: readonly string[] };
  /** Equal for states from which everything goes on alike. */
  readonly key: string;
  choices(): readonly Choice[];
  take(choice: Choice): Promise<string>;
  /** Lets everybody go on until they wait for the next choice. */
  settle(): Promise<void>;
}

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
 *
 * @param begin starts a run.
 * @param limit how many states to enter at most.
 * @param onState is told how many states were entered so far.
 */
export async function explore<Choice>(
  begin: () => Steps<Choice>,
  limit: number,
  onState: (states: number) => void = () => {},
): Promise<Search> {
  const seen = new Set<string>();
  const told = new Map<string, number>();
  const open: (readonly Choice[])[] = [[]];
  while (open.length > 0) {
    if (seen.size >= limit) return { states: seen.size, told, broken: undefined, cut: true };
    const path = open.pop() as readonly Choice[];
    const { world, trace } = await run(begin, path);
    const { broken } = world.history;
    if (broken !== undefined)
      return { states: seen.size, told, broken: { promise: broken, trace }, cut: false };
    const { key } = world;
    if (seen.has(key)) continue;
    seen.add(key);
    onState(seen.size);
    const choices = world.choices();
    if (choices.length === 0)
      for (const what of world.history.told) told.set(what, (told.get(what) ?? 0) + 1);
    // The last one in is the first one out: what goes well is tried before what goes wrong.
    for (const choice of [...choices].reverse()) open.push([...path, choice]);
  }
  return { states: seen.size, told, broken: undefined, cut: false };
}

async function run<Choice>(begin: () => Steps<Choice>, path: readonly Choice[]) {
  const world = begin();
  const trace: string[] = [];
  await world.settle();
  for (const choice of path) {
    trace.push(await world.take(choice));
    await world.settle();
  }
  return { world, trace };
}
