import { expect, it } from 'vitest';
import { add } from '../../../src/expressions.ts';
import { dropResponse } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene } from './scene.ts';
import { balance, before, live } from './stored.ts';

const writes = 200;

describeEachEngine('200 withdrawals at once, a fifth of all answers lost', (engine) => {
  it('are applied 200 times', async () => {
    const { accounts, stored, faults } = await scene(engine, {
      with: live(balance(writes), before, 5),
      maxAttempts: 20,
    });
    faults.add({ on: { op: 'UpdateItem' }, do: dropResponse(), probability: 0.2 });
    const lease = granted(account('a'), 42);
    const results = await Promise.all(
      Array.from({ length: writes }, () =>
        accounts.update(lease, { id: 'a' }, { balance: add(-1) }, { timeoutMs: 60_000 }),
      ),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(writes);
    expect(await stored()).toEqual(live(balance(0), lease, writes));
    const lost = faults.bites('dropResponse');
    const replayed = results.filter((result) => result.ok && result.replayed).length;
    console.log(
      `[${engine.name}] ${writes} withdrawals, ${lost} answers lost, ${replayed} found on a second look`,
    );
    expect(lost).toBeGreaterThan(writes / 10);
    expect(replayed).toBeGreaterThan(writes / 10);
  });
});
