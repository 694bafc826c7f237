import { systemClock } from '../../../src/fence/clock.ts';
import { unwrap } from '../../../src/fence/unwrap.ts';
import { within } from '../../../src/fence/within.ts';
import type { Lease } from '../../../src/lease/lease.ts';
import { LeaseManager } from '../../../src/lease/lease-manager.ts';
import type { CanRaise, TokenSource } from '../../../src/lease/token-source.ts';
import { tokenSourceConformance } from '../../../src/testing/conformance/token-source.ts';
import { manualClock } from '../../../src/testing/manual-clock.ts';
import type { Connection, RunningSource, TabledSource } from './running-sources.ts';

/** What was found out about a source, one answer for each line of the table. */
export type Findings = Readonly<Record<string, string>>;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');
/** Longer than anything here takes. */
const ttlMs = 30_000;

/** Finds out what the table says, on a server of its own. */
export async function measureSource(tabled: TabledSource): Promise<Findings> {
  await using running = await tabled.start();
  return {
    'cases of the conformance suite that pass': await conformance(running, tabled),
    'requests per acquire · renewal · release': await requestsPerStep(running),
    'requests of an acquire that is refused': await requestsOfRefusal(running),
    'a waiter': await wakeUp(running),
    'waiters are served': await order(running),
    'a holder hears of its loss': await loss(running),
    'a grant that is over can be renewed': await lateRenewal(running, tabled),
    'a process whose clock is an hour ahead takes a lease early': await earlyGrant(running),
    'restart with its data': await restart(running, false),
    'restart without its data': await restart(running, true),
    ...(await abilities(running)),
  };
}

