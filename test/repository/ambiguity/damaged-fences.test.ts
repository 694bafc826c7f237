import { expect, it } from 'vitest';
import { add } from '../../../src/expressions.ts';
import { type Fence, fence } from '../../../src/index.ts';
import { dropResponse, reset } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { type Accounts, account } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { type Item, scene } from './scene.ts';
import { balance, before, live, stamp } from './stored.ts';
import { overtakenBy } from './straggler.ts';
import { full, id, withdraw } from './withdraw.ts';

const damages: readonly [what: string, damage: Item, token: number][] = [
  ['text', { _fence: { S: '9' } }, 10],
  ['null', { _fence: { NULL: true } }, 42],
  ['a list', { _fence: { L: [] } }, 42],
  ['a fraction', { _fence: { N: '42.5' } }, 42],
  ['2^53 + 1', { _fence: { N: '9007199254740993' } }, 42],
  ['38 digits', { _fence: { N: '9'.repeat(38) } }, 42],
];

describeEachEngine('a stored fence that could never have been issued', (engine) => {
  it.each(damages)('%s refuses everybody, and is not compared with anything', async (_, damage, token) => {
    const item = { ...full, ...damage };
    const { accounts, stored } = await scene(engine, { with: item });
    for (const by of [granted(account('a'), token), fence(account('a'), token)]) {
      await expect(withdraw(accounts, by)).rejects.toMatchObject({
        ...{ code: 'corrupt-fence', next: 'final', message: expect.stringContaining('{"id":"a"}') },
      });
      // It says nothing about the lease, which is asked again.
      await expect(accounts.claim(by, id)).rejects.toMatchObject({ code: 'corrupt-fence' });
    }
    expect(await stored()).toEqual(item);
  });

  it.each([
    ['create', (accounts: Accounts, by: Fence) => accounts.create(by, { ...id })],
    ['put', (accounts: Accounts, by: Fence) => accounts.put(by, { ...id, balance: 0 })],
    ['delete', (accounts: Accounts, by: Fence) => accounts.delete(by, id)],
  ] as const)('refuses %s', async (_, write) => {
    const item = { ...full, _fence: { S: '41' } };
    const { accounts, stored } = await scene(engine, { with: item });
    await expect(write(accounts, granted(account('a'), 42))).rejects.toMatchObject({ code: 'corrupt-fence' });
    expect(await stored()).toEqual(item);
  });

  it.each(damages)('%s, with a copy on its way: unknown', async (_, damage, token) => {
    const item = { ...full, ...damage };
    const { accounts, stored } = await scene(engine, {
      with: item,
      rules: [{ on: { nth: 1 }, do: reset() }],
    });
    await expect(withdraw(accounts, granted(account('a'), token))).rejects.toMatchObject({
      ...{ code: 'outcome-unknown', cause: { code: 'corrupt-fence' } },
    });
    expect(await stored()).toEqual(item);
  });

  it('a damaged fence over our own content: that was applied', async () => {
    const table = await scene(engine, { with: full });
    const lease = granted(account('a'), 42);
    const damaged = { ...live(balance(90), lease, 1), _fence: { S: '42' } };
    table.faults.add(
      { on: { nth: 1 }, do: dropResponse() },
      { on: { nth: 2 }, do: overtakenBy(() => table.plant(damaged)) },
    );
    expect(await withdraw(table.accounts, lease)).toMatchObject({ ok: true, replayed: true });
    expect(await table.stored()).toEqual(damaged);
  });

  it.each([
    ['text', { _fenceSeq: { S: '1' } }],
    ['missing', undefined],
  ])('a request number that is %s, where it counts', async (_, damage) => {
    const lease = granted(account('a'), 42);
    const { _fenceSeq, ...rest } = live(balance(100), lease, 5);
    const item = { ...rest, ...damage };
    const { accounts, stored } = await scene(engine, { with: item });
    await expect(withdraw(accounts, lease)).rejects.toMatchObject({ code: 'corrupt-fence' });
    expect(await stored()).toEqual(item);
    // Under a larger token it does not count, and is repaired.
    const newer = granted(account('a'), 43);
    expect(await withdraw(accounts, newer)).toMatchObject({ ok: true });
    expect(await stored()).toEqual(live(balance(90), newer, 1));
  });

  it('a holder that is no text: nobody is kept apart from it', async () => {
    const item = { ...live(balance(100), before, 5), _fenceHolder: { NULL: true as const } };
    const { accounts, stored } = await scene(engine, { with: item });
    await expect(withdraw(accounts, fence(account('a'), 40))).rejects.toMatchObject({
      code: 'corrupt-fence',
    });
    expect(await withdraw(accounts, granted(account('a'), 40))).toMatchObject({
      ...{ reason: 'token-reused', lastHolder: undefined },
    });
    expect(await withdraw(accounts, granted(account('a'), 39))).toMatchObject({
      reason: 'fenced',
      lastToken: 40,
    });
    expect(await stored()).toEqual(item);
  });

  it.each(['-1', '41.5', '0'])('%s is smaller than 42, and repaired by it', async (N) => {
    const { accounts, stored } = await scene(engine, { with: { ...full, _fence: { N } } });
    const lease = granted(account('a'), 42);
    expect(await withdraw(accounts, lease)).toMatchObject({ ok: true });
    expect(await stored()).toEqual(live(balance(90), lease, 1));
  });

  it('a refusal tells the stored token as a number', async () => {
    const { accounts } = await scene(engine, { with: { ...full, _fence: { N: '9007199254740991' } } });
    expect(await withdraw(accounts, granted(account('a'), 42))).toMatchObject({
      ...{ reason: 'fenced', lastToken: 9_007_199_254_740_991, lastHolder: 'before' },
    });
  });
});

