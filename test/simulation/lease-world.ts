import type { Clock } from '../../src/fence/clock.ts';
import { fence } from '../../src/fence/fence.ts';
import type { Random } from '../../src/fence/random.ts';
import type { Lease } from '../../src/lease/lease.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { type DynamoTokenSource, dynamoTokenSource } from '../../src/lease/sources/dynamo.ts';
import { LeaseHistory } from './lease-history.ts';
import { connectionReset, Network } from './network.ts';
import type { Row, Storage } from './storage.ts';
import type { Weakness } from './weaken.ts';

export type LeaseOperation = 'acquire' | 'renew' | 'release' | 'take over' | 'raise';

/** What is searched: who does what to one lease row. Every manager's clock may go forth on its own. */
export interface LeaseScenario {
  readonly start: Row | undefined;
  readonly programs: readonly (readonly LeaseOperation[])[];
  /** How far each manager's clock is ahead at first, in ttls. */
  readonly ahead?: readonly number[];
  /** How often each clock may go forth by one ttl. */
  readonly ticks: number;
  /** Copies of a request that one call sends. */
  readonly copies: number;
}

export type LeaseChoice =
  | { readonly message: number; readonly event: 'execute' | 'time out' }
  | { readonly client: number; readonly event: 'tick' };

export const LEASES = 'leases';
export const TTL_MS = 20_000;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** One run of a lease scenario, moved step by step. The same choices always lead to the same state. */
export class LeaseWorld {
  readonly history: LeaseHistory;
  readonly #storage: Storage;
  readonly #weakness: Weakness | undefined;
  readonly #network = new Network();
  readonly #nowMs: number[];
  readonly #ticks: number[];
  #row: Row | undefined;

  constructor(scenario: LeaseScenario, storage: Storage, weakness?: Weakness) {
    this.#storage = storage;
    this.#weakness = weakness;
    this.#row = scenario.start;
    this.history = new LeaseHistory(scenario.programs, scenario.start);
    this.#nowMs = scenario.programs.map((_, n) => (1 + (scenario.ahead?.[n] ?? 0)) * TTL_MS);
    this.#ticks = scenario.programs.map(() => scenario.ticks);
    scenario.programs.forEach((program, client) => void this.#live(scenario.copies, program, client));
  }

  async #live(copies: number, program: readonly LeaseOperation[], client: number): Promise<void> {
    let current = 0;
    let nonces = 0;
    const now = () => this.#nowMs[client] as number;
    const clock: Clock = { now, elapsed: now, after: shortTimersOnly };
    const random: Random = { unit: () => 0, nonce: () => `${client}-${nonces++}` };
    const wire = { client: this.#network.client(client, () => current, copies), clock, random };
    const source = dynamoTokenSource({ ...wire, tableName: LEASES });
    const leases = new LeaseManager({ source, ttlMs: TTL_MS, holder: `h${client}`, clock, random });
    let lease: Lease | undefined;
    for (const operation of program) {
      const result = await this.#perform(operation, leases, lease).catch((error: unknown) => error);
      if (typeof result === 'object' && result !== null && 'lease' in result) lease = result.lease as Lease;
      this.history.ended(client, operation, lease, result);
      current += 1;
    }
  }

  async #perform(
    operation: LeaseOperation,
    leases: LeaseManager<DynamoTokenSource>,
    lease: Lease | undefined,
  ) {
    switch (operation) {
      case 'acquire':
        return leases.acquire('r');
      case 'take over':
        // From the grant with which the row began.
        return leases.takeOver(fence('r', this.history.startToken));
      case 'raise':
        return leases.raise('r', { above: this.history.startToken + 10 });
      case 'renew':
        return lease?.renew();
      case 'release':
        return lease?.release();
    }
  }

  async settle(): Promise<void> {
    await nextTurn();
  }

  choices(): readonly LeaseChoice[] {
    const ofMessages = this.#network.messages.flatMap((message, index): LeaseChoice[] => {
      const executes: LeaseChoice = { message: index, event: 'execute' };
      const waits = message.reply !== undefined && message.op !== 'GetItem';
      return waits ? [executes, { message: index, event: 'time out' }] : [executes];
    });
    const ofClocks = this.#ticks.flatMap((left, client): LeaseChoice[] =>
      left > 0 ? [{ client, event: 'tick' }] : [],
    );
    // Time that passes when nothing is on its way changes nothing any more.
    return ofMessages.length > 0 ? [...ofMessages, ...ofClocks] : [];
  }

  async take(choice: LeaseChoice): Promise<string> {
    if (choice.event === 'tick') {
      this.#nowMs[choice.client] = (this.#nowMs[choice.client] as number) + TTL_MS;
      this.#ticks[choice.client] = (this.#ticks[choice.client] as number) - 1;
      this.history.heard(choice.client, 'tick');
      return `the clock of ${choice.client} goes forth`;
    }
    const { messages } = this.#network;
    const message = messages[choice.message];
    if (message === undefined) throw new Error('there is no such message');
    const name = `${message.client}.${message.operation} copy ${message.copy}`;
    const { reply } = message;
    message.reply = undefined;
    if (choice.event === 'time out') {
      this.history.heard(message.client, `${message.copy} timed out`);
      reply?.failed(connectionReset());
      return `${name} times out`;
    }
    messages.splice(choice.message, 1);
    const { op, input } = this.#weakness?.(message.op, message.input, this.#row) ?? message;
    const { row, answer } = await this.#storage.execute(this.#row, op, input);
    const accepted = 'output' in answer;
    if (accepted && op !== 'GetItem') this.history.accepted(message, this.#row, row);
    this.#row = row;
    if (reply !== undefined) {
      this.history.heard(message.client, `${message.copy} ${accepted} ${JSON.stringify(row)}`);
      if (accepted) reply.done(answer.output);
      else reply.failed(answer.error);
    }
    return `${name} is ${accepted ? 'accepted' : 'refused'}${reply === undefined ? ', late' : ''}: ${JSON.stringify(row)}`;
  }

  get key(): string {
    const onTheWay = this.#network.messages
      .map(
        ({ client, operation, copy, op, reply }) =>
          `${client}.${operation}.${copy}${op}${reply === undefined ? '' : '?'}`,
      )
      .sort();
    return JSON.stringify([this.#row, this.#nowMs, onTheWay, this.history.key]);
  }
}

// Pauses between copies end at once; deadlines and the ends of leases are left to the schedule.
function shortTimersOnly(delayMs: number, callback: () => void): () => void {
  let cancelled = false;
  if (delayMs < 10_000) queueMicrotask(() => cancelled || callback());
  return () => {
    cancelled = true;
  };
}
