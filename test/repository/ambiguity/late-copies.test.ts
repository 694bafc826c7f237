import { describe, expect, it } from 'vitest';
import type { Fence } from '../../../src/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { type Accounts, account } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene } from './scene.ts';
import { overtakenBy, straggler } from './straggler.ts';
import { verbs } from './verbs.ts';
import { id } from './withdraw.ts';

/** What may be written after a write and before its late copy. */
const later: Readonly<Record<string, (accounts: Accounts, fence: Fence) => Promise<{ ok: boolean }>>> = {
  claim: (accounts, fence) => accounts.claim(fence, id),
  put: (accounts, fence) => accounts.put(fence, { ...id, balance: 100 }),
  delete: (accounts, fence) => accounts.delete(fence, id),
};

describeEachEngine('a late copy', (engine) => {
  describe.each(Object.entries(verbs))('of %s', (_, verb) => {
    it('changes nothing, whatever was written before it arrives', async () => {
      const late = straggler();
      const { accounts, others, stored } = await scene(engine, {
        with: verb.with,
        rules: [{ on: { nth: 1 }, do: late }],
      });
      const lease = granted(account('a'), 42);
      expect(await verb.call(accounts, lease)).toMatchObject({ ok: true, replayed: false });
      expect(await late.arrive()).toBe('refused');
      expect(await stored()).toEqual(verb.leaves(lease));

      for (const fence of [lease, granted(account('a'), 43)]) {
        for (const [name, write] of Object.entries(later)) {
          expect(await write(others, fence), name).toMatchObject({ ok: true });
          const written = await stored();
          expect(await late.arrive(), `after ${name}`).toBe('refused');
          expect(await stored()).toEqual(written);
        }
      }
    });

    it('that is the first to arrive is the one that counts', async () => {
      const late = straggler();
      const { accounts, stored, sent, refused } = await scene(engine, {
        with: verb.with,
        rules: [
          { on: { nth: 1 }, do: late },
          // The second copy leaves when the first has arrived.
          { on: { nth: 2 }, do: overtakenBy(() => late.arrive()) },
        ],
      });
      const lease = granted(account('a'), 42);
      expect(await verb.call(accounts, lease)).toMatchObject({ ok: true, replayed: true });
      expect(await stored()).toEqual(verb.leaves(lease));
      expect(sent()).toEqual([verb.op, ...refused(verb.op, verb.leaves(lease))]);
    });
  });
});
