import { add, gte } from '../../src/expressions.ts';
import { attachSession, type Fence } from '../../src/fence/fence.ts';
import { fencingToken } from '../../src/fence/token.ts';
import { FencedRepository } from '../../src/repository/fenced-repository.ts';
import { transact } from '../../src/transaction/transact.ts';
import type { Account } from './operations.ts';
import { PAIRS, type PairStorage, type RowPair } from './row-pair.ts';
import { scheduleClock } from './schedule-clock.ts';
import { settled } from './settled.ts';
import { type Choice, SharedRow, type Weakening } from './shared-row.ts';
import { TransferHistory } from './transfer-history.ts';

/** `transfer` moves 1 from a to b in a transaction; the others are single writes of b. */
export type TransferOperation = 'transfer' | 'put' | 'claim';

/** Who does what, holders of tokens 1, 2, 3. */
export interface TransferScenario {
  readonly start: RowPair;
  readonly programs: readonly (readonly TransferOperation[])[];
  readonly resolves: boolean;
}

type Accounts = FencedRepository<Account, 'id'>;

const clock = scheduleClock(() => 0);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** One run of a scenario with transactions, moved step by step. The same choices always lead to the same state. */
export class TransferWorld {
  readonly history: TransferHistory;
  readonly #rows: SharedRow<RowPair>;

  constructor(scenario: TransferScenario, storage: PairStorage, weakness?: Weakening<RowPair>) {
    this.history = new TransferHistory(scenario.programs);
    this.#rows = new SharedRow<RowPair>(scenario.start, storage, this.history, weakness);
    scenario.programs.forEach((_, client) => void this.#live(scenario, client));
  }

  async #live({ programs, resolves }: TransferScenario, client: number): Promise<void> {
    let current = 0;
    let nonces = 0;
    const accounts: Accounts = new FencedRepository<Account, 'id'>({
      client: this.#rows.client(client, () => current, 2),
      clock,
      random: { unit: () => 0, nonce: () => `${client}-${nonces++}` },
      tableName: PAIRS,
      key: ['id'],
      resource: () => 'r',
    });
    const lease: Fence = attachSession(
      { resource: 'r', token: fencingToken(client + 1), holder: 'abc'[client] as string },
      { kind: 'lease' },
    );
    for (const operation of programs[client] ?? []) {
      const result = await settled(perform(operation, accounts, lease), resolves);
      this.history.ended(client, current, result);
      current += 1;
    }
  }

  async settle(): Promise<void> {
    await nextTurn();
  }

  choices(): readonly Choice[] {
    return this.#rows.choices();
  }

  take(choice: Choice): Promise<string> {
    return this.#rows.take(choice);
  }

  get key(): string {
    return JSON.stringify([this.#rows.key, this.history.key]);
  }
}

function perform(operation: TransferOperation, accounts: Accounts, lease: Fence): Promise<unknown> {
  switch (operation) {
    case 'transfer':
      return transact({
        debit: accounts.plan.update(lease, { id: 'a' }, { balance: add(-1) }, { when: { balance: gte(1) } }),
        credit: accounts.plan.update(lease, { id: 'b' }, { balance: add(1) }, { upsert: true }),
      });
    case 'put':
      return accounts.put(lease, { id: 'b', balance: 5 });
    case 'claim':
      return accounts.claim(lease, { id: 'b' });
  }
}