/** A process: a connection, and leases of it. */
async function process(running: RunningSource, options?: Parameters<RunningSource['connect']>[0]) {
  const connection = await running.connect(options);
  const leases = new LeaseManager({ source: connection.source, ttlMs });
  return { connection, leases, [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() };
}

async function conformance(
  running: RunningSource,
  { ending, byCallersClock }: TabledSource,
): Promise<string> {
  const opened: Connection[] = [];
  let cases = 0;
  const open = async () => {
    const prefix = `case-${cases++}/`;
    const clock = byCallersClock ? manualClock() : undefined;
    const connection = await running.connect(clock === undefined ? { prefix } : { prefix, clock });
    opened.push(connection);
    const { source } = connection;
    return { source, ...(clock ?? systemClock), advance: clock?.advance ?? sleep };
  };
  const suite = tokenSourceConformance({ ...ending, open });
  const outcomes = await Promise.allSettled(suite.map(({ run }) => run()));
  // Time is real: on a busy machine a grant may end before it is looked at. What fails has to fail alone as well.
  for (const [n, { status }] of outcomes.entries()) {
    if (status === 'rejected') outcomes[n] = (await Promise.allSettled([suite[n]?.run()]))[0];
  }
  for (const connection of opened) await connection[Symbol.asyncDispose]();
  return `${outcomes.filter(({ status }) => status === 'fulfilled').length} of ${suite.length}`;
}

/** Without the leases of a manager, whose watch of a grant would count as well. */
async function requestsPerStep(running: RunningSource): Promise<string> {
  await using connection = await running.connect();
  const { source, requests } = connection;
  const ask = <T>(step: Parameters<typeof within<T>>[2]) => within(systemClock, undefined, step);
  const round = async () => {
    const counts: number[] = [];
    const count = async <T>(step: () => Promise<T>) => {
      const before = requests();
      const answer = await step();
      counts.push(requests() - before);
      return answer;
    };
    const who = { resource: 'steps', holder: 'a' };
    const answer = await count(() =>
      ask((deadline) => source.acquire({ ...who, ttlMs, above: 0 }, deadline)),
    );
    if (answer.is !== 'granted') throw new Error(`it was not granted: ${answer.is}`, { cause: answer });
    const { token } = answer;
    await sleep(10);
    await count(() => ask((deadline) => source.renew({ ...who, token, ttlMs }, deadline)));
    await count(() => ask((deadline) => source.release({ ...who, token }, deadline)));
    return counts.join(' · ');
  };
  // The first one may have to make what all of them use.
  await round();
  return await round();
}

async function requestsOfRefusal(running: RunningSource): Promise<string> {
  await using one = await process(running);
  await using other = await process(running);
  const lease = unwrap(await one.leases.acquire('refused')).lease;
  const before = other.connection.requests();
  await other.leases.acquire('refused');
  const sent = other.connection.requests() - before;
  await lease.release();
  return String(sent);
}

/** Who asks again although nothing has happened polls. */
async function wakeUp(running: RunningSource): Promise<string> {
  await using holder = await process(running);
  await using waiter = await running.connect();
  let asked = 0;
  const leases = new LeaseManager({ source: counting(waiter.source, () => asked++), ttlMs });
  const lease = unwrap(await holder.leases.acquire('wake-up')).lease;
  const waiting = leases.acquire('wake-up', { waitMs: ttlMs });
  await sleep(1_500);
  const polls = asked > 2;
  await lease.release();
  await unwrap(await waiting).lease.release();
  return polls ? 'asks again after a random pause, 1 s at most' : 'is woken by the release';
}

async function order(running: RunningSource): Promise<string> {
  await using holder = await process(running);
  const lease = unwrap(await holder.leases.acquire('order')).lease;
  const served: number[] = [];
  const waiting: Promise<unknown>[] = [];
  for (let n = 0; n < 7; n++) {
    const { leases, connection } = await process(running);
    const use = leases.using('order', { waitMs: 60_000 }, () => served.push(n));
    waiting.push(use.finally(() => connection[Symbol.asyncDispose]()));
    await sleep(150);
  }
  await lease.release();
  await Promise.all(waiting);
  return served.every((n, place) => n === place) ? 'in the order of their coming' : 'in any order';
}

async function loss(running: RunningSource): Promise<string> {
  await using holder = await process(running);
  await using operator = await process(running);
  const lease = unwrap(await holder.leases.acquire('loss')).lease;
  await sleep(100);
  await raise(operator.leases, 'loss');
  for (let waited = 0; waited < 1_500 && !lease.signal.aborted; waited += 10) await sleep(10);
  return lease.signal.aborted ? 'at once' : 'when it asks or writes';
}

async function raise(leases: LeaseManager, resource: string): Promise<void> {
  await (leases as LeaseManager<TokenSource & CanRaise>).raise(resource, { above: 0 });
}

async function lateRenewal(running: RunningSource, { ending }: TabledSource): Promise<string> {
  await using connection = await running.connect();
  const leases = new LeaseManager({ source: connection.source, ttlMs: ending.ttlMs });
  const lease = unwrap(await leases.acquire('late')).lease;
  await sleep(ending.ttlMs + ending.endsLateMs + 100);
  const renewed = await lease.renew();
  await lease.release();
  return renewed.ok ? 'while nobody took it' : 'no: `lost`';
}

async function earlyGrant(running: RunningSource): Promise<string> {
  await using holder = await process(running);
  const lease = unwrap(await holder.leases.acquire('early')).lease;
  await using early = await process(running, { aheadMs: 3_600_000 });
  const granted = await early.leases.acquire('early');
  // For those whose clock is shared.
  await using _ = await running.connect({ aheadMs: 0 });
  if (granted.ok) await granted.lease.release();
  else await lease.release();
  return yesOrNo(granted.ok);
}

async function restart(running: RunningSource, withoutData: boolean): Promise<string> {
  if (running.restart === undefined) return '–';
  const resource = `restart-${withoutData}`;
  await using holder = await process(running);
  const before = await lastOfSome(holder.leases, resource);
  await running.restart({ withoutData });
  await using after = await process(running);
  const met = await answered(() => after.leases.acquire(resource, { timeoutMs: 60_000 }));
  const stays = !met.ok;
  const next = met.ok ? met.lease : undefined;
  const token = next?.token ?? before.token + 1;
  await next?.release();
  const floor = { above: before.token, timeoutMs: 60_000 };
  const above = stays ? undefined : unwrap(await after.leases.acquire(resource, floor)).lease;
  if (above !== undefined && above.token <= before.token) throw new Error('`above` is not heeded');
  await above?.release();
  const tokens = token > before.token ? 'tokens go on' : '**tokens start again**: `above` goes on';
  return `${tokens}, grants ${stays ? 'stay' : 'are gone'}`;
}

/** The last of several grants, as the tokens of an empty server are small; it stands. */
async function lastOfSome(leases: LeaseManager, resource: string): Promise<Lease> {
  for (let n = 0; n < 5; n++) {
    await unwrap(await leases.acquire(resource, { waitMs: 60_000 })).lease.release();
  }
  return unwrap(await leases.acquire(resource)).lease;
}

async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === 20) throw error;
      await sleep(250);
    }
  }
}

async function abilities(running: RunningSource): Promise<Findings> {
  await using connection = await running.connect();
  const has = (ability: string) =>
    typeof (connection.source as unknown as Record<string, unknown>)[ability] === 'function';
  return {
    '`takeOver`, `inspect`, `raise`': yesOrNo(['takeOver', 'inspect', 'raise'].every(has)),
    '`leases.check` in a transaction': yesOrNo(has('check')),
  };
}

/** The same source, which counts. */
function counting(source: TokenSource, count: () => void): TokenSource {
  return new Proxy(source, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'acquire') return value.bind(target);
      return (...args: Parameters<TokenSource['acquire']>) => {
        count();
        return target.acquire(...args);
      };
    },
  });
}
