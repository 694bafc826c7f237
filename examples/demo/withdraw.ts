import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type LeaseManager, unwrap } from 'dynamodb-fenced';
import { resourceOf } from './accounts.ts';
import { fencedTeller } from './fenced-teller.ts';
import type { LogEvent, Outcome, Withdrawal } from './messages.ts';
import { plainTeller } from './plain-teller.ts';

/** How long a holder waits for the other one's lease to end. */
const waitMs = 10_000;

/**
 * The program that both processes run. It does what the textbook says: one holder at a time, by a lease.
 *
 * @param beforeWrite the moment between reading and writing, where a process may be stopped.
 */
export async function withdraw(
  client: DynamoDBClient,
  leases: LeaseManager,
  { id, amount, fenced, reading }: Withdrawal,
  beforeWrite: () => Promise<void>,
): Promise<Outcome> {
  const resource = resourceOf({ id });
  await using lease = unwrap(await leases.acquire(resource, { waitMs })).lease;
  const { token, holder } = lease;
  const events: LogEvent[] = [];
  const log = (event: LogEvent['event'], details: LogEvent['details'] = {}) => {
    events.push({
      atMs: performance.timeOrigin + performance.now(),
      event,
      resource,
      token,
      holder,
      details,
    });
  };
  log('acquire');

  const teller = fenced ? fencedTeller(client, id, lease, reading) : plainTeller(client, id);
  const read = await teller.read();
  log(teller.reading === 'claim' ? 'claim' : 'read', { balance: read });
  const { expiresAtMs } = unwrap(await lease.renew());
  log('renew', { expiresAt: new Date(expiresAtMs).toISOString() });

  await beforeWrite();

  const wrote = read - amount;
  const answer = await teller.write(wrote);
  if (answer.accepted) log('write', { balance: wrote });
  else {
    const { accepted: _, ...why } = answer;
    log('reject', { balance: wrote, ...why });
  }
  await lease.release();
  if (answer.accepted) log('release');
  return { amount, token, holder, read, wrote, answer, events };
}
