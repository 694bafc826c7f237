import type { Message } from '../simulation/network.ts';
import type { Row, Step } from '../simulation/storage.ts';
import type { Weakness } from '../simulation/weaken.ts';
import type { Call } from './call.ts';
import { ItemModel } from './item-model.ts';
import { LeaseModel } from './lease-model.ts';
import type { Promises } from './promises.ts';
import type { Executor } from './renaming.ts';

/** The engine behind a history, one memory for each table, and what is done to the requests before they reach it. */
export interface Storages {
  readonly accounts: Executor;
  readonly leases: Executor;
  readonly weakness: Weakness | undefined;
}

const LEASE = 'the lease row';

/** The rows of one history: what the engine makes of each request, and the models that are told of it. */
export class Rows {
  readonly lease: LeaseModel;
  readonly #storages: Storages;
  readonly #promises: Promises;
  readonly #models: ReadonlyMap<string, ItemModel>;
  readonly #rows: Map<string, Row | undefined>;
  /** What the lease row was: the backups that an operator may restore. */
  readonly #backups: (Row | undefined)[] = [undefined];

  constructor(items: readonly [string, Row | undefined][], storages: Storages, promises: Promises) {
    this.#storages = storages;
    this.#promises = promises;
    this.lease = new LeaseModel(promises);
    this.#rows = new Map(items);
    this.#models = new Map(items.map(([key, row]) => [key, new ItemModel(row, promises)]));
  }

  item(key: string): ItemModel {
    return this.#models.get(key) as ItemModel;
  }

  /** @param of the call that sent it; a text for the steps of leases. */
  async execute(
    name: string,
    message: Message,
    of: Call | string,
    proposedAtMs: number,
  ): Promise<Step['answer']> {
    const place = typeof of === 'string' ? LEASE : of.key;
    const storage = typeof of === 'string' ? this.#storages.leases : this.#storages.accounts;
    const before = this.#rows.get(place);
    const { op, input } = this.#storages.weakness?.(message.op, message.input, before) ?? message;
    const { row: after, answer } = await storage.execute(before, op, input);
    this.#rows.set(place, after);
    const accepted = 'output' in answer;
    const outcome = accepted ? 'accepted' : answer.error.name;
    this.#promises.note(() => `  ${name}: ${outcome}; ${place}: ${show(after)}`);
    if (!accepted || op === 'GetItem') return answer;
    if (typeof of !== 'string') this.item(place).accepted(of, kindOf(message), before, after);
    else {
      this.lease.accepted(name, message.input, proposedAtMs, before, after);
      this.#backups.push(after);
    }
    return answer;
  }

  deleteLease(): void {
    this.#replaceLease('deletes', undefined);
  }

  /** @param back how many changes ago. */
  restoreLease(back: number): void {
    this.#replaceLease('restores', this.#backups.at(-1 - (back % this.#backups.length)));
  }

  #replaceLease(what: string, row: Row | undefined): void {
    this.#rows.set(LEASE, row);
    this.lease.replaced(row);
    this.#promises.note(() => `an operator ${what} the lease row: ${show(row)}`);
  }
}

/** A claim, or a seal, which is one: it changes nothing but the hidden attributes. */
function kindOf({ op, input }: Message): 'claim' | 'write' {
  if (op !== 'UpdateItem') return 'write';
  const changed = [...input.UpdateExpression.matchAll(/#\w+/g)].map(
    ([name]) => input.ExpressionAttributeNames[name],
  );
  return changed.every((name) => name.startsWith('_fence')) ? 'claim' : 'write';
}

function show(row: Row | undefined): string {
  if (row === undefined) return 'none';
  const { id: _id, resource: _resource, ...rest } = row;
  return Object.entries(rest)
    .map(([name, value]) => `${name} ${value.S ?? value.N}`)
    .join(' ');
}
