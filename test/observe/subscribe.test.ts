import { execFile } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { isHeard, publish } from '../../src/fence/channel.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { memoryTokenSource } from '../../src/lease/sources/memory.ts';
import { channelName, type FencingEvent, subscribe } from '../../src/observe/index.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import { heard } from './heard.ts';

const event: FencingEvent = {
  ...{ event: 'wait', verb: 'acquire', atMs: 0, resource: 'r', token: undefined, holder: 'a/1' },
  ...{ lastToken: undefined, lastHolder: 'b/1', expiresAtMs: 1 },
};

it('is heard by every listener, also by those that know the name of the channel alone', () => {
  const raw = vi.fn();
  using told = heard();
  diagnostics.subscribe(channelName, raw);
  publish(event);
  diagnostics.unsubscribe(channelName, raw);
  publish(event);
  expect(told.events).toEqual([event, event]);
  expect(raw.mock.calls).toEqual([[event, 'dynamodb-fenced']]);
});

it('ends with its scope, and with stop()', () => {
  const listener = vi.fn();
  {
    using _ = subscribe(listener);
    expect(isHeard()).toBe(true);
  }
  expect(isHeard()).toBe(false);
  subscribe(listener).stop();
  publish(event);
  expect(listener).not.toHaveBeenCalled();
});

it('refuses what cannot be called', () => {
  expect(() => subscribe('log' as never)).toThrow(/listener: .*cannot be called/);
});

it('a listener that fails breaks neither the call nor the other listeners, and warns once', async () => {
  const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    using _throws = subscribe(() => {
      throw new TypeError('no disk');
    });
    using _rejects = subscribe(async () => {
      throw new Error('no network');
    });
    using told = heard();
    const clock = manualClock();
    const leases = new LeaseManager({ source: memoryTokenSource({ clock }), ttlMs: 1_000, clock });
    const acquired = await leases.acquire('r');
    if (acquired.ok) await acquired.lease.release();
    expect(told.kinds).toEqual(['acquire', 'release']);
    const texts = warnings.mock.calls.map(([text]) => String(text)).sort();
    expect(texts).toEqual([
      expect.stringContaining('Error: no network'),
      expect.stringContaining('TypeError: no disk'),
    ]);
    expect(warnings.mock.calls[0]?.[1]).toEqual({ code: 'DYNAMODB_FENCED_SUBSCRIBER' });
  } finally {
    warnings.mockRestore();
  }
});

// What the documentation says of listeners without the net. In a process of its own, which it ends.
it('a function that is handed to the channel itself ends the process where it throws: that is Node', async () => {
  const program = `
    import diagnostics from 'node:diagnostics_channel';
    diagnostics.subscribe('x', () => { throw new Error('boom'); });
    diagnostics.channel('x').publish({});
    console.log('published');
    setTimeout(() => console.log('alive'), 1_000);`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: 'published\n',
    stderr: expect.stringContaining('boom'),
  });
});

it('measures nothing where nobody listens', async () => {
  const clock = manualClock();
  const reads = vi.spyOn(clock, 'elapsed');
  const leases = new LeaseManager({ source: memoryTokenSource({ clock }), ttlMs: 1_000, clock });
  const cost = async () => {
    reads.mockClear();
    const acquired = await leases.acquire('r');
    if (acquired.ok) await acquired.lease.release();
    return reads.mock.calls.length;
  };
  const unheard = await cost();
  using told = heard();
  expect(await cost()).toBeGreaterThan(unheard);
  expect(told.events).toHaveLength(2);
});

class OthersPromise {
  // biome-ignore lint/suspicious/noThenProperty: it is a promise, and none of this realm.
  then(_: unknown, reject: (error: Error) => void) {
    reject(new Error('no'));
  }
}

it.each<[string, () => unknown]>([
  [
    'throws what cannot be shown',
    () => {
      throw Object.create(null);
    },
  ],
  ['is rejected with what cannot be shown', () => Promise.reject(Object.create(null))],
  ['answers a promise of another library', () => new OthersPromise()],
])('breaks nothing where it %s', async (_, listener) => {
  const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    using _listens = subscribe(listener);
    publish(event);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toHaveBeenCalledTimes(1);
  } finally {
    warnings.mockRestore();
  }
});

it('tells nothing to one that was stopped within the same event', () => {
  const other = vi.fn();
  using _first = subscribe(() => second.stop());
  const second = subscribe(other);
  publish(event);
  expect(other).not.toHaveBeenCalled();
});
