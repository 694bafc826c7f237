import { itemSize } from '../../../src/dynamo/item-size.ts';
import { type Lease, unwrap } from '../../../src/index.ts';
import { type Account, type Banks, type Item, leaseOf } from './bank.ts';

/** Somebody with a bank of their own, a lease on it, and accounts of one size. */
export interface Customer {
  readonly banks: Banks;
  readonly lease: Lease;
  /** The bytes of each account, as DynamoDB counts them, without what the library adds. */
  readonly size: number;
  readonly account: Account;
  /** The key of the account, as the repository takes it, and as DynamoDB does. */
  readonly key: Pick<Account, 'bank' | 'id'>;
  readonly storedKey: Item;
  /** Another account, of the same size. */
  more(id: string): Account;
  /** Stores the account under the fence. */
  open(): Promise<unknown>;
  /** Stores it as it was before fencing. */
  plant(): Promise<unknown>;
}

/** @param size as in {@link Customer}. */
export async function newCustomer(banks: Banks, size: number): Promise<Customer> {
  const bank = banks.newBank();
  const lease = await leaseOf(banks.leases, bank);
  const more = (id: string) => accountOf(bank, id, size);
  const account = more('a00');
  const key = { bank, id: account.id };
  return {
    banks,
    lease,
    size,
    account,
    key,
    storedKey: { bank: { S: bank }, id: { S: account.id } },
    more,
    open: async () => unwrap(await banks.accounts.create(lease, account)),
    plant: () => banks.plant(stored(account)),
  };
}

function accountOf(bank: string, id: string, size: number): Account {
  const account = { bank, id, balance: 100, body: '' };
  return { ...account, body: 'x'.repeat(size - itemSize(stored(account))) };
}

function stored({ bank, id, balance, body }: Account): Item {
  return { bank: { S: bank }, id: { S: id }, balance: { N: `${balance}` }, body: { S: body } };
}
