import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/source-tree.ts';
import { withMutants } from './mutant-table.ts';
import { type Killed, killMutants, mutants } from './mutants.ts';

describe('a protocol that leaves one rule out', () => {
  let killed: readonly Killed[];
  beforeAll(async () => {
    killed = await killMutants();
  }, 120_000);

  it.each(mutants)('$name: a random history and the search find a broken promise', ({ name }) => {
    const found = killed.find((it) => it.name === name);
    expect(found?.promise).toMatch(caughtAs[name] ?? /^$/);
    expect(found?.promiseInSearch).toMatch(caughtAs[name] ?? /^$/);
  });

  it('docs/testing.md tells how soon (else: npm run docs:mutants)', () => {
    const document = readFileSync(`${root}docs/testing.md`, 'utf8');
    expect(document).toBe(withMutants(document, killed));
  });
});

/** What each of them may break. A request that the engine cannot read, say, would prove nothing. */
const caughtAs: Readonly<Record<string, RegExp>> = {
  'no fence': /older holder|older token|applied twice/,
  '`<` only': /every answer arrived/,
  'no seq': /applied twice/,
  'hard delete': /older holder|older token|applied twice/,
  'no claim on absent keys': /an update was lost/,
  'renew without grant check': /a grant that is not its own/,
};
