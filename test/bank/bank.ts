import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { definitions } from '../../examples/ledger/definitions.ts';
import type { Ledger } from '../../examples/ledger/ledger.ts';
import type { TableNames } from '../../examples/ledger/tables.ts';
import type { RunningEngine } from '../engines/engines.ts';
import { ledgerOf, tryOut } from './ledger-of.ts';
import type { Order } from './messages.ts';
import type { Plan } from './plan.ts';

/** Where all money comes from. */
export const till = 'till';

export const TTL_MS = 500;

export const tableNames: TableNames = {
  leases: 'leases',
  accounts: 'accounts',
  entries: 'entries',
  lines: 'lines',
};

/** The bank as its head office sees it: a process with a ledger, whose wire is sound. */
export interface Bank {
  readonly client: DynamoDBClient;
  readonly tableNames: TableNames;
  readonly ledger: Ledger;
  /** Carries a transfer out, however often it has to be tried. Resolves with whether it was done before. */
  move(order: Order): Promise<boolean>;
}

/** Opens the accounts of a plan, on an engine that is empty. */
export async function openBank(engine: RunningEngine, { opening }: Plan): Promise<Bank> {
  for (const name of Object.keys(definitions) as (keyof typeof definitions)[]) {
    await engine.createTable({ ...definitions[name], tableName: tableNames[name] });
  }
  const client = engine.client();
  const ledger = ledgerOf(client, { name: 'office', tableNames, ttlMs: TTL_MS });
  const move: Bank['move'] = async (order) => {
    for (let tries = 1; ; tries++) {
      const answer = await tryOut(ledger, order);
      if (answer.is === 'moved') return answer.replayed;
      if (tries === MOST_TRIES) throw new Error(`the office cannot carry out ${order.key}: ${shown(answer)}`);
    }
  };
  await ledger.open({ id: till, currency: 'EUR', limit: -Number.MAX_SAFE_INTEGER });
  for (const [to, amount] of Object.entries(opening)) {
    await ledger.open({ id: to, currency: 'EUR' });
    await move({ key: `opening-${to}`, from: till, to, amount });
  }
  return { client, tableNames, ledger, move };
}

/** How often somebody who was refused for now is tried again, before something must be wrong. */
export const MOST_TRIES = 50;

const shown = (answer: object) => JSON.stringify(answer);
