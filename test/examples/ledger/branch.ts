import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { definitions } from '../../../examples/ledger/definitions.ts';
import { Ledger, type LedgerOptions } from '../../../examples/ledger/ledger.ts';
import type { Entry } from '../../../examples/ledger/records.ts';
import type { TableNames } from '../../../examples/ledger/tables.ts';
import type { TransferResult } from '../../../examples/ledger/transfer-result.ts';
import { dynamoTokenSource, LeaseManager } from '../../../src/index.ts';
import {
  type FaultyHandler,
  faults,
  type ManualClock,
  manualClock,
  type RecordingHandler,
  record,
  seededRandom,
} from '../../../src/testing/index.ts';
import type { EngineUnderTest } from '../../engines/describe-each-engine.ts';
import { stillTime } from '../../support/still-time.ts';
import { type TestTable, testTable } from '../../support/test-table.ts';

export const TTL_MS = 1_000;

type Item = Record<string, AttributeValue>;

/** The ledger on an engine, several processes of it, and the time that all of them live in. */
export interface Branch {
  readonly clock: ManualClock;
  readonly wire: RecordingHandler;
  readonly faults: FaultyHandler;
  readonly names: TableNames;
  /** A process with the ledger. */
  process(name: string, options?: Partial<LedgerOptions>): Ledger;
  /** Opens an account and puts money in: from `till`, which has endless credit. */
  deposit(account: string, amount: number, currency?: string): Promise<void>;
  balance(account: string): Promise<number | undefined>;
  /** Lets time pass whenever the engine has nothing to do, until all is done. */
  until<T>(work: Promise<T>): Promise<T>;
  /** All that is stored, read without the library. */
  stored(table: keyof typeof definitions): Promise<Item[]>;
  /** Stores an item as a writer does that knows of no fences. */
  plant(table: keyof typeof definitions, item: Item): Promise<void>;
}

export async function branch(engine: EngineUnderTest): Promise<Branch> {
  const tables = new Map<string, TestTable>();
  for (const [name, definition] of Object.entries(definitions)) {
    tables.set(name, await testTable(engine, definition));
  }
  const table = (name: string) => tables.get(name) as TestTable;
  const names = Object.fromEntries([...tables].map(([name, { tableName }]) => [name, tableName]));
  const tableNames = names as TableNames;
  const clock = manualClock();
  const { handler, passing } = stillTime(engine.running.handler);
  const faulty = faults(handler, [], { clock });
  const wire = record(faulty);
  const client = engine.client({ requestHandler: wire });
  let seed = 0;
  const process: Branch['process'] = (holder, options = {}) => {
    seed++;
    const source = dynamoTokenSource({ client, tableName: tableNames.leases, clock });
    const leases = new LeaseManager({ source, ttlMs: TTL_MS, holder, clock, random: seededRandom(seed) });
    return new Ledger({ client, tableNames, leases, waitMs: 0, clock, ...options });
  };
  const cashier = process('cashier');
  let deposits = 0;
  return {
    clock,
    wire,
    faults: faulty,
    names: tableNames,
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
    until: (work) => passing(clock, work, 5),
    stored: (name) => table(name).storedItems(),
    plant: (name, item) => table(name).plant(item),
  };
}

/** The entry of an answer that must be one. */
export function moved(result: TransferResult): Entry {
  if (result.ok) return result.entry;
  throw new Error(`refused: ${result.reason}`);
}
