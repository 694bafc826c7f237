import type { RunningEngine } from '../../engines/engines.ts';
import { type Banks, openBanks } from './bank.ts';
import { bookingCosts } from './booking-steps.ts';
import { newCustomer } from './customer.ts';
import { itemSteps, type SizedStep } from './item-steps.ts';
import { leaseSteps } from './lease-steps.ts';
import { ledgerCosts } from './ledger-steps.ts';
import type { Cost } from './meter.ts';
import { transactionSteps } from './transaction-steps.ts';
import { hiddenBytes } from './units.ts';

/** The sizes of the accounts, in bytes, without what the library adds. */
export const sizes = { '½ KB': 512, '1 KB': 1024, '5 KB': 5120 } as const;

/** A step that was measured with accounts of each size. */
export interface SizedCost {
  /** In the order of the sizes. */
  readonly costs: readonly Cost[];
  /** What the stored account has of the library afterwards. */
  readonly hiddenBytes: number;
}

/** What every step costs on one engine, by its name. */
export interface Costs {
  readonly items: Readonly<Record<string, SizedCost>>;
  readonly transactions: Readonly<Record<string, SizedCost>>;
  readonly leases: Readonly<Record<string, Cost>>;
}

/** Runs every step on an engine that is empty. */
export async function measureCosts(engine: RunningEngine): Promise<Costs> {
  const banks = await openBanks(engine);
  const leases: Record<string, Cost> = {};
  for (const [name, prepare] of Object.entries(leaseSteps)) {
    const work = await prepare(banks, banks.newBank());
    leases[name] = await banks.meter.costOf(work);
  }
  return {
    items: await measureSized(banks, itemSteps),
    transactions: await measureSized(banks, transactionSteps),
    leases: { ...leases, ...(await ledgerCosts(engine, banks)), ...(await bookingCosts(engine, banks)) },
  };
}

async function measureSized(banks: Banks, steps: Readonly<Record<string, SizedStep>>) {
  const measured: Record<string, SizedCost> = {};
  for (const [name, prepare] of Object.entries(steps)) {
    const costs: Cost[] = [];
    const hidden = new Set<number>();
    for (const size of Object.values(sizes)) {
      const customer = await newCustomer(banks, size);
      const work = await prepare(customer);
      costs.push(await banks.meter.costOf(work));
      hidden.add(hiddenBytes(await banks.stored('accounts', customer.storedKey)));
    }
    const [bytes = 0, ...others] = hidden;
    if (others.length > 0) throw new Error(`${name}: the hidden attributes grow with the item`);
    measured[name] = { costs, hiddenBytes: bytes };
  }
  return measured;
}
