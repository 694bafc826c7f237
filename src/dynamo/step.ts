import type { Fence } from '../fence/fence.ts';
import type { Item } from './attributes.ts';
import type { Wire } from './client.ts';
import type { LeaseCheck } from './lease-check.ts';
import type { CheckPlan, WritePlan } from './plan.ts';

/**
 * A verb of a repository as a value: it was checked as the verb would be, and nothing was sent. `transact`
 * sends it together with others. `Done` is what the verb itself would answer, `Refused` how its content may
 * refuse it. Made by `repository.plan`.
 */
export interface Plan<Done = unknown, Refused = unknown> {
  readonly fence: Fence;
  /** What its table is reached with. */
  readonly wire: Wire;
  /** What is sent, and what the answers mean. */
  readonly action: WritePlan<Done, Refused> | CheckPlan<Refused>;
}

/** One step of a transaction: a plan of a repository, or the check of a lease. */
export type Step = Plan | LeaseCheck;

/** A read of a repository as a value, for `transactGet`. Made by `repository.plan.get`. */
export interface ReadPlan<Found = unknown> {
  readonly wire: Wire;
  readonly tableName: string;
  readonly key: Item;
  /** What the repository answers for what is stored. */
  found(item: Item | undefined): Found;
}
