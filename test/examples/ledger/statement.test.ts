import { expect, it } from 'vitest';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { branch, moved } from './branch.ts';

describeEachEngine('a statement', (engine) => {
  it('has all lines of an account in the order of the transfers, page by page, whatever the clock did', async () => {
    const { process, deposit, clock } = await branch(engine);
    await deposit('ann', 100);
    await deposit('bob', 100);
    const ledger = process('a');
    const keys = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6'];
    for (const [index, key] of keys.entries()) {
      const [from, to] = index % 2 === 0 ? ['ann', 'bob'] : ['bob', 'ann'];
      moved(await ledger.transfer(from as string, to as string, index + 1, key));
      await clock.advance(index);
    }
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const from = cursor === undefined ? {} : { cursor };
      const page = await ledger.statement('ann', { limit: 3, ...from });
      pages.push(page.items.map(({ entry, amount }) => `${entry} ${amount}`));
      cursor = page.cursor;
      // What is added behind a cursor does not move what was read, and is met later.
      if (pages.length === 1) moved(await ledger.transfer('ann', 'bob', 9, 'k7'));
    } while (cursor !== undefined);
    expect(pages.slice(0, 2)).toEqual([
      ['deposit-1 100', 'k1 -1', 'k2 2'],
      ['k3 -3', 'k4 4', 'k5 -5'],
    ]);
    expect(pages.flat().slice(6)).toEqual(['k6 6', 'k7 -9']);
  });

  it('begins with the newest line where that is asked for', async () => {
    const { process, deposit } = await branch(engine);
    await deposit('ann', 100);
    await deposit('bob', 0);
    const ledger = process('a');
    for (const key of ['k1', 'k2', 'k3']) moved(await ledger.transfer('ann', 'bob', 1, key));
    const { items } = await ledger.statement('ann', { limit: 2, newestFirst: true });
    expect(items.map(({ entry }) => entry)).toEqual(['k3', 'k2']);
  });

  it('of an account that nothing happened to has no lines', async () => {
    const { process } = await branch(engine);
    expect(await process('a').statement('nobody')).toEqual({ items: [], cursor: undefined });
  });
});
