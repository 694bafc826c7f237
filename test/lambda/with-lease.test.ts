import { describe, expect, it, vi } from 'vitest';
import { fence, type Lease, LeaseManager, memoryTokenSource, unwrap } from '../../src/index.ts';
import { type LambdaContext, type Leased, withLease } from '../../src/lambda/index.ts';
import { manualClock, seededRandom } from '../../src/testing/index.ts';
import { hang } from '../lease/unruly-source.ts';
import { world } from '../lease/world.ts';
import { gate, invocation } from './environment.ts';

interface Event {
  readonly account: string;
}

function lambda() {
  const clock = manualClock();
  const source = memoryTokenSource({ clock });
  const leases = new LeaseManager({ source, ttlMs: 1, clock, random: seededRandom(1) });
  const options = { resource: ({ account }: Event) => `account/${account}`, clock };
  return { clock, leases, options };
}
const event: Event = { account: 'a1' };

describe('withLease', () => {
  it('leases what the event is about until a margin before the end, for whoever looks to see', async () => {
    const { clock, leases, options } = lambda();
    const context = invocation(clock, 10_000, 'r7');
    let seen: object | undefined;
    const handler = withLease(leases, options, async ({ account }: Event, { lease, context: given }) => {
      expect(given).toBe(context);
      expect(lease.remainingMs()).toBe(9_000);
      seen = await leases.inspect('account/a1');
      return `done ${account}`;
    });
    expect(await handler(event, context)).toBe('done a1');
    expect(seen).toMatchObject({ expiresAtMs: clock.now() + 9_000, data: { awsRequestId: 'r7' } });
    expect((await leases.inspect('account/a1'))?.holder).toBeUndefined();
    expect(clock.timers).toBe(0);
  });

  it('releases it whatever comes of the handler, and throws what it threw', async () => {
    const { clock, leases, options } = lambda();
    const mistake = new Error('a mistake');
    const failing = withLease(leases, options, () => {
      throw mistake;
    });
    await expect(failing(event, invocation(clock))).rejects.toBe(mistake);
    expect((await leases.inspect('account/a1'))?.holder).toBeUndefined();
    expect(clock.timers).toBe(0);
  });

  it('throws what is held, so that it comes again; or answers it', async () => {
    const { clock, leases, options } = lambda();
    unwrap(await leases.acquire('account/a1', { ttlMs: 5_000 }));
    const never = () => {
      throw new Error('must not begin');
    };
    const strict = withLease(leases, options, never);
    await expect(strict(event, invocation(clock))).rejects.toMatchObject({ code: 'held', next: 'retry' });
    const polite = withLease<Event, string>(leases, { ...options, held: (held) => held.reason }, never);
    expect(await polite(event, invocation(clock))).toBe('held');
    expect(clock.timers).toBe(1); // of the other lease
  });

  it('waits for a holder, and no longer than there is time', async () => {
    const { clock, leases, options } = lambda();
    unwrap(await leases.acquire('account/a1', { ttlMs: 3_000 }));
    const waiting = withLease(
      leases,
      { ...options, waitMs: 60_000 },
      (_: Event, { signal }) => signal.aborted,
    );
    const first = waiting(event, invocation(clock, 10_000));
    await clock.advance(4_000);
    expect(await first).toBe(false);

    unwrap(await leases.acquire('account/a1', { ttlMs: 60_000 }));
    const second = waiting(event, invocation(clock, 5_000)).catch((error: Error) => error);
    await clock.advance(4_000);
    expect(await second).toMatchObject({ name: expect.stringMatching(/TimeoutError|RefusedError/) });
  });

  it('asks for no longer a wait than the invocation has', async () => {
    const { clock, leases, options } = lambda();
    const asked: unknown[] = [];
    const watched = Object.assign(Object.create(leases), {
      acquire: (...call: Parameters<typeof leases.acquire>) => {
        asked.push(call[1]);
        return leases.acquire(...call);
      },
    });
    const handler = withLease(watched, { ...options, waitMs: 60_000 }, () => 'done');
    expect(await handler(event, invocation(clock, 5_000))).toBe('done');
    expect(asked).toMatchObject([{ waitMs: 4_000, timeoutMs: 4_000, ttlMs: 4_000, heartbeat: false }]);
  });

  it('aborts the signal before the invocation ends, also where the lease is longer because it waited', async () => {
    const { clock, leases, options } = lambda();
    unwrap(await leases.acquire('account/a1', { ttlMs: 3_000 }));
    let leased: Leased<LambdaContext> | undefined;
    const { opened, open } = gate();
    const handler = withLease(leases, { ...options, waitMs: 5_000 }, async (_: Event, given) => {
      leased = given;
      await opened;
    });
    const answer = handler(event, invocation(clock, 10_000));
    await clock.advance(8_999);
    expect(leased?.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(leased?.signal.reason).toMatchObject({ name: 'TimeoutError' });
    // The grant goes on for as long as it was waited for. What is done under it does not.
    expect((await leases.inspect('account/a1'))?.expiresAtMs).toBeGreaterThan(clock.now());
    expect(leased?.lease.remainingMs()).toBe(0);
    expect(() => leased?.lease.assertHeld()).toThrow(/lease-expired/);
    open();
    await answer;
    expect(clock.timers).toBe(0);
  });

  it("aborts the lease's own signal then too, for those who listen to it, and asks no timer", async () => {
    const { clock, leases, options } = lambda();
    unwrap(await leases.acquire('account/a1', { ttlMs: 3_000 }));
    const [one, two] = [gate(), gate()];
    const heard: string[] = [];
    const handler = withLease(leases, { ...options, waitMs: 5_000 }, async (_: Event, { lease }) => {
      lease.signal.addEventListener('abort', () => heard.push(lease.signal.reason.code));
      one.open();
      await two.opened;
    });
    const answer = handler(event, invocation(clock, 10_000));
    await clock.advance(3_500);
    await one.opened;
    await clock.advance(5_500);
    expect(heard).toEqual(['lease-expired']);
    two.open();
    await answer;

    const thawed = withLease(leases, options, (_: Event, { lease }) => {
      clock.freeze(9_000);
      return [lease.remainingMs(), lease.signal.aborted];
    });
    expect(await thawed(event, invocation(clock, 10_000))).toEqual([0, true]);
  });

  it('has no heartbeat, whatever its manager has', async () => {
    const { clock, source, verbs } = world();
    const { options } = lambda();
    for (const intervalMs of [1_000, 20_000]) {
      const leases = new LeaseManager({ source, ttlMs: 60_000, clock, heartbeat: { intervalMs } });
      const { opened, open } = gate();
      const handler = withLease(leases, { ...options, clock }, () => opened.then(() => 'done'));
      const answer = handler(event, invocation(clock, 15_000)).catch((error: Error) => error);
      await clock.advance(5_000);
      open();
      expect(await answer).toBe('done');
    }
    expect(verbs).toEqual(['acquire', 'release', 'acquire', 'release']);
    expect(clock.timers).toBe(0);
  });

  it('releases each lease once, however many invocations come after it', async () => {
    const { clock, process, verbs } = world();
    // A release that does not arrive would be one that the next invocation makes up for.
    const handler = withLease(process('a'), { ...lambda().options, clock }, (_: Event, { lease }) => {
      leases.push(lease);
    });
    const leases: Lease[] = [];
    for (let nth = 1; nth <= 3; nth++) {
      await handler(event, invocation(clock));
      clock.freeze(20_000);
    }
    expect(verbs.filter((verb) => verb === 'release')).toHaveLength(3);
    const asked = leases.map((lease) => vi.spyOn(lease, 'release'));
    await handler(event, invocation(clock));
    for (const spy of asked) expect(spy).not.toHaveBeenCalled();
  });

  it('ends a request that hangs before the invocation ends', async () => {
    const { clock, process, always, asked } = world();
    always('acquire', hang);
    always('release', hang);
    const handler = withLease(process('a'), { ...lambda().options, clock }, () => 'done');
    const answer = handler(event, invocation(clock, 30_000)).catch((error: Error) => error);
    await clock.advance(28_999);
    expect(asked.map(({ verb }) => verb)).toEqual(['acquire']);
    await clock.advance(1);
    expect(await answer).toMatchObject({ name: 'TimeoutError' });
  });

  it('aborts the signal when the lease is lost', async () => {
    const { clock, leases, options } = lambda();
    const handler = withLease(leases, options, async (_: Event, { lease, signal }) => {
      await leases.takeOver(fence('account/a1', lease.token));
      expect(signal.aborted).toBe(false);
      await lease.renew();
      return signal.reason;
    });
    expect(await handler(event, invocation(clock))).toMatchObject({ code: 'fenced' });
  });

  it('does not begin what there is no time for', async () => {
    const { clock, leases, options } = lambda();
    const handler = withLease(leases, options, () => 'done');
    await expect(handler(event, invocation(clock, 1_000))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await leases.inspect('account/a1')).toBeUndefined();
    const short = withLease(leases, { ...options, marginMs: 100 }, () => 'done');
    expect(await short(event, invocation(clock, 1_000))).toBe('done');
  });

  it('takes several events at once, where an environment does', async () => {
    const { clock, leases, options } = lambda();
    const held: Lease[] = [];
    const { opened, open } = gate();
    const handler = withLease(leases, options, async (_: Event, { lease }) => {
      held.push(lease);
      await opened;
      return lease.remainingMs();
    });
    const both = ['a1', 'a2'].map((account) => handler({ account }, invocation(clock)));
    await clock.advance(10);
    expect(held).toHaveLength(2);
    open();
    expect(await Promise.all(both)).toEqual([8_990, 8_990]);
  });

  it.each<[string, () => unknown, string]>([
    [
      'no answer to who is held',
      () => withLease(lambda().leases, { ...lambda().options, held: 423 as never }, () => 1),
      'held: 423 cannot be called',
    ],
    [
      'no clock',
      () => withLease(lambda().leases, { ...lambda().options, clock: {} as never }, () => 1),
      'clock: it has no now()',
    ],
    [
      'no resource',
      () => withLease(lambda().leases, {} as never, () => 1),
      'resource: undefined cannot be called',
    ],
    ['no handler', () => withLease(lambda().leases, lambda().options, undefined as never), 'work: undefined'],
    [
      'an option that nobody reads',
      () => withLease(lambda().leases, { ...lambda().options, margin: 1 } as never, () => 1),
      'margin: there is no such option',
    ],
    [
      'no margin',
      () => withLease(lambda().leases, { ...lambda().options, marginMs: 0 }, () => 1),
      'marginMs: 0 is not a length of time',
    ],
  ])('says what cannot work: %s', (_, make, message) => {
    expect(make).toThrow(message);
  });

  it('and what is no context', async () => {
    const { leases, options } = lambda();
    const handler = withLease(leases, options, () => 1);
    await expect(handler(event, {} as never)).rejects.toThrow('context: getRemainingTimeInMillis() says');
  });
});
