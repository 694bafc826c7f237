import { expect, it } from 'vitest';
import { sessionOf } from '../../../src/fence/fence.ts';
import { type Fault, reset, throttle } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account, accountsIn } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene } from './scene.ts';
import { balance, live } from './stored.ts';
import { overtakenBy } from './straggler.ts';
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

  it('sends no further copy: of one that was throttled', async () => {
    const { accounts, lease, sent, stored } = await releasedOnTheWay(throttle());
    expect(await withdraw(accounts, lease)).toMatchObject({ ok: false, reason: 'contention' });
    expect(sent()).toEqual(['UpdateItem']);
    expect(await stored()).toEqual(full);
  });

  it('sends no further copy: of one that was lost, until resolve() asks what became of it', async () => {
    const { accounts, lease, sent, stored } = await releasedOnTheWay(reset());
    const error = await withdraw(accounts, lease).catch((e) => e);
    expect(error).toMatchObject({ code: 'outcome-unknown', applied: 'unknown' });
    expect(sent()).toEqual(['UpdateItem']);
    expect(await stored()).toEqual(full);
    expect(await error.resolve()).toMatchObject({ ok: true, replayed: false, item: { balance: 90 } });
    expect(await stored()).toEqual(live(balance(90), lease, 1));
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
