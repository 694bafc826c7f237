import { expect, it } from 'vitest';
import { chargeAll, charging, type Order } from '../../examples/edge/queue.ts';
import {
  add,
  dynamoTokenSource,
  FencedRepository,
  type Lease,
  LeaseManager,
  unwrap,
} from '../../src/index.ts';
import { type LambdaContext, withLease } from '../../src/lambda/index.ts';
import { faults, manualClock, pause, record, seededRandom } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { testTable } from '../support/test-table.ts';
import { gate, invocation } from './environment.ts';

interface Event {
  readonly id: string;
}
const event: Event = { id: 'o1' };
const body = JSON.stringify({ order: 'o1', amount: 30 });
const TIMEOUT_MS = 10_000;

describeEachEngine('a Lambda function', (engine) => {
  /** A function on an engine, and the time that all of its environments live in. */
  async function lambda() {
    const clock = manualClock();
    const { tableName } = await testTable(engine, { partitionKey: 'id' });
    const { tableName: leaseTable } = await testTable(engine, { partitionKey: 'resource' });
    const faulty = faults(engine.running.handler, [], { clock });
    const wire = record(faulty);
    const client = engine.client({ requestHandler: wire });
    let seed = 0;
    /** What is made outside of the handler, once for each environment. */
    const environment = () => {
      seed++;
      const source = dynamoTokenSource({ client, tableName: leaseTable, clock });
      const leases = new LeaseManager({ source, ttlMs: 1, clock, random: seededRandom(seed) });
      const orders = new FencedRepository<Order, 'id'>({
        ...{ client, tableName, clock, key: ['id'] },
        resource: ({ id }) => `order/${id}`,
      });
      const options = { resource: ({ id }: Event) => `order/${id}`, clock };
      const add30 = (lease: Lease) => orders.update(lease, { id: 'o1' }, { total: add(30) });
      return { leases, orders, options, add30 };
    };
    const first = environment();
    await first.leases.using('order/o1', { ttlMs: 1_000 }, (lease) =>
      first.orders.create(lease, { id: 'o1', total: 0 }),
    );
    // Or the next token would be that of this moment too, which is asked for in vain first.
    await clock.advance(1_000);
    const total = async () => (await first.orders.get({ id: 'o1' }))?.item.total;
    return { clock, wire, faults: faulty, environment, total, tableName };
  }

  it('frozen between invocations: what was left running is refused, and nothing of it is sent', async () => {
    const { clock, wire, environment, total, tableName } = await lambda();
    const { leases, options, add30 } = environment();
    const thaw = gate();
    let stray: Promise<unknown> | undefined;
    const tokens: number[] = [];
    const handler = withLease(leases, options, async (_: Event, { lease }) => {
      tokens.push(lease.token);
      // Somebody forgot to await this.
      stray ??= thaw.opened.then(() => add30(lease)).catch((error) => error);
      return tokens.length === 1 ? undefined : add30(lease);
    });
    await handler(event, invocation(clock));
    expect(clock.timers).toBe(0);
    clock.freeze(60_000);
    const next = handler(event, invocation(clock));
    thaw.open();
    expect(await next).toMatchObject({ ok: true });
    expect(await stray).toMatchObject({ code: 'lease-released' });
    expect(tokens[1]).toBeGreaterThan(tokens[0] ?? 0);
    expect(await total()).toBe(30);
    const writes = wire.requests.filter(
      ({ op, input }) => op === 'UpdateItem' && input.TableName === tableName,
    );
    expect(writes).toHaveLength(1);
  });

  it('thawed with an old lease: the next invocation ends it before it begins', async () => {
    const { clock, environment, total } = await lambda();
    const [one, two] = [environment(), environment()];
    const [begun, stuck] = [gate(), gate()];
    const old: { lease: Lease; signal: AbortSignal }[] = [];
    const handler = withLease(one.leases, one.options, async (_: Event, { lease, signal }) => {
      old.push({ lease, signal });
      begun.open();
      if (old.length === 1) await stuck.opened;
      else expect(old[0]?.signal.reason).toMatchObject({ name: 'TimeoutError' });
      return one.add30(lease);
    });
    // Nobody waits for it any more: its time was over while it was frozen.
    const timedOut = handler(event, invocation(clock, TIMEOUT_MS)).catch((error) => error);
    await begun.opened;
    clock.freeze(TIMEOUT_MS);
    const others = withLease(two.leases, two.options, (_: Event, { lease }) => two.add30(lease));
    expect(await others(event, invocation(clock))).toMatchObject({ ok: true });
    expect(await handler(event, invocation(clock))).toMatchObject({ ok: true });
    stuck.open();
    expect(await timedOut).toMatchObject({ code: 'lease-released' });
    expect(old[1]?.lease.token).toBeGreaterThan(old[0]?.lease.token ?? 0);
    expect(await total()).toBe(60);
    await clock.advance(0);
    expect(clock.timers).toBe(0);
  });

  it('thawed in the middle of its own work: the storage refuses it', async () => {
    const { clock, environment, total } = await lambda();
    const [one, two] = [environment(), environment()];
    const [begun, stuck] = [gate(), gate()];
    const handler = withLease(one.leases, one.options, async (_: Event, { lease }) => {
      unwrap(await one.orders.claim(lease, { id: 'o1' }));
      begun.open();
      await stuck.opened;
      return one.add30(lease);
    });
    const late = handler(event, invocation(clock));
    await begun.opened;
    clock.freeze(TIMEOUT_MS);
    const others = withLease(two.leases, two.options, (_: Event, { lease }) => two.add30(lease));
    const newer = unwrap(await others(event, invocation(clock)));
    stuck.open();
    expect(await late).toMatchObject({ reason: 'fenced', lastToken: newer.token, applied: 'no' });
    expect(await total()).toBe(30);
  });

  it('timed out in the middle: it is told before, and whoever stops then leaves the lease to the next at once', async () => {
    const { clock, environment, total } = await lambda();
    const { leases, options, add30 } = environment();
    const [begun, stopped] = [gate(), gate()];
    const handler = withLease(leases, options, async (_: Event, { signal }) => {
      signal.addEventListener('abort', stopped.open);
      begun.open();
      await stopped.opened;
      throw signal.reason;
    });
    const answer = handler(event, invocation(clock, TIMEOUT_MS)).catch((error) => error);
    await begun.opened;
    await clock.advance(TIMEOUT_MS - 1_000);
    expect(await answer).toMatchObject({ name: 'TimeoutError' });
    const next = withLease(leases, options, (_: Event, { lease }) => add30(lease));
    expect(await next(event, invocation(clock))).toMatchObject({ ok: true });
    expect(await total()).toBe(30);
  });

  it('killed in the middle: the next is told when to come, and is not kept out for longer than that', async () => {
    const { clock, environment, total } = await lambda();
    const [one, two] = [environment(), environment()];
    const begun = gate();
    const never = gate();
    const killed = withLease(one.leases, one.options, async () => {
      begun.open();
      await never.opened;
    });
    void killed(event, invocation(clock, TIMEOUT_MS));
    await begun.opened;
    const next = withLease(two.leases, two.options, (_: Event, { lease }) => two.add30(lease));
    const held = await next(event, invocation(clock)).catch((error) => error);
    expect(held).toMatchObject({ code: 'held' });
    expect(held.result.retryAfterMs).toBeLessThanOrEqual(TIMEOUT_MS);
    clock.freeze(held.result.retryAfterMs);
    expect(await next(event, invocation(clock))).toMatchObject({ ok: true });
    expect(await total()).toBe(30);
  });

  /** A message that one environment is in the middle of, and another one that can be given it too. */
  async function twice() {
    const { clock, faults, environment, total } = await lambda();
    const [one, two] = [environment(), environment()];
    const deliver = ({ leases, orders }: typeof one, context: LambdaContext) =>
      chargeAll(charging(leases, orders, clock))({ Records: [{ messageId: 'm1', body }] }, context);
    const writing = pause();
    faults.add({ on: { op: 'UpdateItem', nth: 2 }, do: writing });
    const first = deliver(one, invocation(clock, TIMEOUT_MS, 'r1'));
    await writing.reached;
    return { clock, two, deliver, writing, first, total };
  }

  it('I9: the same message delivered twice at once: one effect, and the other is held', async () => {
    const { clock, two, deliver, writing, first, total } = await twice();
    const failed = { batchItemFailures: [{ itemIdentifier: 'm1' }] };
    expect(await deliver(two, invocation(clock, TIMEOUT_MS, 'r2'))).toEqual(failed);
    writing.release();
    expect(await first).toEqual({ batchItemFailures: [] });
    // And when it comes again, it is done.
    expect(await deliver(two, invocation(clock, TIMEOUT_MS, 'r3'))).toEqual({ batchItemFailures: [] });
    expect(await total()).toBe(30);
  });

  it('I9: the same message, while the first is frozen in its write: one effect, and the first is fenced', async () => {
    const { clock, two, deliver, writing, first, total } = await twice();
    clock.freeze(TIMEOUT_MS);
    expect(await deliver(two, invocation(clock, TIMEOUT_MS, 'r2'))).toEqual({ batchItemFailures: [] });
    writing.release();
    expect(await first).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    expect(await total()).toBe(30);
  });
});
