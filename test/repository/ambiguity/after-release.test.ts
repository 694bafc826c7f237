import { expect, it } from 'vitest';
import { sessionOf } from '../../../src/fence/fence.ts';
import { dropResponse, type Fault, reset, throttle } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account, accountsIn } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene } from './scene.ts';
import { balance, live } from './stored.ts';
import { overtakenBy, straggler } from './straggler.ts';
import { full, withdraw } from './withdraw.ts';

describeEachEngine('a lease that is released while it writes', (engine) => {
  const releasedOnTheWay = async (fault: Fault) => {
    const lease = granted(account('a'), 42);
    const release = overtakenBy(async () => sessionOf(lease).markReleased());
    return {
      ...(await scene(engine, { with: full, rules: [{ on: { nth: 1 }, do: [release, fault] }] })),
      lease,
    };
  };
  const unknown = { code: 'outcome-unknown', applied: 'unknown' };

  it('sends no further copy: of one that was throttled', async () => {
    const { accounts, lease, sent, stored } = await releasedOnTheWay(throttle());
    expect(await withdraw(accounts, lease)).toMatchObject({ ok: false, reason: 'contention' });
    expect(sent()).toEqual(['UpdateItem']);
    expect(await stored()).toEqual(full);
  });

  it('sends no further copy: of one that was lost, and resolve() only looks for it', async () => {
    const { accounts, lease, sent, stored } = await releasedOnTheWay(reset());
    const error = await withdraw(accounts, lease).catch((e) => e);
    expect(error).toMatchObject(unknown);
    await expect(error.resolve()).rejects.toMatchObject(unknown);
    expect(sent()).toEqual(['UpdateItem', 'GetItem']);
    expect(await stored()).toEqual(full);
  });

  it('finds with resolve() what was applied', async () => {
    const { accounts, lease, sent, stored } = await releasedOnTheWay(dropResponse());
    const error = await withdraw(accounts, lease).catch((e) => e);
    expect(await error.resolve()).toMatchObject({ ok: true, replayed: true, item: { balance: 90 } });
    expect(sent()).toEqual(['UpdateItem', 'GetItem']);
    expect(await stored()).toEqual(live(balance(90), lease, 1));
  });

  it('finds with resolve() what arrived late', async () => {
    const late = straggler();
    const { accounts, lease } = await releasedOnTheWay(late);
    const error = await withdraw(accounts, lease).catch((e) => e);
    await expect(error.resolve()).rejects.toMatchObject(unknown);
    expect(await late.arrive()).toBe('applied');
    expect(await error.resolve()).toMatchObject({ ok: true, replayed: true, item: { balance: 90 } });
  });

  it('is noticed when the credentials were slow: nothing leaves', async () => {
    const { tableName, wire, stored } = await scene(engine, { with: full });
    const lease = granted(account('a'), 42);
    const credentials = async () => {
      sessionOf(lease).markReleased();
      return { accessKeyId: 'a', secretAccessKey: 'b' };
    };
    const accounts = accountsIn({
      client: engine.client({ requestHandler: wire, credentials }),
      tableName,
    });
    await expect(withdraw(accounts, lease)).rejects.toMatchObject({ code: 'lease-released' });
    expect(wire.ops).toEqual([]);
    expect(await stored()).toEqual(full);
  });
});
