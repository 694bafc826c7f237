import { attachSession, type Fence } from '../../src/fence/fence.ts';
import type { Random } from '../../src/fence/random.ts';
import { fencingToken } from '../../src/fence/token.ts';
import { FencedRepository } from '../../src/repository/fenced-repository.ts';
import { History } from './history.ts';
import { type Account, type Operation, operations } from './operations.ts';
import { scheduleClock } from './schedule-clock.ts';
import { settled } from './settled.ts';
import { type Choice, SharedRow } from './shared-row.ts';
import type { Row, Storage } from './storage.ts';
import type { Weakness } from './weaken.ts';

/** One holder, and what it does, one operation after the other. */
export interface Writer {
  readonly token: number;
  readonly holder: string;
  readonly program: readonly Operation[];
}

/** What is searched: who does what to one item, and how often a request may be sent. */
export interface Scenario {
  readonly start: Row | undefined;
  readonly writers: readonly Writer[];
  /** Copies per call; a resolve() sends as many again. */
  readonly copies: number;
  /** Whether an unknown outcome is resolved. */
  readonly resolves: boolean;
}

export const TABLE = 'accounts';

const clock = scheduleClock(() => 0);

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** One run of a scenario, moved step by step. The same choices always lead to the same state. */
export class World {
  readonly history: History;
  readonly #item: SharedRow<Row | undefined>;

  constructor(scenario: Scenario, storage: Storage, weakness?: Weakness) {
    this.history = new History(scenario.writers);
    this.#item = new SharedRow(scenario.start, storage, this.history, weakness);
    scenario.writers.forEach((writer, client) => void this.#live(scenario, writer, client));
  }

  async #live({ copies, resolves }: Scenario, writer: Writer, client: number): Promise<void> {
    let current = 0;
    let nonces = 0;
    const random: Random = { unit: () => 0, nonce: () => `${client}-${nonces++}` };
    const accounts = new FencedRepository<Account, 'id'>({
      client: this.#item.client(client, () => current, copies),
      clock,
      random,
      tableName: TABLE,
      key: ['id'],
      resource: () => 'r',
    });
    const lease: Fence = attachSession(
      { resource: 'r', token: fencingToken(writer.token), holder: writer.holder },
      { kind: 'lease' },
    );
    for (const operation of writer.program) {
      if (operation === 'overwrite' && !this.history.hasClaimed(client)) return;
      const result = await settled(operations[operation](accounts, lease), resolves);
      this.history.ended(client, current, result);
      current += 1;
    }
  }

  /** Lets every client go on until it waits for the network. */
  async settle(): Promise<void> {
    await nextTurn();
  }

  choices(): readonly Choice[] {
    return this.#item.choices();
  }

  take(choice: Choice): Promise<string> {
    return this.#item.take(choice);
  }

  /** Equal for states from which everything goes on alike: the row, what is on its way, and what each client has heard. */
  get key(): string {
    return JSON.stringify([this.#item.key, this.history.key]);
  }
}
