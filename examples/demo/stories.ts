import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { accountsTable } from './accounts.ts';
import type { HolderProcess } from './holder-process.ts';
import type { Outcome, Withdrawal } from './messages.ts';
import { plainTeller } from './plain-teller.ts';
import type { Story } from './report.ts';

export type Plot = Pick<Story, 'name' | 'fenced' | 'reading' | 'lateWrite'> & {
  /** Whether A, once refused, starts over. */
  readonly startsOver: boolean;
};

/** What the demo plays. */
export const plots: readonly Plot[] = [
  { name: 'plain', fenced: false, reading: 'get', lateWrite: 'after B wrote', startsOver: false },
  { name: 'fenced', fenced: true, reading: 'claim', lateWrite: 'after B wrote', startsOver: true },
  { name: 'gap-get', fenced: true, reading: 'get', lateWrite: 'before B wrote', startsOver: false },
  { name: 'gap-claim', fenced: true, reading: 'claim', lateWrite: 'before B wrote', startsOver: false },
];

export const openingBalance = 100;
const amounts = { a: 30, b: 50 };

/** Who plays, and where. */
export interface Stage {
  readonly a: HolderProcess;
  readonly b: HolderProcess;
  readonly client: DynamoDBClient;
  readonly leaseMs: number;
}

/** Plays a story on an account of its own. */
export async function play({ a, b, client, leaseMs }: Stage, plot: Plot): Promise<Story> {
  const { startsOver, ...rest } = plot;
  const { name: account, fenced, reading, lateWrite } = rest;
  const withdrawal = (amount: number): Withdrawal => ({ id: account, amount, fenced, reading });
  const Item = { id: { S: account }, balance: { N: String(openingBalance) } };
  await client.send(new PutItemCommand({ TableName: accountsTable, Item }));

  await a.begin(withdrawal(amounts.a));
  a.stop();
  const stoppedAt = performance.now();
  let moved = false;
  const outcomeOfA = a.goOn().finally(() => {
    moved = true;
  });
  // It is awaited below; until then a failure must not end the demo as an unhandled rejection.
  outcomeOfA.catch(() => undefined);

  await b.begin(withdrawal(amounts.b));
  const early = lateWrite === 'after B wrote' ? await b.goOn() : undefined;

  await sleep(Math.max(0, leaseMs + 50 - (performance.now() - stoppedAt)));
  const pause = { stoppedMs: Math.round(performance.now() - stoppedAt), moved };
  a.continue();
  const ofA = await outcomeOfA;
  const ofB = early ?? (await b.goOn());
  const again = startsOver ? await startOver(a, withdrawal(amounts.a)) : undefined;

  const outcomes = [ofA, ofB, ...(again === undefined ? [] : [again])];
  return {
    ...rest,
    account,
    ...pause,
    a: ofA,
    b: ofB,
    again,
    balance: {
      before: openingBalance,
      right: openingBalance - paidOut(outcomes),
      after: await plainTeller(client, account).read(),
    },
  };
}

async function startOver(holder: HolderProcess, withdrawal: Withdrawal): Promise<Outcome> {
  await holder.begin(withdrawal);
  return holder.goOn();
}

// A teller hands the money out when the write was accepted, and only then.
function paidOut(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { answer, amount }) => sum + (answer.accepted ? amount : 0), 0);
}
