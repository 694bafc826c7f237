import { expect, it } from 'vitest';
import type { Fence } from '../../../src/index.ts';
import { dropResponse } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { type Item, scene } from './scene.ts';
import { balance, live, tombstone } from './stored.ts';
import { full, id, withdraw } from './withdraw.ts';

describeEachEngine('deletes whose answers are lost', (engine) => {
  const lossy = (item: Item | 'nothing' = full) =>
    scene(engine, {
      with: item === 'nothing' ? undefined : item,
      rules: [{ on: { nth: [1, 3, 5] }, do: dropResponse() }],
    });

  it('an older holder deletes nothing', async () => {
    const { accounts, others, stored } = await lossy();
    const young = granted(account('a'), 42);
    await others.put(young, { ...id, balance: 1 });
    expect(await accounts.delete(granted(account('a'), 41), id)).toMatchObject({ reason: 'fenced' });
    expect(await stored()).toEqual(live(balance(1), young, 1));
  });

  it('an older holder brings nothing back', async () => {
    const { accounts, others, stored } = await lossy();
    const young = granted(account('a'), 42);
    expect(await accounts.delete(young, id)).toMatchObject({ ok: true, replayed: true });
    const writes: ((by: Fence) => Promise<unknown>)[] = [
      (by) => others.create(by, { ...id }),
      (by) => others.put(by, { ...id }),
      (by) => withdraw(others, by),
    ];
    for (const write of writes) {
      expect(await write(granted(account('a'), 41))).toMatchObject({ reason: 'fenced', lastToken: 42 });
    }
    expect(await others.get(id)).toBeUndefined();
    expect(await stored()).toEqual(tombstone(young, 1));
  });

  it('of nothing fences the absence', async () => {
    const { accounts, others, stored } = await lossy('nothing');
    const young = granted(account('a'), 42);
    expect(await accounts.delete(young, id)).toMatchObject({ ok: true, item: undefined });
    expect(await others.create(granted(account('a'), 41), { ...id })).toMatchObject({ reason: 'fenced' });
    expect(await stored()).toEqual(tombstone(young, 1));
  });

  it('of an item that is created again under the same id', async () => {
    const { accounts, stored } = await lossy();
    const lease = granted(account('a'), 42);
    expect(await accounts.delete(lease, id)).toMatchObject({ ok: true, replayed: true });
    expect(await accounts.create(lease, { ...id, balance: 2 })).toMatchObject({ ok: true });
    expect(await accounts.delete(lease, id)).toMatchObject({ ok: true });
    expect(await accounts.create(lease, { ...id, balance: 3 })).toMatchObject({ ok: true });
    expect(await stored()).toEqual(live(balance(3), lease, 4));
  });

  it('an update of a missing item makes no ghost', async () => {
    const { accounts, stored } = await lossy('nothing');
    // The first copy was refused too, but nobody knows: so the absence is sealed.
    const lease = granted(account('a'), 42);
    expect(await withdraw(accounts, lease)).toEqual({ ok: false, reason: 'not-found' });
    expect(await accounts.get(id)).toBeUndefined();
    expect(await stored()).toEqual(tombstone(lease, 1.5));
  });
});
