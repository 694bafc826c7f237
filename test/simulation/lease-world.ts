import { fence } from '../../src/fence/fence.ts';
import type { Random } from '../../src/fence/random.ts';
import type { Lease } from '../../src/lease/lease.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { type DynamoTokenSource, dynamoTokenSource } from '../../src/lease/sources/dynamo.ts';
import { LeaseHistory } from './lease-history.ts';
import { scheduleClock } from './schedule-clock.ts';
import { type Choice, SharedRow } from './shared-row.ts';
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

export type LeaseChoice = Choice | { readonly client: number; readonly event: 'tick' };

export const LEASES = 'leases';
export const TTL_MS = 20_000;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** One run of a lease scenario, moved step by step. The same choices always lead to the same state. */
export class LeaseWorld {
  readonly history: LeaseHistory;
  readonly #leaseRow: SharedRow<Row | undefined>;
  readonly #nowMs: number[];
  readonly #ticks: number[];

  constructor(scenario: LeaseScenario, storage: Storage, weakness?: Weakness) {
    this.history = new LeaseHistory(scenario.programs, scenario.start);
    this.#leaseRow = new SharedRow(scenario.start, storage, this.history, weakness);
    this.#nowMs = scenario.programs.map((_, n) => (1 + (scenario.ahead?.[n] ?? 0)) * TTL_MS);
    this.#ticks = scenario.programs.map(() => scenario.ticks);
    scenario.programs.forEach((program, client) => void this.#live(scenario.copies, program, client));
  }

  async #live(copies: number, program: readonly LeaseOperation[], client: number): Promise<void> {
    let current = 0;
    let nonces = 0;
    const now = () => this.#nowMs[client] as number;
    const clock = scheduleClock(now);
    const random: Random = { unit: () => 0, nonce: () => `${client}-${nonces++}` };
    const wire = { client: this.#leaseRow.client(client, () => current, copies), clock, random };
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
    const ofMessages = this.#leaseRow.choices();
    const ofClocks = this.#ticks.flatMap((left, client): LeaseChoice[] =>
      left > 0 ? [{ client, event: 'tick' }] : [],
    );
    // Time that passes when nothing is on its way changes nothing any more.
    return ofMessages.length > 0 ? [...ofMessages, ...ofClocks] : [];
  }

  async take(choice: LeaseChoice): Promise<string> {
    if (choice.event !== 'tick') return this.#leaseRow.take(choice);
    this.#nowMs[choice.client] = (this.#nowMs[choice.client] as number) + TTL_MS;
    this.#ticks[choice.client] = (this.#ticks[choice.client] as number) - 1;
    this.history.heard(choice.client, 'tick');
    return `the clock of ${choice.client} goes forth`;
  }

  get key(): string {
    return JSON.stringify([this.#leaseRow.key, this.#nowMs, this.history.key]);
  }
}
