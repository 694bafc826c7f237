// How long a lease takes to go from one holder to a waiter, and how many are granted in a second, for each source side by side, in turns so
// that what else the machine does hits all of them: `npm run bench:sources`. With --write it puts the ratios into docs/sources.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { LeaseManager, unwrap } from 'dynamodb-fenced';
import { type Connection, type RunningSource, tabledSources } from '../test/docs/sources/running-sources.ts';
import { root } from './documents.mjs';
import { markdownTable, withGenerated } from './generated.mjs';

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
const handOvers = 15;
const rounds = 8;
const grantsPerRound = 25;
const ttlMs = 10_000;

interface Contestant {
  readonly title: string;
  readonly running: RunningSource;
  readonly holder: Connection;
  readonly waiter: Connection;
  readonly handOverMs: number[];
  readonly grantMs: number[];
}

const contestants: Contestant[] = [];
for (const { title, start } of tabledSources) {
  // Nobody else can wait for what is in one process's memory.
  if (title === 'memory') continue;
  const running = await start();
  const [holder, waiter] = [await running.connect(), await running.connect()];
  contestants.push({ title, running, holder, waiter, handOverMs: [], grantMs: [] });
}
for (const contestant of contestants) await grants(contestant, 5);
for (let turn = 0; turn < handOvers; turn++) {
  for (const contestant of contestants) contestant.handOverMs.push(await handOver(contestant));
}
for (let round = 0; round < rounds; round++) {
  for (const contestant of contestants) contestant.grantMs.push(await grants(contestant, grantsPerRound));
}

const found = contestants.map(({ title, handOverMs, grantMs }) => ({
  title,
  handOverMs: median(handOverMs),
  slowestMs: Math.max(...handOverMs),
  perSecond: 1000 / median(grantMs),
}));
console.table(
  found.map(({ title, handOverMs, slowestMs, perSecond }) => ({
    source: title,
    'hand-over, median ms': round1(handOverMs),
    'hand-over, slowest ms': round1(slowestMs),
    'acquire + release per s': Math.round(perSecond),
  })),
);
if (process.argv.includes('--write')) write();
for (const { running, holder, waiter } of contestants) {
  for (const used of [holder, waiter, running]) await used[Symbol.asyncDispose]();
}

/** From the release to the moment at which the waiter has it, in ms. */
async function handOver({ holder, waiter }: Contestant): Promise<number> {
  const lease = unwrap(await new LeaseManager({ source: holder.source, ttlMs }).acquire('bench')).lease;
  const waiting = new LeaseManager({ source: waiter.source, ttlMs }).acquire('bench', { waitMs: ttlMs });
  await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 200));
  const releasedAt = performance.now();
  await lease.release();
  const next = unwrap(await waiting).lease;
  const tookMs = performance.now() - releasedAt;
  await next.release();
  return tookMs;
}

/** How long one takes, acquired and released again, in ms. */
async function grants({ holder }: Contestant, times: number): Promise<number> {
  const leases = new LeaseManager({ source: holder.source, ttlMs });
  const start = performance.now();
  for (let n = 0; n < times; n++) await unwrap(await leases.acquire('bench')).lease.release();
  return (performance.now() - start) / times;
}

/** The machine is left out: each is compared with Redis, which asks for one request and syncs it. */
function write(): void {
  const redis = found.find(({ title }) => title === 'Redis');
  if (redis === undefined) throw new Error('Redis, which all are compared with, is not there');
  const head = ['compared with Redis', ...found.map(({ title }) => title)];
  const table = markdownTable(head, [
    ['time to hand over', ...found.map(({ handOverMs }) => `${round1(handOverMs / redis.handOverMs)} ×`)],
    [
      'leases per second',
      ...found.map(({ perSecond }) => `${round1((100 * perSecond) / redis.perSecond)} %`),
    ],
  ]);
  const document = `${root}docs/sources.md`;
  writeFileSync(document, withGenerated(readFileSync(document, 'utf8'), 'how fast sources are', table));
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}

function median(values: readonly number[]): number {
  return [...values].sort((x, y) => x - y)[Math.floor(values.length / 2)] ?? Number.NaN;
}
