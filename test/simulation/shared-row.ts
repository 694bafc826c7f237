import type { DynamoDBClientLike } from '../../src/dynamo/client.ts';
import type { Input, Op } from './ask.ts';
import { connectionReset, type Message, Network } from './network.ts';
import type { Step } from './storage.ts';
import type { WeakRequest } from './weaken.ts';

/** Something that may happen to a message next. */
export interface Choice {
  readonly message: number;
  /** Its copy is executed now, and answered if anybody still waits for it; or the wait for it ends. */
  readonly event: 'execute' | 'time out';
}

/** Who is told of what happens to the messages. */
export interface Witness<State> {
  heard(client: number, what: string): void;
  timedOut(client: number, what: string): void;
  accepted(message: Message, before: State, after: State): void;
}

/** What executes requests: see `Storage`. */
export interface Executor<State> {
  execute(
    row: State,
    op: Op,
    input: Input,
  ): Promise<{ readonly row: State; readonly answer: Step['answer'] }>;
}

/** Turns a request into what a weaker protocol would have sent. */
export type Weakening<State> = (op: Op, input: Input, row: State) => WeakRequest;

/** What the storage keeps, one row or several, and the messages of all clients on their way to it. */
export class SharedRow<State> {
  readonly #network = new Network();
  readonly #storage: Executor<State>;
  readonly #weakness: Weakening<State> | undefined;
  readonly #witness: Witness<State>;
  #row: State;

  constructor(
    start: State,
    storage: Executor<State>,
    witness: Witness<State>,
    weakness: Weakening<State> | undefined,
  ) {
    this.#row = start;
    this.#storage = storage;
    this.#witness = witness;
    this.#weakness = weakness;
  }

  client(client: number, operation: () => number, maxAttempts: number): DynamoDBClientLike {
    return this.#network.client(client, operation, maxAttempts);
  }

  choices(): readonly Choice[] {
    return this.#network.messages.flatMap((message, index): Choice[] => {
      const executes: Choice = { message: index, event: 'execute' };
      const waits = message.reply !== undefined && message.op !== 'GetItem';
      return waits ? [executes, { message: index, event: 'time out' }] : [executes];
    });
  }

  /** @returns what happened, in words. */
  async take({ message: index, event }: Choice): Promise<string> {
    const message = this.#network.messages[index];
    if (message === undefined) throw new Error(`there is no message ${index}`);
    const { client, operation, copy, reply } = message;
    const name = `${client}.${operation} copy ${copy} ${message.op}`;
    message.reply = undefined;
    if (event === 'time out') {
      this.#witness.timedOut(client, `${operation}.${copy} timed out`);
      reply?.failed(connectionReset());
      return `${name} times out`;
    }
    this.#network.messages.splice(index, 1);
    const { op, input } = this.#weakness?.(message.op, message.input, this.#row) ?? message;
    const { row, answer } = await this.#storage.execute(this.#row, op, input);
    const accepted = 'output' in answer;
    if (accepted && op !== 'GetItem') this.#witness.accepted(message, this.#row, row);
    this.#row = row;
    if (reply !== undefined) {
      const heard = accepted ? answer.output : { ...answer.error, name: answer.error.name };
      this.#witness.heard(client, `${operation}.${copy} ${JSON.stringify({ ...heard, $metadata: 0 })}`);
      if (accepted) reply.done(answer.output);
      else reply.failed(answer.error);
    }
    return `${name} is ${accepted ? 'accepted' : 'refused'}${reply === undefined ? ', late' : ''}: ${JSON.stringify(row)}`;
  }

  /** The row and what is on its way to it. */
  get key(): unknown {
    const onTheWay = this.#network.messages
      .map(
        ({ client, operation, copy, op, reply }) =>
          `${client}.${operation}.${copy}${op}${reply === undefined ? '' : '?'}`,
      )
      .sort();
    return [this.#row, onTheWay];
  }
}
