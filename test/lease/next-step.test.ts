import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/fence/clock.ts';
import { type Lease, UnavailableError, unwrap } from '../../src/index.ts';
import { conflict, refuse, reset, throttle } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { testLeases } from './lease-table.ts';
import { loseAnswer, loseRequest, slowAnswer, turnAway } from './unruly-source.ts';
import { TTL_MS, type World, whilePending, world } from './world.ts';

const same = (thrown: unknown) => thrown;

const link = /docs\/results\.md#[a-z-]+ in dynamodb-fenced\)$/;

describeEachEngine('what an outage of the lease table tells to do', (engine) => {
  it.each([
    ['throttled', throttle(), /UpdateItem of t-\S+ was turned away by throttling: .*raise the capacity/],
    ['in conflict', conflict(), /was turned away, because another request held the item: .*Call again: /],
    ['without a way', refuse(), /did not get through: .*Check the endpoint, the network and the credentials/],
    [
      'cut off',
      reset(),
      /The acquire of r was sent, .*Call resolve\(\) on this error, which ends what this call may/,
    ],
  ])('an acquire that is %s', async (_, fault, message) => {
    const { process, faults, wire } = await testLeases(engine, systemClock);
    faults.add({ do: fault, times: 4 });
    const failure: Error = await process('a')
      .acquire('r')
      .catch((error) => error);
    expect(failure.message).toMatch(message);
    expect(failure.message).toMatch(link);
    expect(failure.message).not.toMatch(/claim/);
    // What was given up in the background has ended too.
    await vi.waitFor(() => expect(wire.ops).toHaveLength(failure.name === 'OutcomeUnknownError' ? 5 : 4));
    await faults.idle();
  });

  it.each([throttle(), conflict(), refuse(), reset()])('an inspection, %o', async (fault) => {
    const { process, faults } = await testLeases(engine, systemClock);
    faults.add({ do: fault });
    await expect(process('a').inspect('r')).rejects.toThrow(/Nothing was applied\. (Call again|Check the)/);
  });
});

describe('a step of a lease that nobody answered', () => {
  type Step = (lease: Lease, leases: ReturnType<World['process']>) => Promise<unknown>;
  const steps: Readonly<Record<'renew' | 'release' | 'takeOver' | 'raise', readonly [Step, RegExp]>> = {
    renew: [(lease) => lease.renew({ timeoutMs: 100 }), /Call renew\(\) again, or resolve\(\)/],
    release: [
      (lease) => lease.release({ timeoutMs: 100 }),
      /Call release\(\) again to free it now, or leave it/,
    ],
    takeOver: [
      (lease, leases) => leases.takeOver(lease, { timeoutMs: 100 }),
      /A second takeOver\(\) could be fenced/,
    ],
    raise: [(_, leases) => leases.raise('r', { above: 1, timeoutMs: 100 }), /Call raise\(\) again: /],
  };

  it.each(Object.entries(steps))('%s: what to do fits it', async (verb, [step, message]) => {
    const here = world();
    const leases = here.process('a', { ttlMs: TTL_MS });
    const { lease } = unwrap(await leases.acquire('r'));
    here.always(verb as keyof typeof steps, loseAnswer);
    const work = step(lease, leases).catch((error: Error) => error);
    const failure = (await whilePending(here.clock, work, 1_000)) as Error;
    expect(failure).toMatchObject({ code: 'outcome-unknown', next: 'resolve' });
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toMatch(/claim/);
  });

  it('a renewal that was cut off, and throttled ever after, names the error of the SDK', async () => {
    const here = world();
    const { lease } = unwrap(await here.process('a').acquire('r'));
    const cause = new Error('throttled');
    here.next('renew', loseRequest);
    here.always('renew', async () => ({
      ...{ is: 'undecided', applied: 'no', error: new UnavailableError('Turned away.', { cause }) },
    }));
    const work = lease.renew({ timeoutMs: 100 }).catch((error: Error) => error);
    const failure = await whilePending(here.clock, work, 1_000);
    expect(failure).toMatchObject({ code: 'outcome-unknown' });
    expect((failure as Error).cause).toBe(cause);
  });

  it.each(Object.entries(steps))('%s that was turned away may be called again', async (verb, [step]) => {
    const here = world();
    const leases = here.process('a');
    const { lease } = unwrap(await leases.acquire('r'));
    here.always(verb as keyof typeof steps, turnAway);
    const work = step(lease, leases).catch((error: Error) => error);
    const failure = (await whilePending(here.clock, work, 1_000)) as Error;
    expect(failure.message).toMatch(
      /was turned away: throttled\. Nothing was applied\. Call again a little later\./,
    );
  });
});

describe('a grant whose answer is older than half of its ttl', () => {
  it.each(['acquire', 'takeOver'] as const)(
    '%s: says that the ttl is too short, and how long it took',
    async (verb) => {
      const here = world();
      const { lease } = unwrap(await here.process('a').acquire('given'));
      here.always(verb, slowAnswer(here.clock, 7));
      here.always('renew', slowAnswer(here.clock, 7));
      const leases = here.process('b', { ttlMs: 10 });
      const options = { timeoutMs: 100 };
      const call = verb === 'acquire' ? leases.acquire('r', options) : leases.takeOver(lease, options);
      const failure = await whilePending<unknown>(here.clock, call.catch(same), 1_000);
      expect(failure).toMatchObject({ code: 'outcome-unknown' });
      expect((failure as Error).message).toMatch(
        /granted under token \d+, but the answer took 7 ms, more than half of its ttlMs of 10: .* Pass a ttlMs that is many times .* Call resolve\(\)/,
      );
    },
  );
});