describeEachEngine('an item without a fence, where those are refused', (engine) => {
  const unfenced = { id: { S: 'a' }, ...balance(100) };
  const verbs: readonly [string, (accounts: Accounts, by: Fence) => Promise<unknown>][] = [
    ['update', withdraw],
    ['upsert', (accounts, by) => accounts.update(by, id, { balance: add(1) }, { upsert: true })],
    ['put', (accounts, by) => accounts.put(by, { ...id, balance: 0 })],
    ['create', (accounts, by) => accounts.create(by, { ...id, balance: 0 })],
    ['delete', (accounts, by) => accounts.delete(by, id)],
    ['claim', (accounts, by) => accounts.claim(by, id)],
  ];

  it.each(verbs)('refuses %s', async (verb, write) => {
    const { accounts, stored, sent, refused } = await scene(engine, { with: unfenced, unfenced: 'refuse' });
    for (const by of [granted(account('a'), 42), fence(account('a'), 42)]) {
      await expect(write(accounts, by)).rejects.toMatchObject({ code: 'unfenced-item', next: 'final' });
    }
    const op = ['update', 'upsert', 'claim'].includes(verb) ? 'UpdateItem' : 'PutItem';
    expect(sent()).toEqual([...refused(op, unfenced), ...refused(op, unfenced)]);
    expect(await stored()).toEqual(unfenced);
  });

  it.each(verbs)('%s, with a copy on its way: unknown', async (_, write) => {
    const { accounts, stored } = await scene(engine, {
      ...{ with: unfenced, unfenced: 'refuse' },
      rules: [{ on: { nth: 1 }, do: reset() }],
    });
    await expect(write(accounts, granted(account('a'), 42))).rejects.toMatchObject({
      ...{ code: 'outcome-unknown', cause: { code: 'unfenced-item' } },
    });
    expect(await stored()).toEqual(unfenced);
  });

  it('lets absent and fenced ones pass, retries included', async () => {
    const { accounts, stored } = await scene(engine, {
      ...{ unfenced: 'refuse' },
      rules: [{ on: { nth: [1, 3] }, do: dropResponse() }],
    });
    const lease = granted(account('a'), 42);
    expect(await accounts.create(lease, { ...id, balance: 1 })).toMatchObject({ ok: true, replayed: true });
    expect(await withdraw(accounts, lease)).toMatchObject({ ok: true, item: { balance: -9 } });
    expect(await accounts.delete(lease, id)).toMatchObject({ ok: true });
    expect(await accounts.claim(lease, id)).toMatchObject({ ok: true, item: undefined });
    expect(await stored()).toEqual({ id: { S: 'a' }, ...stamp(lease, 4) });
  });
});
