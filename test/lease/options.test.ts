import { describe, expect, it } from 'vitest';
import { dynamoTokenSource, LeaseManager, memoryTokenSource } from '../../src/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { noWire } from '../support/no-wire.ts';

const source = memoryTokenSource();
const leases = new LeaseManager({ source, ttlMs: 10_000 });
let resources = 0;
const named = async () => {
  resources++;
  const acquired = await leases.acquire(`r-${resources}`);
  if (!acquired.ok) throw new Error('nobody else asks for it');
  return acquired.lease;
};

// biome-ignore lint/suspicious/noExplicitAny: what a program without types may pass.
type Anything = any;
type Call = (options: Anything) => unknown;

const makers: Record<string, Call> = {
  LeaseManager: (options) => new LeaseManager(merged({ source, ttlMs: 1_000 }, options)),
  dynamoTokenSource: (options) => dynamoTokenSource(merged({ client: noWire, tableName: 'leases' }, options)),
  memoryTokenSource: (options) => memoryTokenSource(options),
};
const calls: Record<string, Call> = {
  acquire: (options) => leases.acquire('free', options),
  acquireAll: (options) => leases.acquireAll(['free'], options),
  using: (options) => leases.using('free', options, () => undefined),
  inspect: (options) => leases.inspect('free', options),
  raise: (options) => leases.raise('free', merged({ above: 1 }, options)),
  takeOver: async (options) => leases.takeOver(await named(), options),
  renew: async (options) => (await named()).renew(options),
  release: async (options) => (await named()).release(options),
};

/** What is required, beside what is tested; nothing beside what is no object. */
function merged(required: object, options: Anything): Anything {
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options);
  return isObject ? { ...required, ...options } : options;
}

describe.each(Object.entries({ ...makers, ...calls }))('%s', (_, call) => {
  it.each([null, 5, 'x', []])('takes no %o for options', async (options) => {
    await expect(async () => call(options)).rejects.toThrow(invalidInput('options', /no object of options/));
  });

  it.each(['ttlms', 'WaitMs', 'timeout'])('takes no option called %s', async (name) => {
    await expect(async () => call({ [name]: 1 })).rejects.toThrow(invalidInput(name, /no such option/));
  });
});

describe.each(Object.entries(calls))('%s', (_, call) => {
  it.each([{}, 'x', null])('takes no %o for a signal', async (signal) => {
    await expect(async () => call({ signal })).rejects.toThrow(invalidInput('signal', /no AbortSignal/));
  });
});

describe.each(Object.entries(makers))('%s', (name, call) => {
  const whole = { now: () => 0, elapsed: () => 0, after: () => () => {} };
  it.each(['now', 'elapsed', 'after'])('takes no clock without %s()', (method) => {
    const clock = { ...whole, [method]: undefined };
    expect(() => call({ clock })).toThrow(invalidInput('clock', new RegExp(`it has no ${method}`)));
    expect(() => call({ clock: 7 })).toThrow(invalidInput('clock', /it has no now/));
    expect(() => call({ clock: whole })).not.toThrow();
  });

  // A source in memory draws no lots.
  it.each(name === 'memoryTokenSource' ? [] : ['unit', 'nonce'])('takes no random without %s()', (method) => {
    const random = { unit: () => 0, nonce: () => 'x', [method]: undefined };
    expect(() => call({ random })).toThrow(invalidInput('random', new RegExp(`it has no ${method}`)));
  });
});

it('a release whose options are refused leaves the lease as it was', async () => {
  const lease = await named();
  await expect(lease.release({ timeoutMs: Number.NaN })).rejects.toThrow(invalidInput('timeoutMs', /NaN/));
  lease.assertHeld();
});

it('a call whose options are refused grants nothing', async () => {
  // @ts-expect-error: no such option
  await expect(leases.acquire('refused', { ttl: 5 })).rejects.toThrow(invalidInput('ttl', /no such option/));
  expect(await leases.inspect('refused')).toBeUndefined();
});

it('a heartbeat has no other option', () => {
  // @ts-expect-error: no such option
  const make = () => new LeaseManager({ source, ttlMs: 1_000, heartbeat: { everyMs: 100 } });
  expect(make).toThrow(invalidInput('everyMs', /no such option/));
});
