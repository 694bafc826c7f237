// What the events cost while nobody listens, beside a write: `npm run bench`. Ends with exit code 1 where that is more than 1 %.
import { FencedRepository, LeaseManager, memoryTokenSource, unwrap } from 'dynamodb-fenced';
import { subscribe } from 'dynamodb-fenced/observe';
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';
import { isHeard, publish } from '../src/fence/channel.ts';

const rounds = 31;
const asksPerRound = 200_000;
const writesPerRound = 20;
const mostPercent = 1;

await using db = await startLocalDynamoDB();
await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
const leases = new LeaseManager({ source: memoryTokenSource(), ttlMs: 3_600_000 });
const accounts = new FencedRepository<{ id: string; balance: number }, 'id'>({
  client: db.client(),
  tableName: 'accounts',
  key: ['id'],
  resource: ({ id }) => `account/${id}`,
});
const lease = unwrap(await leases.acquire('account/a1')).lease;
const write = async () => unwrap(await accounts.put(lease, { id: 'a1', balance: 100 }));

// How many events a write tells, by listening to one.
let told = 0;
const subscription = subscribe(() => told++);
await write();
subscription.stop();

const [eventsNs, writesNs] = [[] as number[], [] as number[]];
for (let round = 0; round < rounds; round++) {
  eventsNs.push(await perRun(asksPerRound, unheard));
  writesNs.push(await perRun(writesPerRound, write));
}
const [eventNs, writeNs] = [median(eventsNs), median(writesNs)];
const percent = (100 * told * eventNs) / writeNs;
console.log(`an event that nobody hears: ${eventNs.toFixed(2)} ns`);
console.log(`events of a write:          ${told}`);
console.log(`a write, local engine:      ${(writeNs / 1e3).toFixed(1)} µs`);
console.log(`share of the events:        ${percent.toFixed(5)} % (at most ${mostPercent} %)`);
if (told === 0 || percent > mostPercent) process.exitCode = 1;

/** What a call does for an event while nobody listens. */
function unheard(): void {
  if (isHeard()) publish({} as never);
}

/** In ns: the median of the rounds is taken, so one of them may be disturbed. */
async function perRun(times: number, work: () => unknown): Promise<number> {
  const start = process.hrtime.bigint();
  for (let run = 0; run < times; run++) {
    const done = work();
    if (done instanceof Promise) await done;
  }
  return Number(process.hrtime.bigint() - start) / times;
}

function median(values: readonly number[]): number {
  return [...values].sort((x, y) => x - y)[Math.floor(values.length / 2)] ?? Number.NaN;
}
