import { expect, it } from 'vitest';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { unbitten, violations } from './invariants.ts';
import { planOf } from './plan.ts';
import { runBank } from './run-bank.ts';

const seed = Number(process.env.BANK_SEED ?? 1);

describeEachEngine(
  'the bank',
  (engine) => {
    it.skipIf(process.platform === 'win32')(
      `keeps its money, whoever is stopped, killed or not heard (BANK_SEED=${seed})`,
      async () => {
        const plan = planOf({ seed, transfers: 80, accounts: 20 });
        const run = await runBank(engine.running, plan, { workers: 3 });
        expect(await violations(plan, run)).toEqual([]);
        expect(unbitten(plan, run)).toEqual([]);
        expect(run.killed).toBe(2);
      },
    );
  },
  { only: ['local', 'dynoxide'] },
);

it('a plan depends on nothing but its seed', () => {
  const plan = (seed: number) => planOf({ seed, transfers: 150, accounts: 20 });
  expect(plan(1)).toEqual(plan(1));
  expect(plan(2)).not.toEqual(plan(1));
});
