import type { Clock } from '../../src/fence/clock.ts';
import { isOutcomeUnknown } from '../../src/fence/errors.ts';
import { attachSession, type Fence } from '../../src/fence/fence.ts';
import type { Random } from '../../src/fence/random.ts';
import { fencingToken } from '../../src/fence/token.ts';
import { FencedRepository } from '../../src/repository/fenced-repository.ts';
import { History } from './history.ts';
import { connectionReset, type Message, Network } from './network.ts';
import { type Account, type Operation, operations } from './operations.ts';
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

/** Something that may happen next. */
export interface Choice {
  readonly message: number;
  /** Its copy is executed now, and answered if anybody still waits for it; or the wait for it ends. */
  readonly event: 'execute' | 'time out';
}

export const TABLE = 'accounts';

// Backoffs end at once and deadlines never: the schedule alone says what comes first.
const clock: Clock = {
  now: () => 0,
  elapsed: () => 0,
  after(delayMs, callback) {
    let cancelled = false;
    if (delayMs < 10_000) queueMicrotask(() => cancelled || callback());
    return () => {
      cancelled = true;
    };
  },
};

/** What a caller ends up with: a result, or an error as a value. */
async function settled(call: Promise<unknown>, resolves: boolean): Promise<unknown> {
  try {
    return await call.catch((error: unknown) => {
      if (resolves && isOutcomeUnknown(error)) return error.resolve();
      throw error;
    });
  } catch (error) {
    return error;
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** One run of a scenario, moved step by step. The same choices always lead to the same state. */
export class World {
  readonly history: History;
  readonly #storage: Storage;
  readonly #weakness: Weakness | undefined;
  readonly #network = new Network();
  #row: Row | undefined;

  constructor(scenario: Scenario, storage: Storage, weakness?: Weakness) {
    this.#storage = storage;
    this.#weakness = weakness;
    this.#row = scenario.start;
    this.history = new History(scenario.writers);
    scenario.writers.forEach((writer, client) => void this.#live(scenario, writer, client));
  }

  async #live({ copies, resolves }: Scenario, writer: Writer, client: number): Promise<void> {
    let current = 0;
    let nonces = 0;
    const random: Random = { unit: () => 0, nonce: () => `${client}-${nonces++}` };
    const accounts = new FencedRepository<Account, 'id'>({
      client: this.#network.client(client, () => current, copies),
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
    return this.#network.messages.flatMap((message, index): Choice[] => {
      const executes: Choice = { message: index, event: 'execute' };
      const waits = message.reply !== undefined && message.op !== 'GetItem';
      return waits ? [executes, { message: index, event: 'time out' }] : [executes];
    });
  }

  async take({ message: index, event }: Choice): Promise<string> {
    const message = this.#network.messages[index] as Message;
    const name = `${message.client}.${message.operation} copy ${message.copy} ${message.op}`;
    const { reply } = message;
    message.reply = undefined;
    if (event === 'time out') {
      this.history.timedOut(message.client, `${message.operation}.${message.copy} timed out`);
      reply?.failed(connectionReset());
      return `${name} times out`;
    }
    this.#network.messages.splice(index, 1);
    const { op, input } = this.#weakness?.(message.op, message.input, this.#row) ?? message;
    const { row, answer } = await this.#storage.execute(this.#row, op, input);
    const accepted = 'output' in answer;
    if (accepted && op !== 'GetItem') this.history.accepted(message, this.#row, row);
    this.#row = row;
    if (reply !== undefined) {
      const heard = accepted ? answer.output : { ...answer.error, name: answer.error.name };
      this.history.heard(
        message.client,
        `${message.operation}.${message.copy} ${JSON.stringify({ ...heard, $metadata: 0 })}`,
      );
      if (accepted) reply.done(answer.output);
      else reply.failed(answer.error);
    }
    return `${name} is ${accepted ? 'accepted' : 'refused'}${reply === undefined ? ', late' : ''}: ${JSON.stringify(row)}`;
  }

  /** Equal for states from which everything goes on alike: the row, what is on its way, and what each client has heard. */
  get key(): string {
    const onTheWay = this.#network.messages
      .map(
        ({ client, operation, copy, op, reply }) =>
          `${client}.${operation}.${copy}${op}${reply === undefined ? '' : '?'}`,
      )
      .sort();
    return JSON.stringify([this.#row, onTheWay, this.history.key]);
  }
}
