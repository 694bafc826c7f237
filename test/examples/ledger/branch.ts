import { definitions } from '../../../examples/ledger/definitions.ts';
import { Ledger, type LedgerOptions } from '../../../examples/ledger/ledger.ts';
import type { Entry } from '../../../examples/ledger/records.ts';
import type { TransferResult } from '../../../examples/ledger/transfer-result.ts';
import type { EngineUnderTest } from '../../engines/describe-each-engine.ts';
import { type ExampleWorld, exampleWorld } from '../../support/example-world.ts';

export const TTL_MS = 1_000;

/** The ledger on an engine, and several processes of it. */
export interface Branch extends ExampleWorld<keyof typeof definitions> {
  /** A process with the ledger. */
  process(name: string, options?: Partial<LedgerOptions>): Ledger;
  /** Opens an account and puts money in: from `till`, which has endless credit. */
  deposit(account: string, amount: number, currency?: string): Promise<void>;
  balance(account: string): Promise<number | undefined>;
}

export async function branch(engine: EngineUnderTest): Promise<Branch> {
  const world = await exampleWorld(engine, definitions);
  const { client, clock, names: tableNames } = world;
  const process: Branch['process'] = (holder, options = {}) =>
    new Ledger({ client, tableNames, leases: world.leases(holder, TTL_MS), waitMs: 0, clock, ...options });
  const cashier = process('cashier');
  let deposits = 0;
  return {
    ...world,
    process,
    async deposit(account, amount, currency = 'EUR') {
      const till = `till-${currency}`;
      await cashier.open({ id: till, currency, limit: -Number.MAX_SAFE_INTEGER });
      const opened = await cashier.open({ id: account, currency });
      if (!opened.ok) throw new Error(`not opened: ${opened.reason}`);
      deposits++;
      if (amount > 0) moved(await cashier.transfer(till, account, amount, `deposit-${deposits}`));
    },
    balance: async (id) => (await cashier.tables.accounts.get({ id }))?.item.balance,
  };
}

/** The entry of an answer that must be one. */
export function moved(result: TransferResult): Entry {
  if (result.ok) return result.entry;
  throw new Error(`refused: ${result.reason}`);
}
