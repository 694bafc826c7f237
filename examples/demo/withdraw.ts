import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Clock, type LeaseManager, unwrap } from 'dynamodb-fenced';
import { resourceOf } from './accounts.ts';
import { fencedTeller } from './fenced-teller.ts';
import type { Outcome, Withdrawal } from './messages.ts';
import { plainTeller } from './plain-teller.ts';

/** How long a holder waits for the other one's lease to end. */
const waitMs = 10_000;

/** What a holder works with. */
export interface Desk {
  readonly client: DynamoDBClient;
  readonly leases: LeaseManager;
  /** Time; default the system's. */
  readonly clock?: Clock;
}

/**
 * The program that both processes run. It does what the textbook says: one holder at a time, by a lease.
 *
 * @param beforeWrite the moment between reading and writing, where a process may be stopped.
 */
export async function withdraw(
  { leases, ...bank }: Desk,
  { id, amount, fenced, reading }: Withdrawal,
  beforeWrite: () => Promise<void>,
): Promise<Omit<Outcome, 'log'>> {
  await using lease = unwrap(await leases.acquire(resourceOf({ id }), { waitMs })).lease;
  const { token, holder } = lease;
  const teller = fenced ? fencedTeller(bank, id, lease, reading) : plainTeller(bank.client, id);
  const read = await teller.read();
  unwrap(await lease.renew());

  await beforeWrite();

  const wrote = read - amount;
  const answer = await teller.write(wrote);
  return { amount, token, holder, read, wrote, answer };
}
