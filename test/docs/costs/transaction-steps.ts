import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { add, gte, type Lease, transact, transactGet, unwrap } from '../../../src/index.ts';
import { type Customer, newCustomer } from './customer.ts';
import type { SizedStep } from './item-steps.ts';

/** What is done to several items at one moment. */
export const transactionSteps: Readonly<Record<string, SizedStep>> = {
  'plain `TransactWriteItems` of debit, credit and entry, for comparison': async (from) => {
    const to = await neighbour(from);
    await from.plant();
    await to.plant();
    const { client } = from.banks.meter;
    return () => client.send(plainTransfer(from, to));
  },
  'debit, credit and entry': async (from) => {
    const to = await opened(from);
    return async () => unwrap(await transact(transferSteps(from, to)));
  },
  'debit, credit, entry and the checks of both leases': async (from) => {
    const to = await opened(from);
    const holds = checks(from, [from.lease, to.lease]);
    return async () => unwrap(await transact({ ...transferSteps(from, to), ...holds }));
  },
  'the same, with acquiring and releasing both leases': async (from) => {
    const to = await opened(from);
    const { leases } = from.banks;
    await from.lease.release();
    await to.lease.release();
    return async () => {
      const acquired = unwrap(await leases.acquireAll([from.lease.resource, to.lease.resource]));
      await using both = acquired;
      const [a, b] = both.leases as [Lease, Lease];
      const steps = transferSteps({ ...from, lease: a }, { ...to, lease: b });
      unwrap(await transact({ ...steps, ...checks(from, [a, b]) }));
    };
  },
  'one `update` alone in a transaction': async ({ banks, lease, key, open }) => {
    await open();
    return async () =>
      unwrap(await transact([banks.accounts.plan.update(lease, key, { balance: add(-30) })]));
  },
  '`transactGet` of 2': async (from) => {
    const to = await opened(from);
    const { plan } = from.banks.accounts;
    return () => transactGet([plan.get(from.key), plan.get(to.key)]);
  },
};

function transferSteps(from: Customer, to: Customer) {
  const { accounts, journal } = from.banks;
  const { bank } = from.key;
  return {
    debit: accounts.plan.update(from.lease, from.key, { balance: add(-30) }, { when: { balance: gte(30) } }),
    credit: accounts.plan.update(to.lease, to.key, { balance: add(30) }),
    entry: journal.plan.create(from.lease, { bank, id: 'e00', amount: 30, to: to.key.bank }),
  };
}

function checks({ banks }: Customer, [a, b]: readonly [Lease, Lease]) {
  return { fromHolds: banks.leases.check(a), toHolds: banks.leases.check(b) };
}

function plainTransfer(from: Customer, to: Customer) {
  const update = ({ storedKey }: Customer, change: number) => ({
    Update: {
      TableName: 'accounts',
      Key: storedKey,
      UpdateExpression: 'ADD balance :change',
      ExpressionAttributeValues: { ':change': { N: `${change}` } },
    },
  });
  const { bank } = from.key;
  const Item = { bank: { S: bank }, id: { S: 'e00' }, amount: { N: '30' }, to: { S: to.key.bank } };
  const entry = { Put: { TableName: 'journal', Item } };
  return new TransactWriteItemsCommand({ TransactItems: [update(from, -30), update(to, 30), entry] });
}

const neighbour = ({ banks, size }: Customer) => newCustomer(banks, size);

/** Opens the account, and one of somebody else. */
async function opened(from: Customer): Promise<Customer> {
  const to = await neighbour(from);
  await from.open();
  await to.open();
  return to;
}
