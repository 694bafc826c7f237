import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { add } from '../../src/expressions.ts';
import {
  dynamoTokenSource,
  fence,
  LeaseManager,
  type Steps,
  transact,
  transactGet,
} from '../../src/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { account, accountsIn } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { noWire } from '../support/no-wire.ts';
import { leasesOn } from './bank.ts';

const accounts = accountsIn({ client: noWire, tableName: 'accounts' });
const { plan } = accounts;
const [a, b] = leasesOn(42, ['a', 'b']);

const refused = async (steps: unknown, path: string, message: RegExp) =>
  expect(transact(steps as Steps)).rejects.toThrow(invalidInput(path, message));

describe('a transaction is refused before anything is sent', () => {
  it.each([
    [
      'in a list',
      [plan.put(a, { id: 'a' }), plan.put(a, { id: 'a', balance: 1 })],
      'steps[1]',
      /so does steps\[0\]/,
    ],
    [
      'by name',
      { debit: plan.update(a, { id: 'a' }, { balance: add(-1) }), 'no name': plan.delete(a, { id: 'a' }) },
      'steps["no name"]',
      /writes accounts \{"id":"a"\}, and so does steps\.debit/,
    ],
    [
      'of one plan twice',
      { one: plan.put(a, { id: 'a' }), check: plan.check(a, { id: 'a' }), two: plan.put(a, { id: 'a' }) },
      'steps.two',
      /steps\.one/,
    ],
  ])('H2: for two writes of one item, %s', async (_, steps, path, message) => {
    await refused(steps, path, message);
  });

  it('H2: for two writes of one item whose table goes by its ARN and by its name', async () => {
    const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/accounts';
    const other = accountsIn({ client: noWire, tableName: arn });
    await refused([plan.put(a, { id: 'a' }), other.plan.put(a, { id: 'a' })], 'steps[1]', /steps\[0\]/);
  });

  it.each([
    ['a list', []],
    ['names', {}],
    ['nothing', undefined],
  ])('H3: for no steps: %s', async (_, steps) => {
    await refused(steps, 'steps', /there are none/);
    await expect(transactGet(steps as never)).rejects.toThrow(
      invalidInput('reads', /there are none.*a read/),
    );
  });

  it('H3: for a hole in a list', async () => {
    const sparse: unknown[] = [plan.put(a, { id: 'a' })];
    sparse[2] = plan.put(b, { id: 'b' });
    await refused(sparse, 'steps[1]', /no step/);
    const reads: unknown[] = [plan.get({ id: 'a' })];
    reads[2] = plan.get({ id: 'b' });
    await expect(transactGet(reads as never)).rejects.toThrow(invalidInput('reads[1]', /no read/));
  });

  it.each([null, 5, [], { timeout: 5 }, { signal: 'x' }])(
    'H3: for options that are none: %o',
    async (options) => {
      const path = /^(options|timeout|signal)$/;
      await expect(transact([plan.put(a, { id: 'a' })], options as never)).rejects.toThrow(
        invalidInput(path, /./),
      );
      await expect(transactGet([plan.get({ id: 'a' })], options as never)).rejects.toThrow(
        invalidInput(path, /./),
      );
    },
  );

  it('H3: for more than 100 items, checks included', async () => {
    const ids = Array.from({ length: 101 }, (_, n) => `i${n}`);
    const steps = ids.map((id, n) => {
      const by = granted(account(id), 1);
      return n === 0 ? plan.check(by, { id }) : plan.create(by, { id });
    });
    await refused(steps, 'steps', /touch 101 items \(steps\[0\] to steps\[100\]\).* takes 100/);
    await expect(transactGet(ids.map((id) => plan.get({ id })))).rejects.toThrow(
      invalidInput('reads', /101 items.*getMany/s),
    );
  });

  it('for more than 4 MB', async () => {
    const steps = Array.from({ length: 11 }, (_, n) => {
      const id = `i${n}`;
      const data = 'é'.repeat(n === 3 ? 199_000 : 195_000);
      return n % 2 === 0
        ? plan.update(granted(account(id), 1), { id }, { note: data })
        : plan.put(granted(account(id), 1), { id, note: data });
    });
    await refused(steps, 'steps', /have 429\d{4} bytes.*largest is that of steps\[3\].*4194304/);
  });

  it.each([
    ['a call that was made instead of planned', () => Promise.resolve({ ok: true })],
    ['a fence', () => a],
    ['a read', () => plan.get({ id: 'a' })],
    ['undefined', () => undefined],
    ['null', () => null],
    ['text', () => 'debit'],
  ])('for something that is no step: %s', async (_, step) => {
    await refused({ good: plan.put(b, { id: 'b' }), bad: step() }, 'steps.bad', /no step.*plan\.update/s);
  });

  it('for something that is no read', async () => {
    await expect(transactGet({ x: plan.put(a, { id: 'a' }) as never })).rejects.toThrow(
      invalidInput('reads.x', /no read/),
    );
  });

  it('where it wants to be sent while a lease is held, and one is over', async () => {
    const over = granted(account('a'), 1, { remainingMs: () => 0 });
    const held = granted(account('b'), 1, { remainingMs: () => 1_000 });
    const steps = [plan.put(held, { id: 'b' }), plan.put(over, { id: 'a' })];
    await expect(transact(steps, { whileHeld: true })).rejects.toMatchObject({ code: 'lease-expired' });
    await expect(
      transact([plan.put(fence(account('a'), 1), { id: 'a' })], { whileHeld: true }),
    ).rejects.toThrow(invalidInput('whileHeld', /bare fence/));
  });
});

