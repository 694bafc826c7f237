import { describe, expect, it } from 'vitest';
import { add, gte } from '../../../src/expressions.ts';
import type { Fence } from '../../../src/index.ts';
import { dropResponse, duplicate, throttle, type WireRequest } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { type Accounts, account } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { type Item, scene } from './scene.ts';
import { balance, live, stamp, tombstone } from './stored.ts';
import { overtakenBy, straggler } from './straggler.ts';
import { full, id } from './withdraw.ts';

const spare = { item: { id: 'a', balance: 100 }, version: '40.5.before' };

/** A write that is refused for what the item is, and what would make it acceptable after all. */
interface Refusal {
  readonly reason: string;
  readonly op: 'PutItem' | 'UpdateItem';
  readonly with: Item | undefined;
  call(accounts: Accounts, fence: Fence, older: Fence): Promise<{ readonly ok: boolean }>;
  /** The result, beside its reason. */
  readonly shows: object;
  /** Done by an older holder, it makes a copy of the write acceptable. */
  allow(accounts: Accounts, older: Fence): Promise<{ readonly ok: boolean }>;
  /** The content that the write then leaves. */
  readonly leaves: Item;
}

const refusals: readonly Refusal[] = [
  {
    reason: 'not-found',
    op: 'UpdateItem',
    with: undefined,
    call: (accounts, fence) => accounts.update(fence, id, { balance: add(-10) }),
    shows: {},
    allow: (accounts, older) => accounts.create(older, { ...id, balance: 500 }),
    leaves: balance(490),
  },
  {
    reason: 'exists',
    op: 'PutItem',
    with: full,
    call: (accounts, fence) => accounts.create(fence, { ...id, balance: 1 }),
    shows: spare,
    allow: (accounts, older) => accounts.delete(older, id),
    leaves: balance(1),
  },
  {
    reason: 'version',
    op: 'PutItem',
    with: full,
    call: (accounts, fence, older) =>
      accounts.put(fence, { ...id, balance: 1 }, { ifVersion: `41.1.${older.holder}` }),
    shows: spare,
    allow: (accounts, older) => accounts.update(older, id, { balance: add(1) }),
    leaves: balance(1),
  },
  {
    reason: 'condition',
    op: 'UpdateItem',
    with: full,
    call: (accounts, fence) =>
      accounts.update(fence, id, { balance: add(-10) }, { when: { balance: gte(500) } }),
    shows: spare,
    allow: (accounts, older) => accounts.put(older, { ...id, balance: 500 }),
    leaves: balance(490),
  },
];

const isSeal = ({ input }: WireRequest) =>
  Object.values<Item>(input.ExpressionAttributeValues ?? {}).some((value) => String(value.N) === '1.5');

