import { expect, it } from 'vitest';
import { add, gte } from '../../../src/expressions.ts';
import type { Fence } from '../../../src/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { type Accounts, account } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { type Item, scene } from './scene.ts';
import { balance } from './stored.ts';
import { full, id } from './withdraw.ts';

const unfenced = { id: { S: 'a' }, ...balance(100) };

interface Cost {
  readonly what: string;
  readonly with?: Item;
  readonly token?: number;
  call(accounts: Accounts, by: Fence): Promise<{ readonly ok: boolean; readonly reason?: string }>;
  readonly answer: string;
  /** Requests where a refusal shows the item, and where it does not. */
  readonly requests: readonly [number, number];
}

const costs: readonly Cost[] = [
  { what: 'create', call: (to, by) => to.create(by, { ...id }), answer: 'ok', requests: [1, 1] },
  { what: 'put', with: full, call: (to, by) => to.put(by, { ...id }), answer: 'ok', requests: [1, 1] },
  {
    what: 'update',
    with: full,
    call: (to, by) => to.update(by, id, { balance: add(1) }, { when: { balance: gte(1) } }),
    ...{ answer: 'ok', requests: [1, 1] },
  },
  { what: 'delete', with: full, call: (to, by) => to.delete(by, id), answer: 'ok', requests: [1, 1] },
  { what: 'claim', with: full, call: (to, by) => to.claim(by, id), answer: 'ok', requests: [1, 1] },
  { what: 'claim of nothing', call: (to, by) => to.claim(by, id), answer: 'ok', requests: [1, 1] },
  {
    what: 'claim that adopts',
    with: unfenced,
    call: (to, by) => to.claim(by, id),
    ...{ answer: 'ok', requests: [2, 3] },
  },
  {
    what: 'put that adopts',
    with: unfenced,
    call: (to, by) => to.put(by, { ...id }),
    ...{ answer: 'ok', requests: [1, 1] },
  },
  {
    what: 'modify',
    with: full,
    call: (to, by) => to.modify(by, id, (item) => ({ ...item, ...id })),
    ...{ answer: 'ok', requests: [2, 2] },
  },
  {
    what: 'a fenced write',
    with: full,
    token: 39,
    call: (to, by) => to.put(by, { ...id }),
    ...{ answer: 'fenced', requests: [1, 2] },
  },
  {
    what: 'a reused token',
    with: full,
    token: 40,
    call: (to, by) => to.claim(by, id),
    ...{ answer: 'token-reused', requests: [1, 2] },
  },
  {
    what: 'exists',
    with: full,
    call: (to, by) => to.create(by, { ...id }),
    ...{ answer: 'exists', requests: [1, 2] },
  },
  {
    what: 'version',
    with: full,
    call: (to, by) => to.put(by, { ...id }, { ifVersion: '40.6.before' }),
    ...{ answer: 'version', requests: [1, 2] },
  },
  {
    what: 'condition',
    with: full,
    call: (to, by) => to.update(by, id, { balance: add(1) }, { when: { balance: gte(500) } }),
    ...{ answer: 'condition', requests: [1, 2] },
  },
  {
    // Where nothing is, no engine shows an item, and «nothing» must be told from «not shown».
    what: 'not-found',
    call: (to, by) => to.update(by, id, { balance: add(1) }),
    ...{ answer: 'not-found', requests: [2, 2] },
  },
];

describeEachEngine('what a verb costs', (engine) => {
  it.each(costs)('$what', async ({ with: item, token = 42, call, answer, requests }) => {
    const { accounts, wire, faults } = await scene(engine, { with: item });
    const result = await call(accounts, granted(account('a'), token));
    expect(result.ok ? 'ok' : result.reason).toBe(answer);
    expect(wire.ops).toHaveLength(requests[engine.returnsItems ? 0 : 1]);
    const reads = wire.requests.filter(({ op }) => op === 'GetItem');
    expect(reads.every(({ input }) => input.ConsistentRead === true)).toBe(true);
    expect(faults.bites()).toBe(0);
  });

  it('nothing, once the fence is known to be fenced', async () => {
    const { accounts, sent } = await scene(engine, { with: full });
    const old = granted(account('a'), 39);
    await accounts.claim(old, id);
    sent();
    for (const { call } of costs)
      expect(await call(accounts, old)).toMatchObject({ reason: 'fenced', applied: 'no' });
    expect(sent()).toEqual([]);
  });
});
