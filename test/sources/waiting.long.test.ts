import { afterAll, beforeAll, expect, it } from 'vitest';
import { stopwatch, systemClock } from '../../src/fence/clock.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import type { WaitRequest } from '../../src/lease/token-source.ts';
import { describeEachSource } from './describe-each-source.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import type { ConnectedSource } from './sources.ts';

/** Longer than any of these tests, so that nothing ends by its time. */
const ttlMs = 60_000;

describeEachSource('who waits for a lease', (kind) => {
  let server: ServerProcess;
  const connections: ConnectedSource[] = [];
  beforeAll(async () => {
    server = await startServer(kind.server);
  });
  afterAll(async () => {
    for (const connected of connections) await connected[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  /** A process, and how many of its calls wait. */
  const process = async () => {
    const connected = await kind.connect(server.port);
    connections.push(connected);
    const { source } = connected;
    const waits = { begun: 0, over: 0 };
    const counted = {
      ...source,
      waitForRelease: (who: WaitRequest, signal: AbortSignal) => {
        waits.begun++;
        return source.waitForRelease(who, signal).finally(() => waits.over++);
      },
    };
    return { leases: new LeaseManager({ source: counted, ttlMs }), waits };
  };
  // Until a waiter has told its server that it waits there is nothing that could be seen from outside.
  const settled = () => new Promise((resolve) => setTimeout(resolve, 300));

  it('has it by the release, long before the grant would have ended', async () => {
    const resource = `r/${Math.random()}`;
    const holder = await process();
    const waiter = await process();
    const lease = unwrap(await holder.leases.acquire(resource)).lease;
    const waiting = waiter.leases.acquire(resource, { waitMs: ttlMs });
    await expect.poll(() => waiter.waits.begun).toBe(1);
    await settled();
    expect(waiter.waits.over).toBe(0);
    const elapsed = stopwatch(systemClock);
    await lease.release();
    const next = unwrap(await waiting).lease;
    expect(next.token).toBeGreaterThan(lease.token);
    // A bound for a busy machine; how fast it is says `npm run bench:sources`.
    expect(elapsed()).toBeLessThan(ttlMs / 2);
    await next.release();
  });

  it(`takes turns with 9 others, ${kind.queued ? 'in the order of their coming' : 'in any order'}`, async () => {
    const holder = await process();
    const first = unwrap(await holder.leases.acquire('turns')).lease;
    const order: number[] = [];
    let inside = 0;
    const waiting: Promise<unknown>[] = [];
    for (let n = 0; n < 10; n++) {
      const { leases, waits } = await process();
      const work = async () => {
        expect(++inside).toBe(1);
        order.push(n);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside--;
      };
      waiting.push(leases.using('turns', { waitMs: ttlMs }, work));
      await expect.poll(() => waits.begun).toBe(1);
      const { queued } = kind;
      if (queued) await expect.poll(() => queued(server.port, 'turns')).toBe(n + 1);
    }
    await first.release();
    await Promise.all(waiting);
    const inTurn = Array.from({ length: 10 }, (_, n) => n);
    expect(kind.queued ? order : order.sort()).toEqual(inTurn);
  });

  it('that gives up keeps nobody else waiting', async () => {
    const holder = await process();
    const lease = unwrap(await holder.leases.acquire('given-up')).lease;
    const told = new AbortController();
    const one = await process();
    const givingUp = one.leases.acquire('given-up', { waitMs: ttlMs, signal: told.signal });
    await expect.poll(() => one.waits.begun).toBe(1);
    await settled();
    const other = await process();
    const waiting = other.leases.acquire('given-up', { waitMs: ttlMs });
    await expect.poll(() => other.waits.begun).toBe(1);
    told.abort(new Error('enough'));
    await expect(givingUp).rejects.toThrow('enough');
    await lease.release();
    const next = unwrap(await waiting).lease;
    expect(next.token).toBeGreaterThan(lease.token);
    await next.release();
  });
});
