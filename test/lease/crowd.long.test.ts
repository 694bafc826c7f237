import { expect, it } from 'vitest';
import { unwrap } from '../../src/fence/unwrap.ts';
import { seededRandom } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { testLeases } from './lease-table.ts';

const CROWD = 200;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describeEachEngine('200 processes that want one lease', (engine) => {
  it('at once: one of them gets it', async () => {
    const { process, stored } = await testLeases(engine);
    const results = await Promise.all(Array.from({ length: CROWD }, (_, n) => process(`p${n}`).acquire('r')));
    const granted = results.flatMap((result) => (result.ok ? [result.lease] : []));
    expect(granted).toHaveLength(1);
    expect(new Set(results.map((result) => (result.ok ? result.lease.token : result.token))).size).toBe(1);
    expect(await stored()).toMatchObject({ holder: { S: granted[0]?.holder } });
  });

  it('waiting for each other: one at a time, with growing tokens, and everybody has a turn', async () => {
    const { process, clock, passing, stored } = await testLeases(engine);
    const tokens: number[] = [];
    let inside = 0;
    let most = 0;
    const turn = async (n: number) => {
      const result = await process(`p${n}`, { random: seededRandom(n) }).using(
        'r',
        { waitMs: 60_000 },
        async ({ token }) => {
          inside++;
          most = Math.max(most, inside);
          tokens.push(token);
          // Gives the others every chance to come in.
          await nextTurn();
          inside--;
        },
      );
      unwrap(result);
    };
    await passing(clock, Promise.all(Array.from({ length: CROWD }, (_, n) => turn(n))));
    expect(most).toBe(1);
    expect(tokens).toHaveLength(CROWD);
    expect(tokens.every((token, n) => n === 0 || token > (tokens[n - 1] ?? 0))).toBe(true);
    expect(Object.keys((await stored()) ?? {}).sort()).toEqual(['resource', 'token']);
  });
});
