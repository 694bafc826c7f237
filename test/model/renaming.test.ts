import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Step, Storage } from '../simulation/storage.ts';
import { schedules } from './event.ts';
import { type Executor, renamed } from './renaming.ts';
import { happen } from './run.ts';

it('the engine answers the same under other names: 40 random histories, each request both ways', async () => {
  await using accounts = await Storage.open('accounts', 'id', { returnItems: true });
  await using leases = await Storage.open('leases', 'resource', { returnItems: true });
  let asked = 0;
  const bothWays = (engine: Storage): Executor => {
    const other = renamed(engine);
    return {
      async execute(row, op, input) {
        const step = await engine.execute(row, op, input);
        expect(plain(await other.execute(row, op, input))).toEqual(plain(step));
        asked += 1;
        return step;
      },
    };
  };
  const engines = { accounts: bothWays(accounts), leases: bothWays(leases) };
  const all = { size: 0, of: () => engines, [Symbol.asyncDispose]: async () => {} };
  for (const schedule of fc.sample(schedules, { seed: 7, numRuns: 40 })) {
    expect((await happen(schedule, all)).broken).toBeUndefined();
  }
  expect(asked).toBeGreaterThan(300);
});

function plain({ row, answer }: Step): unknown {
  if ('output' in answer) return { row, output: answer.output };
  const { name, message } = answer.error;
  return { row, error: { ...answer.error, name, message } };
}
