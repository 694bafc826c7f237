import type { DynamoDBClientLike } from '../../src/dynamo/client.ts';
import type { Input } from '../simulation/ask.ts';
import { connectionReset, type Message, Network } from '../simulation/network.ts';
import { starts } from '../simulation/scenarios.ts';
import type { Row } from '../simulation/storage.ts';
import type { Call } from './call.ts';
import type { Delivery, Event, Schedule } from './event.ts';
import { Holder, TTL_MS } from './holder.ts';
import { ProcessClock } from './process-clock.ts';
import { Promises } from './promises.ts';
import { Rows, type Storages } from './rows.ts';

const HALF_TTL_MS = TTL_MS / 2;
const START_MS = 10 * HALF_TTL_MS;
const keys = ['k', 'l'];

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Where a message came from. */
interface Origin {
  readonly holder: Holder;
  readonly of: Call | string;
  /** What its clock showed when it sent the first copy: all copies are the same bytes. */
  readonly proposedAtMs: number;
}

/** One history: holders, what they have sent, and the rows that it reaches. */
export class World {
  readonly promises = new Promises();
  readonly #rows: Rows;
  readonly #network = new Network();
  readonly #origins = new WeakMap<Input, Origin>();
  readonly #holders: readonly Holder[];

  constructor(schedule: Schedule, storages: Storages) {
    const items = keys.map((key, index): [string, Row | undefined] => {
      const start = starts[schedule.starts[index] ?? 'absent'];
      return [key, start && { ...start, id: { S: key } }];
    });
    this.#rows = new Rows(items, storages, this.promises);
    this.#holders = schedule.clocksAhead.map((ahead, n) => {
      const clock = new ProcessClock(START_MS + ahead * HALF_TTL_MS);
      return new Holder('ABCD'[n] as string, clock, {
        promises: this.promises,
        leases: this.#rows.lease,
        client: (holder, of) => this.#client(n, holder, of),
        ended: (call, result) => this.#ended(call, result),
      });
    });
  }

  /** Lets one thing happen, and everybody go on until they wait for the next. */
  async take(event: Event): Promise<void> {
    await this.#happen(event);
    await nextTurn();
  }

  /** Everything that is on its way arrives, in order, and everybody hears of it. */
  async end(): Promise<void> {
    for (const holder of this.#holders) holder.wake();
    await nextTurn();
    for (let message = this.#message(0); message !== undefined; message = this.#message(0)) {
      await this.#deliver(message, 'arrives');
      await nextTurn();
    }
  }

  async #happen(event: Event): Promise<void> {
    switch (event.event) {
      case 'item':
        this.#holder(event.who).work(event.verb, keys[event.key] as string);
        return;
      case 'lease':
        this.#holder(event.who).step(event.verb, this.#holder(event.from).lease);
        return;
      case 'time':
        this.promises.note(() => `${event.halfTtls * HALF_TTL_MS} ms pass`);
        for (const holder of this.#holders) holder.pass(event.halfTtls * HALF_TTL_MS);
        return;
      case 'clock jumps':
        this.#holder(event.who).jump(event.halfTtls * HALF_TTL_MS);
        return;
      case 'pause':
        this.#holder(event.who).pause();
        return;
      case 'wake':
        this.#holder(event.who).wake();
        return;
      case 'row deleted':
        this.#rows.deleteLease();
        return;
      case 'row restored':
        this.#rows.restoreLease(event.back);
        return;
      default: {
        const message = this.#message(event.message);
        if (message !== undefined) await this.#deliver(message, event.event);
      }
    }
  }

  #holder(n: number): Holder {
    return this.#holders[n % this.#holders.length] as Holder;
  }

  #message(n: number): Message | undefined {
    const { messages } = this.#network;
    return messages[n % messages.length];
  }

  #client(n: number, holder: Holder, of: () => Call | string): DynamoDBClientLike {
    const copies = 2;
    return this.#network.client(
      n,
      () => 0,
      copies,
      ({ input }) => {
        if (this.#origins.has(input)) return;
        this.#origins.set(input, { holder, of: of(), proposedAtMs: holder.clock.now() });
      },
    );
  }

  async #deliver(message: Message, how: Delivery): Promise<void> {
    const { messages } = this.#network;
    const { holder, of, proposedAtMs } = this.#origins.get(message.input) as Origin;
    const { reply } = message;
    const name = `${typeof of === 'string' ? of : of.name}, ${message.op} ${message.copy}`;
    if (how !== 'arrives') holder.disturb();
    message.reply = undefined;
    if (how === 'times out') {
      if (reply !== undefined) this.promises.note(() => `  ${name} times out, and goes on`);
      holder.hear(() => reply?.failed(connectionReset()));
      return;
    }
    if (how === 'duplicated' && typeof of !== 'string') of.duplicated = true;
    if (how !== 'duplicated') messages.splice(messages.indexOf(message), 1);
    const note = reply === undefined ? ' late' : how === 'arrives' ? '' : `, ${how}`;
    const answer = await this.#rows.execute(`${name}${note}`, message, of, proposedAtMs);
    holder.hear(() => {
      if (how === 'answer lost') reply?.failed(connectionReset());
      else if ('output' in answer) reply?.done(answer.output);
      else reply?.failed(answer.error);
    });
  }

  #ended(call: Call, result: unknown): void {
    this.#rows.item(call.key).ended(call, result);
    const { reason, token, lastToken } = result as { reason?: string; token?: number; lastToken?: number };
    if (reason === undefined || token === undefined || lastToken === undefined) return;
    this.#rows.lease.refused(call.name, reason, token, lastToken);
  }
}
