import { add, append } from '../../../src/expressions.ts';
import type { Fence } from '../../../src/index.ts';
import type { Accounts } from '../../support/accounts.ts';
import type { Item } from './scene.ts';
import { balance, before, live, stamp, tombstone } from './stored.ts';

/** A write whose effect shows if it is applied twice, or not at all. */
export interface Verb {
  readonly op: 'PutItem' | 'UpdateItem';
  readonly with: Item | undefined;
  call(accounts: Accounts, fence: Fence): Promise<{ readonly ok: boolean }>;
  /** What is stored once it was applied once, as the first request of this fence. */
  leaves(fence: Fence): Item;
}

const id = { id: 'a' };
const full = live({ ...balance(100), entries: { L: [{ S: 'e0' }] } }, before, 5, stamp(before, 7));
const { _fenceVersion: version } = full;
const entries = (...names: string[]) => ({ entries: { L: names.map((S) => ({ S })) } });

export const verbs: Readonly<Record<string, Verb>> = {
  create: {
    op: 'PutItem',
    with: undefined,
    call: (accounts, fence) => accounts.create(fence, { ...id, balance: 1 }),
    leaves: (fence) => live(balance(1), fence, 1),
  },
  put: {
    op: 'PutItem',
    with: full,
    call: (accounts, fence) => accounts.put(fence, { ...id, balance: 1 }),
    leaves: (fence) => live(balance(1), fence, 1),
  },
  'put ifVersion': {
    op: 'PutItem',
    with: full,
    call: (accounts, fence) =>
      accounts.put(fence, { ...id, balance: 1 }, { ifVersion: version?.S as string }),
    leaves: (fence) => live(balance(1), fence, 1),
  },
  add: {
    op: 'UpdateItem',
    with: full,
    call: (accounts, fence) => accounts.update(fence, id, { balance: add(-10) }),
    leaves: (fence) => live({ ...balance(90), ...entries('e0') }, fence, 1),
  },
  append: {
    op: 'UpdateItem',
    with: full,
    call: (accounts, fence) => accounts.update(fence, id, { entries: append(['e1']) }),
    leaves: (fence) => live({ ...balance(100), ...entries('e0', 'e1') }, fence, 1),
  },
  'update when': {
    op: 'UpdateItem',
    with: full,
    call: (accounts, fence) => accounts.update(fence, id, { balance: add(-10) }, { when: { balance: 100 } }),
    leaves: (fence) => live({ ...balance(90), ...entries('e0') }, fence, 1),
  },
  upsert: {
    op: 'UpdateItem',
    with: undefined,
    call: (accounts, fence) => accounts.update(fence, id, { balance: add(5) }, { upsert: true }),
    leaves: (fence) => live(balance(5), fence, 1),
  },
  delete: {
    op: 'PutItem',
    with: full,
    call: (accounts, fence) => accounts.delete(fence, id),
    leaves: (fence) => tombstone(fence, 1),
  },
  'delete when': {
    op: 'PutItem',
    with: full,
    call: (accounts, fence) => accounts.delete(fence, id, { when: { balance: 100 } }),
    leaves: (fence) => tombstone(fence, 1),
  },
  claim: {
    op: 'UpdateItem',
    with: full,
    call: (accounts, fence) => accounts.claim(fence, id),
    leaves: (fence) => live({ ...balance(100), ...entries('e0') }, before, 5, stamp(fence, 1)),
  },
  'claim of nothing': {
    op: 'UpdateItem',
    with: undefined,
    call: (accounts, fence) => accounts.claim(fence, id),
    leaves: (fence) => tombstone(fence, 1),
  },
};
