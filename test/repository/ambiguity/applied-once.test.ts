import { describe, expect, it } from 'vitest';
import {
  abortBody,
  conflict,
  cutAnswer,
  dropResponse,
  type Fault,
  refuse,
  reset,
  serverError,
  throttle,
} from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene } from './scene.ts';
import { balance } from './stored.ts';
import { verbs } from './verbs.ts';

interface Loss {
  readonly loss: string;
  readonly fault: Fault;
  /** Whether the copy was applied all the same. */
  readonly applied: boolean;
}

/** What may happen to the first copy of a write. */
const losses: readonly Loss[] = [
  { loss: 'its answer is lost', fault: dropResponse(), applied: true },
  { loss: 'a 500 comes after it was applied', fault: serverError({ applied: true }), applied: true },
  { loss: 'it is lost', fault: reset(), applied: false },
  { loss: 'a 500 comes instead', fault: serverError(), applied: false },
];

/** What comes to the same, so that one verb is enough. */
const more: readonly Loss[] = [
  {
    loss: 'a 503 comes after it was applied',
    fault: serverError({ statusCode: 503, applied: true }),
    applied: true,
  },
  { loss: 'its answer is awaited too long', fault: dropResponse({ as: 'timeout' }), applied: true },
  { loss: 'its answer breaks off', fault: cutAnswer(), applied: true },
  { loss: 'its answer ends too early', fault: cutAnswer({ by: 'end' }), applied: true },
  { loss: 'it breaks off', fault: abortBody(), applied: false },
  { loss: 'it is throttled', fault: throttle(), applied: false },
  { loss: 'a transaction is in its way', fault: conflict(), applied: false },
  { loss: 'nobody listens', fault: refuse(), applied: false },
];

describeEachEngine('a write is applied once', (engine) => {
  describe.each(Object.entries(verbs))('%s', (name, verb) => {
    it.each(name === 'add' ? [...losses, ...more] : losses)('where $loss', async ({ fault, applied }) => {
      const { accounts, stored, sent, refused, faults } = await scene(engine, {
        with: verb.with,
        rules: [{ on: { nth: 1 }, do: fault }],
      });
      const lease = granted(account('a'), 42);
      expect(await verb.call(accounts, lease)).toMatchObject({ ok: true, token: 42, replayed: applied });
      expect(await stored()).toEqual(verb.leaves(lease));
      // An applied copy leaves an item, which refuses the second.
      expect(sent()).toEqual([verb.op, ...(applied ? refused(verb.op, verb.leaves(lease)) : [verb.op])]);
      expect(faults.bites()).toBe(1);
    });
  });

  it.each(losses)('a claim that adopts, where $loss', async ({ fault, applied }) => {
    const unfenced = { id: { S: 'a' }, ...balance(100) };
    const { accounts, stored, sent, refused } = await scene(engine, {
      with: unfenced,
      rules: [{ on: { op: 'UpdateItem', nth: 2 }, do: fault }],
    });
    const lease = granted(account('a'), 42);
    const claimed = await accounts.claim(lease, { id: 'a' });
    const version = `42.1.${lease.holder}`;
    expect(claimed).toMatchObject({ ok: true, item: { balance: 100 }, version, replayed: applied });
    expect(await stored()).toMatchObject({ ...unfenced, _fence: { N: '42' }, _fenceVersion: { S: version } });
    const claim = refused('UpdateItem', unfenced);
    expect(sent()).toEqual([...claim, 'UpdateItem', ...(applied ? claim : ['UpdateItem'])]);
  });

  it('modify, where both answers are lost', async () => {
    const { accounts, stored, faults } = await scene(engine, {
      with: verbs.add?.with,
      rules: [
        { on: { op: 'UpdateItem', nth: 1 }, do: dropResponse() },
        { on: { op: 'PutItem', nth: 1 }, do: dropResponse() },
      ],
    });
    const lease = granted(account('a'), 42);
    const taken = await accounts.modify(lease, { id: 'a' }, (item) => ({
      id: 'a',
      balance: (item?.balance ?? 0) - 10,
    }));
    expect(taken).toMatchObject({ ok: true, item: { balance: 90 }, replayed: true });
    expect(await stored()).toMatchObject({ ...balance(90), _fenceSeq: { N: '2' } });
    expect(faults.bites()).toBe(2);
  });
});
