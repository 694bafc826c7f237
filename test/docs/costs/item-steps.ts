import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { add, fence, unwrap } from '../../../src/index.ts';
import type { Customer } from './customer.ts';

/** Prepares a step, and gives the part of it that is measured. */
export type SizedStep = (customer: Customer) => Promise<() => Promise<unknown>>;

export const plainUpdate = 'plain `UpdateItem`, for comparison';

/** What is done to one item, or read of some. */
export const itemSteps: Readonly<Record<string, SizedStep>> = {
  [plainUpdate]: async ({ banks, storedKey, plant }) => {
    await plant();
    const update = new UpdateItemCommand({
      TableName: 'accounts',
      Key: storedKey,
      UpdateExpression: 'ADD balance :change',
      ExpressionAttributeValues: { ':change': { N: '-30' } },
    });
    return () => banks.meter.client.send(update);
  },
  'plain `PutItem`, for comparison': async ({ banks, storedKey, plant }) => {
    await plant();
    const Item = await banks.stored('accounts', storedKey);
    return () => banks.meter.client.send(new PutItemCommand({ TableName: 'accounts', Item }));
  },
  '`create`':
    async ({ banks, lease, account }) =>
    async () =>
      unwrap(await banks.accounts.create(lease, account)),
  '`put`': async ({ banks, lease, account, open }) => {
    await open();
    return async () => unwrap(await banks.accounts.put(lease, account));
  },
  '`update`': async ({ banks, lease, key, open }) => {
    await open();
    return async () => unwrap(await banks.accounts.update(lease, key, { balance: add(-30) }));
  },
  '`claim`': async ({ banks, lease, key, open }) => {
    await open();
    return async () => unwrap(await banks.accounts.claim(lease, key));
  },
  '`claim` that adopts an unfenced item': async ({ banks, lease, key, plant }) => {
    await plant();
    return async () => unwrap(await banks.accounts.claim(lease, key));
  },
  '`delete`': async ({ banks, lease, key, open }) => {
    await open();
    return async () => unwrap(await banks.accounts.delete(lease, key));
  },
  '`update`, refused: `fenced`': async (customer) => {
    const { banks, key, open } = customer;
    await open();
    const late = await overtaken(customer);
    return () => refusal('fenced', banks.accounts.update(late, key, { balance: add(-30) }));
  },
  '`update`, refused: `condition`': async ({ banks, lease, key, open }) => {
    await open();
    const when = { balance: 5 };
    return () => refusal('condition', banks.accounts.update(lease, key, { balance: add(-30) }, { when }));
  },
  '`update`, refused: `not-found`':
    async ({ banks, lease, key }) =>
    () =>
      refusal('not-found', banks.accounts.update(lease, key, { balance: add(-30) })),
  '`get`': async ({ banks, key, open }) => {
    await open();
    return () => banks.accounts.get(key);
  },
  '`getMany` of 10': async (customer) => {
    const keys = await openTen(customer);
    return () => customer.banks.accounts.getMany(keys);
  },
  '`query`, a page of 10': async (customer) => {
    await openTen(customer);
    const { banks, key } = customer;
    return () => banks.accounts.query({ key: { bank: key.bank } }).first(10);
  },
};

/** A lease whose successor has claimed the account, and which has not heard of it. */
async function overtaken({ banks, lease, key }: Customer) {
  const { lease: newer } = unwrap(await banks.others.takeOver(fence(lease.resource, lease.token)));
  unwrap(await banks.accounts.claim(newer, key));
  return lease;
}

async function openTen({ banks, lease, key, more }: Customer) {
  const ids = Array.from({ length: 10 }, (_, n) => `a0${n}`);
  for (const id of ids) unwrap(await banks.accounts.put(lease, more(id)));
  return ids.map((id) => ({ bank: key.bank, id }));
}

/** The measured step must be what its name says. */
async function refusal(reason: string, result: Promise<{ ok: boolean; reason?: string }>) {
  const { ok, reason: actual } = await result;
  if (ok || actual !== reason) throw new Error(`meant to be refused as ${reason}, not as ${actual ?? 'ok'}`);
}
