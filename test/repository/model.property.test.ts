import fc from 'fast-check';
import { expect, it } from 'vitest';
import { add, gte } from '../../src/expressions.ts';
import type { ConditionalWriteOptions, Fence } from '../../src/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type Account, type Accounts, account, accountsIn } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { testTable } from '../support/test-table.ts';
import { ModelledAccount, type Step } from './modelled-account.ts';

const steps = fc.array(
  fc.record<Step>({
    by: fc.nat({ max: 2 }),
    verb: fc.constantFrom('create', 'put', 'update', 'upsert', 'delete', 'claim', 'modify'),
    amount: fc.integer({ min: -5, max: 5 }),
    least: fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined, freq: 3 }),
    version: fc.option(fc.nat({ max: 2 }), { nil: undefined, freq: 3 }),
  }),
  { minLength: 5, maxLength: 25 },
);

function take(
  accounts: Accounts,
  fence: Fence,
  { verb, amount, least }: Step,
  ifVersion: string | undefined,
) {
  const options: ConditionalWriteOptions<Account> = {
    ...(least === undefined ? {} : { when: { balance: gte(least) } }),
    ...(ifVersion === undefined ? {} : { ifVersion }),
  };
  const key = { id: 'a' };
  const item = { id: 'a', balance: amount };
  switch (verb) {
    case 'create':
      return accounts.create(fence, item);
    case 'put':
      return accounts.put(fence, item, options);
    case 'update':
      return accounts.update(fence, key, { balance: add(amount) }, options);
    case 'upsert':
      return accounts.update(fence, key, { balance: add(amount) }, { ...options, upsert: true });
    case 'delete':
      return accounts.delete(fence, key, options);
    case 'claim':
      return accounts.claim(fence, key);
    case 'modify':
      return accounts.modify(fence, key, () => item);
  }
}

describeEachEngine('whatever three holders do to an item', (engine) => {
  it('is what the words of the documentation say', async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (sequence, wasThere) => {
        const table = await testTable(engine);
        const accounts = accountsIn(table);
        if (wasThere) await table.plant({ id: { S: 'a' }, balance: { N: '3' } });
        // Two of them were granted the same number, as no issuer should.
        const holders = [41, 42, 42].map((token) => granted(account('a'), token));
        const model = new ModelledAccount(holders, wasThere ? { id: 'a', balance: 3 } : undefined);
        const versions = ['unfenced', 'none'];
        for (const step of sequence) {
          const takesVersion = ['put', 'update', 'upsert', 'delete'].includes(step.verb);
          const ifVersion =
            step.version === undefined || !takesVersion ? undefined : versions.at(-1 - step.version);
          const bare = takesVersion ? step : { ...step, least: undefined };
          const expected = model.take(bare, ifVersion);
          const result = await take(accounts, holders[step.by] as Fence, bare, ifVersion);
          expect(result).toMatchObject(expected);
          expect(await accounts.get({ id: 'a' })).toEqual(model.seen);
          if (model.seen !== undefined && !versions.includes(model.seen.version))
            versions.push(model.seen.version);
          outcomes.add(result.ok ? `${step.verb} ok` : result.reason);
        }
        const stored = await table.stored({ id: { S: 'a' } });
        expect(stored?._fence).toEqual(model.last && { N: String(model.last.token) });
        expect(stored?._fenceHolder).toEqual(model.last && { S: model.last.holder });
      }),
      { numRuns: 12, seed: 7 },
    );
    // Nothing of this is worth much if it did not happen.
    expect([...outcomes].sort()).toEqual([
      'claim ok',
      'condition',
      'create ok',
      'delete ok',
      'exists',
      'fenced',
      'modify ok',
      'not-found',
      'put ok',
      'token-reused',
      'update ok',
      'upsert ok',
      'version',
    ]);
  });
});
