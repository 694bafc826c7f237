import { startFaultProxy } from '../../src/testing/index.ts';
import type { RunningEngine } from '../engines/engines.ts';
import { type Bank, MOST_TRIES, openBank, TTL_MS, tableNames } from './bank.ts';
import type { Answer, Order } from './messages.ts';
import { mishapsOf, type Scene } from './mishaps.ts';
import type { Plan, PlannedOrder } from './plan.ts';
import { WorkerProcess } from './worker-process.ts';

/** What became of an order. */
export interface Told {
  /** All answers to it, in their order; the last one is final. */
  readonly answers: Answer[];
  /** How often somebody else than its worker carried it out, and was not told that it had been done. */
  moved: number;
}

/** A run of the bank, over and at rest. */
export interface Run {
  readonly bank: Bank;
  readonly told: ReadonlyMap<string, Told>;
  /** The transfers of the office that overtook others, there and back. */
  readonly overtakings: readonly Order[];
  readonly struck: ReadonlySet<string>;
  readonly bitten: ReadonlyMap<string, () => boolean>;
  readonly killed: number;
}

export interface RunOptions {
  readonly workers: number;
  readonly onProgress?: (done: number) => void;
}

/** Has the workers carry out the plan, with all its mishaps. */
export async function runBank(engine: RunningEngine, plan: Plan, options: RunOptions): Promise<Run> {
  const orders = new Map(plan.orders.map((order) => [order.key, order]));
  const told = new Map(plan.orders.map(({ key }): [string, Told] => [key, { answers: [], moved: 0 }]));
  const tellings = (key: string) => told.get(key) as Told;
  const background: Promise<void>[] = [];
  const current = new Map<string, PlannedOrder>();
  const working = new Map<string, WorkerProcess>();
  const overtakings: Order[] = [];
  const opening = openBank(engine, plan);
  opening.catch(() => undefined);

  const scene: Scene = {
    tableNames,
    ttlMs: TTL_MS,
    current,
    workerAt(key) {
      const found = [...current].find(([, order]) => order.key === key);
      const worker = working.get(found?.[0] ?? '');
      if (worker === undefined) throw new Error(`nobody is at ${key}`);
      return worker;
    },
    orderOf: (key) => orders.get(key),
    async carryOut(order) {
      if (!(await (await opening).move(order))) tellings(order.key).moved++;
    },
    async overtake({ key, from, to }) {
      const { move } = await opening;
      for (const way of [
        { key: `${key}-there`, from, to, amount: 1 },
        { key: `${key}-back`, from: to, to: from, amount: 1 },
      ]) {
        await move(way);
        overtakings.push(way);
      }
    },
    inBackground: (work) => void background.push(work),
  };
  const mishaps = mishapsOf(scene);
  await using proxy = await startFaultProxy({ target: engine.endpoint, rules: mishaps.rules });

  const staff: WorkerProcess[] = [];
  let hired = 0;
  const hire = async () => {
    hired++;
    const { ttlMs } = scene;
    const name = `worker-${hired}`;
    const worker = await WorkerProcess.start({ name, endpoint: proxy.endpoint, tableNames, ttlMs });
    staff.push(worker);
    working.set(name, worker);
    return worker;
  };
  let killed = 0;
  let done = 0;
  const queue = [...plan.orders];
  const work = async () => {
    let worker = await hire();
    await opening;
    for (let order = queue.shift(); order !== undefined; order = queue.shift()) {
      current.set(worker.name, order);
      const answer = await worker.ask(order);
      current.delete(worker.name);
      if (answer.is === 'killed') {
        killed++;
        // Somebody else is asked, while a new one is hired.
        queue.unshift(order);
        worker = await hire();
        continue;
      }
      const { answers } = tellings(order.key);
      answers.push(answer);
      if (isFinal(answer)) options.onProgress?.(++done);
      else if (answers.length < MOST_TRIES) queue.push(order);
      else throw new Error(`${order.key} comes to no end: ${JSON.stringify(answers.slice(-3))}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: options.workers }, work));
    while (background.length > 0) await background.pop();
    await proxy.idle();
  } finally {
    await Promise.allSettled(staff.map((worker) => worker[Symbol.asyncDispose]()));
  }
  return { bank: await opening, told, overtakings, struck: mishaps.struck, bitten: mishaps.bitten, killed };
}

/** Whether there is nothing more to ask. What is refused for the money is refused for good: no plan lets it come in. */
function isFinal(answer: Answer): boolean {
  return answer.is === 'moved' || (answer.is === 'refused' && answer.reason === 'insufficient');
}
