import { describe, expect, it } from 'vitest';
import { raw } from '../../src/expressions.ts';
import { FencedRepository } from '../../src/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { account, accountsIn } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { noWire } from '../support/no-wire.ts';

const accounts = accountsIn({ client: noWire, tableName: 'accounts' });
const { plan } = accounts;
const lease = () => granted(account('a'), 7);
const id = { id: 'a' };

// biome-ignore lint/suspicious/noExplicitAny: what a program without types may pass.
type Call = (options: any) => unknown;

const reads: Record<string, Call> = {
  get: (options) => accounts.get(id, options),
  getMany: (options) => accounts.getMany([id], options),
  inspect: (options) => accounts.inspect(id, options),
  query: (options) => accounts.query(isObject(options) ? { key: id, ...options } : options),
  scan: (options) => accounts.scan(options),
};
const writes: Record<string, Call> = {
  claim: (options) => accounts.claim(lease(), id, options),
  create: (options) => accounts.create(lease(), id, options),
  put: (options) => accounts.put(lease(), id, options),
  update: (options) => accounts.update(lease(), id, { balance: 1 }, options),
  delete: (options) => accounts.delete(lease(), id, options),
  modify: (options) => accounts.modify(lease(), id, () => id, options),
};
const plans: Record<string, Call> = {
  'plan.put': (options) => plan.put(lease(), id, options),
  'plan.update': (options) => plan.update(lease(), id, { balance: 1 }, options),
  'plan.delete': (options) => plan.delete(lease(), id, options),
  'plan.check': (options) => plan.check(lease(), id, options),
};

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe.each(Object.entries({ ...reads, ...writes, ...plans }))('%s', (_, call) => {
  it.each([null, 5, 'x', []])('takes no %o for options', async (options) => {
    await expect(async () => call(options)).rejects.toThrow(invalidInput('options', /no object of options/));
  });

  it.each(['ifversion', 'When', 'timeout'])('takes no option called %s', async (name) => {
    await expect(async () => call({ [name]: 'x' })).rejects.toThrow(invalidInput(name, /no such option/));
  });
});

describe.each(Object.entries({ ...reads, ...writes }))('%s', (_, call) => {
  it.each([{}, 'x', null])('takes no %o for a signal', async (signal) => {
    await expect(async () => call({ signal })).rejects.toThrow(invalidInput('signal', /no AbortSignal/));
  });
});

it.each<[string, () => unknown, string, RegExp]>([
  ['claim takes no version', () => writes.claim?.({ ifVersion: 'x' }), 'ifVersion', /no such option/],
  ['get takes no condition', () => reads.get?.({ when: { balance: 1 } }), 'when', /no such option/],
  ['a text is no flag', () => writes.update?.({ upsert: 'yes' }), 'upsert', /neither true nor false/],
  ['nor is a number', () => writes.put?.({ whileHeld: 1 }), 'whileHeld', /neither true nor false/],
  ['a list is needed', () => accounts.getMany(null as never), 'identities', /null is no list/],
  ['a list without holes', () => accounts.getMany(new Array(1)), 'key', /no object/],
  ['a change is a function', () => accounts.modify(lease(), id, 5 as never), 'change', /5 is no function/],
  ['expressions too', () => raw('a = b', null as never), 'placeholders', /no object of options/],
  [
    'and all of theirs',
    () => raw('a = :b', { value: { ':b': 1 } } as never),
    'value',
    /There are names, values/,
  ],
  ['a repository', () => new FencedRepository(null as never), 'options', /no object of options/],
  [
    'all of its own',
    () => accountsIn({ client: noWire, tableName: 't' }, { Schema: {} } as never),
    'Schema',
    /Did you mean schema\?/,
  ],
])('%s', async (_, call, path, message) => {
  await expect(async () => call()).rejects.toThrow(invalidInput(path, message));
});