describeEachEngine('a refusal while another copy is on its way', (engine) => {
  const fences = () => ({ older: granted(account('a'), 41), lease: granted(account('a'), 42) });

  describe.each(refusals)('$reason', ({ reason, op, with: item, call, shows, allow, leaves }) => {
    const refusal = { ok: false, reason, ...shows };

    it('is sealed, so that the copy is refused when it comes', async () => {
      const late = straggler();
      const { accounts, others, stored, sent, refused } = await scene(engine, {
        with: item,
        rules: [{ on: { nth: 1 }, do: late }],
      });
      const { older, lease } = fences();
      expect(await call(accounts, lease, older)).toStrictEqual(refusal);
      expect(sent()).toEqual([op, ...refused(op, item), 'UpdateItem']);

      const sealed = item === undefined ? tombstone(lease, 1.5) : { ...item, ...stamp(lease, 1.5) };
      expect(await stored()).toEqual(sealed);
      expect(await allow(others, older)).toMatchObject({ ok: false, reason: 'fenced', lastToken: 42 });
      expect(await late.arrive()).toBe('refused');
      expect(await stored()).toEqual(sealed);

      expect(await accounts.put(lease, { ...id, balance: 7 })).toMatchObject({ ok: true, replayed: false });
      expect(await late.arrive()).toBe('refused');
      expect(await stored()).toEqual(live(balance(7), lease, 2));
    });

    // The limit of what a sender can know: docs/failure-modes.md.
    it('is final for the copies of its sender: one that something on the way made may still be applied, once', async () => {
      let arrive = () => {};
      const arrival = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const twice = duplicate({ after: arrival, copies: 2 });
      const { accounts, others, stored, faults } = await scene(engine, {
        with: item,
        rules: [{ on: { nth: 1 }, do: twice }],
      });
      const { older, lease } = fences();
      expect(await call(accounts, lease, older)).toStrictEqual(refusal);
      expect(await allow(others, older)).toMatchObject({ ok: true });
      arrive();
      await faults.idle();
      expect(twice.answers.map(({ statusCode }) => statusCode)).toEqual([200, 400]);
      expect(await stored()).toEqual(live(leaves, lease, 1));
    });

    it('needs no seal where every other copy was turned away', async () => {
      const { accounts, stored, sent, refused } = await scene(engine, {
        with: item,
        rules: [{ on: { nth: 1 }, do: throttle() }],
      });
      const { older, lease } = fences();
      expect(await call(accounts, lease, older)).toStrictEqual(refusal);
      expect(sent()).toEqual([op, ...refused(op, item)]);
      expect(await stored()).toEqual(item);
    });

    it('was none, where the copy came before the seal and was accepted', async () => {
      const late = straggler();
      const { older, lease } = fences();
      const table = await scene(engine, { with: item, rules: [{ on: { nth: 1 }, do: late }] });
      table.faults.add({
        on: { where: isSeal },
        do: overtakenBy(async () => {
          expect(await allow(table.others, older)).toMatchObject({ ok: true });
          expect(await late.arrive()).toBe('applied');
        }),
      });
      const result = await call(table.accounts, lease, older);
      expect(result).toMatchObject({ ok: true, replayed: true, version: `42.1.${lease.holder}` });
      expect(await table.stored()).toEqual(live(leaves, lease, 1, stamp(lease, 1.5)));
      expect(table.sent()).toEqual([op, ...table.refused(op, item), 'UpdateItem']);
      expect(await table.accounts.claim(lease, id)).toMatchObject({ ok: true });
    });

    it('was none, where a newer holder has claimed what the copy left', async () => {
      const late = straggler();
      const { older, lease } = fences();
      const newer = granted(account('a'), 43);
      const table = await scene(engine, { with: item, rules: [{ on: { nth: 1 }, do: late }] });
      table.faults.add({
        on: { where: isSeal },
        do: overtakenBy(async () => {
          await allow(table.others, older);
          await late.arrive();
          await table.others.claim(newer, id);
        }),
      });
      expect(await call(table.accounts, lease, older)).toMatchObject({ ok: true, replayed: true });
      const claimed = live(leaves, lease, 1, stamp(newer, 1));
      expect(await table.stored()).toEqual(claimed);
      table.sent();
      // It knows now that it is fenced.
      const next = await table.accounts.put(lease, { ...id, balance: 0 });
      expect(next).toMatchObject({ reason: 'fenced', lastToken: 43, applied: 'no' });
      expect(table.sent()).toEqual([]);
      expect(await table.stored()).toEqual(claimed);
    });

    it('is final also where the answer to the seal is lost', async () => {
      const late = straggler();
      const { older, lease } = fences();
      const { accounts, stored, sent, refused, faults } = await scene(engine, {
        with: item,
        rules: [
          { on: { nth: 1 }, do: late },
          { on: { where: isSeal, nth: 1 }, do: dropResponse() },
        ],
      });
      expect(await call(accounts, lease, older)).toStrictEqual(refusal);
      const sealed = item === undefined ? tombstone(lease, 1.5) : { ...item, ...stamp(lease, 1.5) };
      expect(sent()).toEqual([op, ...refused(op, item), 'UpdateItem', ...refused('UpdateItem', sealed)]);
      expect(faults.bites('dropResponse')).toBe(1);
      expect(await late.arrive()).toBe('refused');
      expect(await stored()).toEqual(sealed);
    });

    it('is fenced where a newer holder came before the seal: nobody knows what the copy did', async () => {
      const late = straggler();
      const { older, lease } = fences();
      const newer = granted(account('a'), 43);
      const table = await scene(engine, { with: item, rules: [{ on: { nth: 1 }, do: late }] });
      table.faults.add({
        on: { where: isSeal },
        do: overtakenBy(() => table.others.claim(newer, id)),
      });
      const fenced = {
        ...{ ok: false, reason: 'fenced', resource: account('a'), token: 42, holder: lease.holder },
        ...{ lastToken: 43, lastHolder: newer.holder },
      };
      expect(await call(table.accounts, lease, older)).toStrictEqual({ ...fenced, applied: 'unknown' });
      table.sent();
      expect(await table.accounts.claim(lease, id)).toStrictEqual({ ...fenced, applied: 'no' });
      expect(table.sent()).toEqual([]);
      expect(await late.arrive()).toBe('refused');
      expect(await table.stored()).toEqual(
        item === undefined ? tombstone(newer, 1) : { ...item, ...stamp(newer, 1) },
      );
    });

    it('is unknown where the seal cannot be placed', async () => {
      const late = straggler();
      const { older, lease } = fences();
      const { accounts, stored, faults } = await scene(engine, {
        with: item,
        rules: [
          { on: { nth: 1 }, do: late },
          { on: { where: isSeal }, do: throttle() },
        ],
      });
      const error = await call(accounts, lease, older).catch((e) => e);
      expect(error).toMatchObject({
        ...{ code: 'outcome-unknown', applied: 'unknown', next: 'resolve' },
        cause: { name: 'ProvisionedThroughputExceededException' },
      });
      expect(faults.bites('throttle')).toBe(4);
      expect(await stored()).toEqual(item);
      // Asked again, it finds the same, and now the seal holds.
      faults.heal();
      expect(await error.resolve()).toStrictEqual(refusal);
      expect(await late.arrive()).toBe('refused');
      expect(await stored()).toEqual(
        item === undefined ? tombstone(lease, 1.5) : { ...item, ...stamp(lease, 1.5) },
      );
    });

    it('is unknown where a seal may come late, and final once it has come', async () => {
      const [late, lateSeal] = [straggler(), straggler()];
      const { older, lease } = fences();
      const { accounts, stored, faults } = await scene(engine, {
        with: item,
        rules: [
          { on: { nth: 1 }, do: late },
          { on: { where: isSeal, nth: 1 }, do: lateSeal },
          { on: { where: isSeal }, do: throttle() },
        ],
      });
      const error = await call(accounts, lease, older).catch((e) => e);
      expect(error).toMatchObject({ code: 'outcome-unknown' });
      faults.heal();
      expect(await lateSeal.arrive()).toBe('applied');
      expect(await error.resolve()).toStrictEqual(refusal);
      expect(await late.arrive()).toBe('refused');
      expect(await stored()).toEqual(
        item === undefined ? tombstone(lease, 1.5) : { ...item, ...stamp(lease, 1.5) },
      );
    });
  });

  it('an item that was never fenced is adopted by the seal', async () => {
    const late = straggler();
    const unfenced = { id: { S: 'a' }, ...balance(100) };
    const { accounts, stored, sent, refused } = await scene(engine, {
      with: unfenced,
      rules: [{ on: { nth: 1 }, do: late }],
    });
    const { lease } = fences();
    const version = `42.1.5.${lease.holder}`;
    const result = await accounts.create(lease, { ...id, balance: 1 });
    expect(result).toStrictEqual({ ok: false, reason: 'exists', item: { id: 'a', balance: 100 }, version });
    const claim = refused('UpdateItem', unfenced);
    expect(sent()).toEqual(['PutItem', ...refused('PutItem', unfenced), ...claim, 'UpdateItem']);
    const sealed = { ...unfenced, ...stamp(lease, 1.5), _fenceVersion: { S: version } };
    expect(await stored()).toEqual(sealed);
    expect(await late.arrive()).toBe('refused');
    expect(await accounts.put(lease, { ...id, balance: 2 }, { ifVersion: version })).toMatchObject({
      ok: true,
    });
    expect(await stored()).toEqual(live(balance(2), lease, 2));
  });

  describe('of a delete', () => {
    const deleteIfRich = (accounts: Accounts, fence: Fence) =>
      accounts.delete(fence, id, { when: { balance: gte(500) } });

    it('is final where the seal finds the item', async () => {
      const late = straggler();
      const { accounts, stored } = await scene(engine, { with: full, rules: [{ on: { nth: 1 }, do: late }] });
      const { lease } = fences();
      expect(await deleteIfRich(accounts, lease)).toStrictEqual({ ok: false, reason: 'condition', ...spare });
      expect(await late.arrive()).toBe('refused');
      expect(await stored()).toEqual({ ...full, ...stamp(lease, 1.5) });
    });

    it.each([
      ['its own late copy', (late: () => Promise<unknown>) => late()],
      ['somebody else', (_: unknown, accounts: Accounts, older: Fence) => accounts.delete(older, id)],
    ])('is unknown where the seal finds no item, deleted by %s', async (_, remove) => {
      const late = straggler();
      const { older, lease } = fences();
      const table = await scene(engine, { with: full, rules: [{ on: { nth: 1 }, do: late }] });
      table.faults.add({
        on: { where: isSeal, nth: 1 },
        do: overtakenBy(async () => {
          await table.others.put(older, { ...id, balance: 500 });
          await remove(() => late.arrive(), table.others, older);
        }),
      });
      const error = await deleteIfRich(table.accounts, lease).catch((e) => e);
      expect(error).toMatchObject({ code: 'outcome-unknown' });
      expect(await table.stored()).toEqual(tombstone(lease, 1.5));
      // Nobody will ever know, but the item is gone, and the lease can go on.
      await expect(error.resolve()).rejects.toMatchObject({ code: 'outcome-unknown' });
      expect(await table.accounts.create(lease, { ...id, balance: 3 })).toMatchObject({ ok: true });
      expect(await table.stored()).toEqual(live(balance(3), lease, 2));
    });
  });

  it.each(['put', 'claim'] as const)(
    '%s depends on nothing that is there, so it is never sealed',
    async (verb) => {
      const late = straggler();
      const { accounts, sent } = await scene(engine, { with: full, rules: [{ on: { nth: 1 }, do: late }] });
      const { lease } = fences();
      await (verb === 'put' ? accounts.put(lease, { ...id, balance: 1 }) : accounts.claim(lease, id));
      const op = verb === 'put' ? 'PutItem' : 'UpdateItem';
      expect(sent()).toEqual([op, op]);
      expect(await late.arrive()).toBe('refused');
    },
  );
});
