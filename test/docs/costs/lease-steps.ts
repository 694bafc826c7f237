import { transact, unwrap } from '../../../src/index.ts';
import { type Banks, leaseOf } from './bank.ts';

/** Prepares a step of a lease, and gives the part of it that is measured. */
type LeaseStep = (banks: Banks, bank: string) => Promise<() => Promise<unknown>>;

/** What is done to a lease. */
export const leaseSteps: Readonly<Record<string, LeaseStep>> = {
  '`acquire`': async (banks, bank) => () => leaseOf(banks.leases, bank),
  '`acquire`, refused: `held`': async (banks, bank) => {
    await leaseOf(banks.others, bank);
    return async () => {
      if ((await banks.leases.acquire(`bank/${bank}`)).ok) throw new Error('meant to be held');
    };
  },
  '`renew`': async (banks, bank) => {
    const lease = await leaseOf(banks.leases, bank);
    return async () => unwrap(await lease.renew());
  },
  '`release`': async (banks, bank) => {
    const lease = await leaseOf(banks.leases, bank);
    return () => lease.release();
  },
  '`takeOver`': async (banks, bank) => {
    const lease = await leaseOf(banks.leases, bank);
    return async () => unwrap(await banks.others.takeOver(lease));
  },
  '`inspect`': async (banks, bank) => {
    await leaseOf(banks.leases, bank);
    return () => banks.leases.inspect(`bank/${bank}`);
  },
  '`leases.check` alone in a transaction': async (banks, bank) => {
    const lease = await leaseOf(banks.leases, bank);
    return async () => unwrap(await transact([banks.leases.check(lease)]));
  },
};