describe('a plan is checked when it is made', () => {
  it.each<[string, () => unknown, string, RegExp]>([
    ['a fence for another resource', () => plan.put(b, { id: 'a' }), 'fence', /for account\/b/],
    ['also of a check', () => plan.check(b, { id: 'a' }), 'fence', /for account\/b/],
    ['a key that is missing', () => plan.delete(a, {} as never), 'key.id', /undefined/],
    [
      'a hidden attribute',
      () => plan.put(a, { id: 'a', _fence: 9 } as never),
      'item._fence',
      /kept by the fence/,
    ],
    [
      'a change of the key',
      () => plan.update(a, { id: 'a' }, { id: 'b' } as never),
      'changes.id',
      /identifies/,
    ],
    [
      'a version that is none',
      () => plan.delete(a, { id: 'a' }, { ifVersion: undefined } as never),
      'ifVersion',
      /no version/,
    ],
    ['a condition that asks nothing', () => plan.check(a, { id: 'a' }, { when: {} }), 'when', /asks nothing/],
    [
      'a condition on what must not be there',
      () => plan.check(a, { id: 'a' }, { absent: true, when: { balance: 1 } }),
      'when',
      /must not be there/,
    ],
    ['a value that cannot be stored', () => plan.put(a, { id: 'a', data: new Date(0) }), 'item.data', /Date/],
  ])('%s', (_, make, path, message) => {
    expect(make).toThrow(invalidInput(path, message));
  });

  it('by the schema of its repository, which must answer at once', () => {
    const schema = z.object({ id: z.string(), balance: z.number().default(7) });
    const strict = accountsIn({ client: noWire, tableName: 't' }, { schema: schema as never });
    expect(() => strict.plan.put(a, { id: 'a', balance: 'x' as never })).toThrow(
      invalidInput('item.balance', /schema/),
    );
    const planned = strict.plan.create(a, { id: 'a' }).action;
    if (planned.verb === 'check') throw new Error('a create');
    expect(planned.done(undefined, { token: 42, holder: 'h', seq: 1 } as never).item).toEqual({
      ...{ id: 'a', balance: 7 },
    });
    const later = z.object({ id: z.string() }).refine(async () => false);
    const slow = accountsIn({ client: noWire, tableName: 't' }, { schema: later as never });
    expect(() => slow.plan.put(a, { id: 'a' })).toThrow(invalidInput('schema', /answers later/));
  });

  it('H8: no check of a lease whose table takes part in no transaction', async () => {
    const leases = new LeaseManager({
      source: dynamoTokenSource({ client: noWire, tableName: 'global', transactions: false }),
      ttlMs: 10_000,
    });
    const check = LeaseManager.prototype.check as (lease: unknown) => unknown;
    expect(() => check.call(leases, {})).toThrow(invalidInput('source', /no check.*transactions: false/s));
  });

  it('H8: in no repository whose table takes part in no transaction', () => {
    const strong = accountsIn({ client: noWire, tableName: 'global' }, { transactions: false });
    expect(() => strong.plan).toThrow(invalidInput('transactions', /repository of global.*multi-Region/s));
  });
});
