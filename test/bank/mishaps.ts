import { setTimeout as sleep } from 'node:timers/promises';
import type { TableNames } from '../../examples/ledger/tables.ts';
import {
  type Answer,
  conflict,
  dropResponse,
  duplicate,
  type Fault,
  type FaultRule,
  type Passage,
  type WireRequest,
} from '../../src/testing/index.ts';
import { type Mishap, mishaps, type PlannedOrder, resourcesOf } from './plan.ts';
import { traffic } from './traffic.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Who works on what, and who helps: what a mishap needs of the bank. */
export interface Scene {
  readonly tableNames: TableNames;
  readonly ttlMs: number;
  /** What a worker is at. */
  readonly current: ReadonlyMap<string, PlannedOrder>;
  workerAt(key: string): WorkerProcess;
  orderOf(key: string): PlannedOrder | undefined;
  /** Carries an order out in a process of its own, past all faults. */
  carryOut(order: PlannedOrder): Promise<void>;
  /** Moves money between the accounts of an order and back, so under newer leases. */
  overtake(order: PlannedOrder): Promise<void>;
  /** Work that nobody waits for now, and the run waits for in the end. */
  inBackground(work: Promise<void>): void;
}

/** The mishaps of a run. */
export interface Mishaps {
  readonly rules: readonly FaultRule[];
  /** Which orders were struck, by their keys. */
  readonly struck: ReadonlySet<string>;
  /** Whether something came of what struck an order, where the wire can tell; asked when the wire is idle. */
  readonly bitten: ReadonlyMap<string, () => boolean>;
}

type Inject = (passage: Passage, order: PlannedOrder, spare: () => void) => Promise<Answer>;

/** Every mishap of the plan as a rule on the wire: it strikes its order once, at the request that it is about. */
export function mishapsOf(scene: Scene): Mishaps {
  const struck = new Set<string>();
  const bitten = new Map<string, () => boolean>();
  const seen = traffic();
  const injects: Readonly<Record<Mishap, { readonly at: At; readonly inject: Inject }>> = {
    lost: { at: transaction, inject: committed((passage) => dropResponse().inject(passage)) },
    copied: {
      at: transaction,
      inject: (passage, { key, lateMs }) => {
        const copied = duplicate({ after: { ms: lateMs } });
        bitten.set(key, () => copied.answers.length === 1);
        return copied.inject(passage);
      },
    },
    conflict: {
      at: transaction,
      inject: (passage, { key }) => {
        bitten.set(key, () => seen.copies(passage.request) > 1);
        return conflict().inject(passage);
      },
    },
    'lost-grant': {
      at: grant,
      inject: committed((passage, { key }) => {
        bitten.set(key, () => seen.asked(passage.request) > 1);
        return dropResponse().inject(passage);
      }),
    },
    nap: {
      at: grant,
      inject: committed(async ({ deliver, request }, { key }) => {
        // Its answer is too old when it wakes up: it has to make sure of the lease first.
        bitten.set(key, () => seen.renewed(request) > 0);
        const worker = scene.workerAt(key);
        await worker.stop();
        scene.inBackground(sleep(1.2 * scene.ttlMs).then(() => worker.continue()));
        return deliver();
      }),
    },
    stopped: {
      at: transaction,
      inject: async (passage, order) => {
        const worker = scene.workerAt(order.key);
        await worker.stop();
        scene.inBackground(scene.overtake(order).finally(() => worker.continue()));
        // It stands when this arrives, so what it sends again it sends after it was overtaken.
        return conflict().inject(passage);
      },
    },
    'asked-twice': {
      at: look,
      inject: async ({ deliver }, order) => {
        const answer = await deliver();
        await scene.carryOut(order);
        return answer;
      },
    },
    killed: {
      at: transaction,
      inject: committed(async ({ deliver }, { key }) => {
        await scene.workerAt(key).kill();
        return deliver();
      }),
    },
    'killed-late': {
      at: transaction,
      inject: async ({ deliver }, order) => {
        const late = scene
          .workerAt(order.key)
          .kill()
          .then(() => scene.carryOut(order))
          .then(() => deliver());
        let status: number | undefined;
        bitten.set(order.key, () => status === 400);
        scene.inBackground(
          late.then(({ response }) => {
            status = response.statusCode;
          }),
        );
        return late;
      },
    },
  };
  const rules = mishaps.map((mishap): FaultRule => {
    const { at, inject } = injects[mishap];
    const orderOf = (request: WireRequest) => at(scene, request);
    const fault: Fault = {
      name: mishap,
      inject(passage) {
        const order = orderOf(passage.request) as PlannedOrder;
        return inject(passage, order, () => struck.delete(order.key));
      },
    };
    return {
      on: {
        where(request) {
          const order = orderOf(request);
          if (order === undefined || order.mishap !== mishap || struck.has(order.key)) return false;
          struck.add(order.key);
          return true;
        },
      },
      do: fault,
    };
  });
  return { rules: [seen.rule, ...rules], struck, bitten };
}

/** What strikes only what was accepted: a refusal passes, and the order is struck another time. */
function committed(inject: Inject): Inject {
  return async (passage, order, spare) => {
    const answer = await passage.deliver();
    if (answer.response.statusCode === 200) {
      return inject({ ...passage, deliver: async () => answer }, order, spare);
    }
    spare();
    return answer;
  };
}

/** Whose request it is, where it is one of a kind. */
type At = (scene: Scene, request: WireRequest) => PlannedOrder | undefined;

const transaction: At = ({ tableNames, orderOf }, { op, input }) => {
  if (op !== 'TransactWriteItems') return undefined;
  const puts = (input.TransactItems as { Put?: Put }[]).map(({ Put }) => Put);
  return orderOf(puts.find((put) => put?.TableName === tableNames.entries)?.Item.id?.S ?? '');
};

const look: At = ({ tableNames, orderOf }, { op, input }) => {
  if (op !== 'TransactGetItems') return undefined;
  const gets = (input.TransactItems as { Get?: Get }[]).map(({ Get }) => Get);
  return orderOf(gets.find((get) => get?.TableName === tableNames.entries)?.Key.id?.S ?? '');
};

const grant: At = ({ tableNames, current }, { op, input }) => {
  if (op !== 'UpdateItem' || input.TableName !== tableNames.leases) return undefined;
  const { ':holder': holder, ':next': next } = input.ExpressionAttributeValues ?? {};
  if (next === undefined) return undefined;
  const order = current.get(String(holder?.S).split('/')[0] ?? '');
  return order !== undefined && resourcesOf(order).includes(input.Key.resource.S) ? order : undefined;
};

type Attributes = Readonly<Record<string, { readonly S?: string }>>;
type Put = { readonly TableName: string; readonly Item: Attributes };
type Get = { readonly TableName: string; readonly Key: Attributes };
