import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { accountsTable, leasesTable } from '../../examples/demo/accounts.ts';
import type { Outcome, Withdrawal } from '../../examples/demo/messages.ts';
import { type Desk, withdraw } from '../../examples/demo/withdraw.ts';
import { dynamoTokenSource, LeaseManager } from '../../src/index.ts';
import {
  type LocalDynamoDB,
  type ManualClock,
  manualClock,
  seededRandom,
  startLocalDynamoDB,
} from '../../src/testing/index.ts';
import { type StillTime, stillTime } from '../support/still-time.ts';

export const TTL_MS = 5_000;

/** How long each request takes. */
export const REQUEST_MS = 3;

/** When it begins, in ms since the epoch. */
export const startMs = Date.UTC(2026, 0, 2, 3, 4, 5);

/** How both withdrawals went, and the second try of the one that came too late. */
export interface Incident {
  readonly a: Omit<Outcome, 'log'>;
  readonly b: Omit<Outcome, 'log'>;
  readonly again: Omit<Outcome, 'log'>;
  readonly balance: string | undefined;
}

/**
 * The second story of the demo in one process: A is stopped between reading and writing, for longer than its lease; B
 * withdraws meanwhile; A goes on, is refused, and starts over. Every run of it is the same, to the millisecond.
 */
export async function playIncident(): Promise<Incident> {
  await using db = await startLocalDynamoDB();
  await db.createTable({ tableName: leasesTable, partitionKey: 'resource' });
  await db.createTable({ tableName: accountsTable, partitionKey: 'id' });
  // As an earlier holder left it.
  const fence = { _fence: { N: '40' }, _fenceHolder: { S: 'Z/1' }, _fenceSeq: { N: '1' } };
  const Item = { id: { S: 'a1' }, balance: { N: '100' }, ...fence, _fenceVersion: { S: '40.1.Z/1' } };
  await db.client().send(new PutItemCommand({ TableName: accountsTable, Item }));

  const desks = { a: desk(db, 'A', 1), b: desk(db, 'B', 2) };
  const withdrawal = (amount: number): Withdrawal => ({ id: 'a1', amount, fenced: true, reading: 'claim' });

  let isStopped = () => {};
  let goOn = () => {};
  const stopped = new Promise<void>((resolve) => {
    isStopped = resolve;
  });
  const outcomeOfA = withdraw(desks.a.desk, withdrawal(30), () => {
    isStopped();
    return new Promise((resolve) => {
      goOn = resolve;
    });
  });
  await stopped;

  desks.b.clock.freeze(desks.a.clock.now() - startMs);
  const outcomeOfB = withdraw(desks.b.desk, withdrawal(50), async () => undefined);
  const b = await desks.b.passing(desks.b.clock, outcomeOfB);

  desks.a.clock.freeze(desks.b.clock.now() - desks.a.clock.now() + 20);
  await desks.a.clock.advance(0);
  goOn();
  const a = await outcomeOfA;
  await desks.a.clock.advance(10);
  const again = await withdraw(desks.a.desk, withdrawal(30), async () => undefined);
  const Key = { id: { S: 'a1' } };
  const stored = await db.client().send(new GetItemCommand({ TableName: accountsTable, Key }));
  return { a, b, again, balance: stored.Item?.balance?.N };
}

/** A desk with a clock of its own, on which each of its requests takes some time. */
interface TimedDesk extends Pick<StillTime, 'passing'> {
  readonly desk: Desk;
  readonly clock: ManualClock;
}

function desk(db: LocalDynamoDB, holder: string, seed: number): TimedDesk {
  const [clock, random] = [manualClock(startMs), seededRandom(seed)];
  const { handler: requestHandler, passing } = stillTime(db.handler, () => clock.freeze(REQUEST_MS));
  const client = db.client({ requestHandler });
  const source = dynamoTokenSource({ client, tableName: leasesTable, clock, random });
  const leases = new LeaseManager({ source, ttlMs: TTL_MS, holder, clock, random });
  return { desk: { client, clock, leases }, clock, passing };
}
