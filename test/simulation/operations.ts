import { add, gte } from '../../src/expressions.ts';
import type { Fence } from '../../src/fence/fence.ts';
import type { FencedRepository } from '../../src/repository/fenced-repository.ts';

export interface Account {
  id: string;
  balance: number;
}

type Accounts = FencedRepository<Account, 'id'>;
const k = { id: 'k' };

/** What writers do, under short names. All of it goes through the public repository. */
export const operations = {
  add: (accounts: Accounts, lease: Fence) => accounts.update(lease, k, { balance: add(1) }),
  upsert: (accounts: Accounts, lease: Fence) =>
    accounts.update(lease, k, { balance: add(1) }, { upsert: true }),
  subtract: (accounts: Accounts, lease: Fence) =>
    accounts.update(lease, k, { balance: add(-1) }, { when: { balance: gte(1) } }),
  put: (accounts: Accounts, lease: Fence) => accounts.put(lease, { ...k, balance: 5 }),
  create: (accounts: Accounts, lease: Fence) => accounts.create(lease, { ...k, balance: 1 }),
  delete: (accounts: Accounts, lease: Fence) => accounts.delete(lease, k),
  claim: (accounts: Accounts, lease: Fence) => accounts.claim(lease, k),
  /** A put by somebody who decided on what its claim just before had read, and trusts in it. */
  overwrite: (accounts: Accounts, lease: Fence) => accounts.put(lease, { ...k, balance: 7 }),
} satisfies Record<string, (accounts: Accounts, lease: Fence) => Promise<unknown>>;

export type Operation = keyof typeof operations;
