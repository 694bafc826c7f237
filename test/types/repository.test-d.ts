import { describe, expect, test } from 'tstyche';
import { z } from 'zod';
import {
  add,
  beginsWith,
  type Changes,
  type Conditions,
  gte,
  ifNotExists,
  notExists,
  type Op,
  raw,
  remove,
} from '../../src/expressions.ts';
import {
  type ClaimResult,
  type DeleteResult,
  type DynamoDBClientLike,
  type Fence,
  FencedRepository,
  type FencedRepositoryOptions,
  type FoundItems,
  type Items,
  type Lease,
  unwrap,
  type Versioned,
  type WriteResult,
} from '../../src/index.ts';

interface Account {
  id: string;
  balance: number;
  status: 'open' | 'closed';
  note?: string;
}

interface Order {
  customer: string;
  id: number;
  total?: number;
}

declare const client: DynamoDBClientLike;
declare const fence: Fence;
declare const lease: Lease;
declare const account: Account;
declare const accounts: FencedRepository<Account, 'id'>;
declare const orders: FencedRepository<Order, 'customer' | 'id', { pk: string; sk: string }>;

const key = { id: 'a1' };

describe('every write', () => {
  test('carries a fence, and a lease is one', () => {
    expect(accounts.put(fence, account)).type.toBe<Promise<WriteResult<Account>>>();
    expect(accounts.put(lease, account)).type.toBe<Promise<WriteResult<Account>>>();
  });

  test('does not compile without one', () => {
    // @ts-expect-error Expected 2-3 arguments, but got 1
    void accounts.put(account);
    // @ts-expect-error Expected 2-3 arguments, but got 1
    void accounts.create(account);
    // @ts-expect-error Expected 2-3 arguments, but got 1
    void accounts.delete(key);
    // @ts-expect-error Expected 2-3 arguments, but got 1
    void accounts.claim(key);
    // @ts-expect-error Expected 3-4 arguments, but got 2
    void accounts.update(key, { balance: 1 });
    // @ts-expect-error Expected 3-4 arguments, but got 2
    void accounts.modify(key, () => account);
  });

  test('takes no number and no UUID for one', () => {
    // @ts-expect-error Argument of type 'number' is not assignable to parameter of type 'Fence'
    void accounts.put(42, account);
    // @ts-expect-error Argument of type 'string' is not assignable to parameter of type 'Fence'
    void accounts.put('3f2c9a1e-8d1c-4e0b-9f5e-2a6d1c0b7f3a', account);
    // @ts-expect-error Type 'number' is not assignable to type 'FencingToken'
    void accounts.put({ resource: 'account/a1', token: 42, holder: 'me' }, account);
    // @ts-expect-error Type 'string' is not assignable to type 'FencingToken'
    void accounts.claim({ resource: 'account/a1', token: '3f2c9a1e', holder: 'me' }, key);
    // @ts-expect-error Argument of type 'undefined' is not assignable to parameter of type 'Fence'
    void accounts.delete(undefined, key);
  });
});

describe('a result', () => {
  test('has no item before `ok` was asked', async () => {
    const result = await accounts.put(fence, account);
    // @ts-expect-error Property 'item' does not exist on type 'WriteResult<Account>'
    result.item;
    // @ts-expect-error Property 'version' does not exist on type 'WriteResult<Account>'
    result.version;
    if (result.ok) expect(result.item).type.toBe<Account>();
    else if (result.reason === 'condition') expect(result.item).type.toBe<Account>();
  });

  test('of a claim may have none: there may be no item', async () => {
    const result = await accounts.claim(fence, key);
    expect(result).type.toBe<ClaimResult<Account>>();
    const { item, version } = unwrap(result);
    expect(item).type.toBe<Account | undefined>();
    expect(version).type.toBe<string | undefined>();
    // @ts-expect-error 'item' is possibly 'undefined'
    item.balance;
    // @ts-expect-error is not assignable to type
    void accounts.put(fence, account, { ifVersion: version });
  });

  test('of a delete has what was there, and no version', async () => {
    const result = await accounts.delete(fence, key);
    expect(result).type.toBe<DeleteResult<Account>>();
    expect(unwrap(result).item).type.toBe<Account | undefined>();
    // @ts-expect-error Property 'version' does not exist
    unwrap(result).version;
  });

  test('of a read may be nothing', () => {
    expect(accounts.get(key)).type.toBe<Promise<Versioned<Account> | undefined>>();
    expect(accounts.getMany([key])).type.toBe<Promise<(Versioned<Account> | undefined)[]>>();
    expect(accounts.query({ key })).type.toBe<FoundItems<Account>>();
    expect(accounts.query({ key }).first(20)).type.toBe<Promise<Account[]>>();
    expect(accounts.scan().versioned()).type.toBe<Items<Versioned<Account>>>();
  });
});

describe('an item', () => {
  test('is whole where it is put or created', () => {
    // @ts-expect-error Property 'balance' is missing in type
    void accounts.put(fence, { id: 'a1', status: 'open' });
    // @ts-expect-error Type '"gone"' is not assignable to type '"open" | "closed"'
    void accounts.create(fence, { id: 'a1', balance: 1, status: 'gone' });
    // @ts-expect-error 'owner' does not exist in type 'Account'
    void accounts.put(fence, { ...account, owner: 'me' });
    // @ts-expect-error Type '{ id: string; }' is missing the following properties from type 'Account'
    void accounts.modify(fence, key, () => ({ id: 'a1' }));
  });

  test('is found by all of its key, and by nothing else', () => {
    expect(orders.get).type.toBeCallableWith({ customer: 'c1', id: 1 });
    // @ts-expect-error Property 'id' is missing in type
    void orders.get({ customer: 'c1' });
    // @ts-expect-error Type 'number' is not assignable to type 'string'
    void accounts.get({ id: 1 });
    // @ts-expect-error 'pk' does not exist in type 'Pick<Order, "id" | "customer">'
    void orders.claim(fence, { pk: 'CUSTOMER#c1', sk: 'ORDER#1' });
  });
});

describe('an update', () => {
  test('changes attributes that there are, as their types allow', () => {
    expect(accounts.update).type.toBeCallableWith(fence, key, { balance: add(1), note: remove() });
    expect(accounts.update).type.toBeCallableWith(
      fence,
      key,
      { status: ifNotExists('open') },
      { upsert: true },
    );
    expect(accounts.update).type.toBeCallableWith(fence, key, [{ balance: 1 }, raw('REMOVE #x')]);
    // @ts-expect-error 'owner' does not exist in type
    void accounts.update(fence, key, { owner: 'me' });
    // @ts-expect-error Type 'string' is not assignable to type
    void accounts.update(fence, key, { balance: 'much' });
    // @ts-expect-error Op<"add", number | bigint>' is not assignable to type
    void accounts.update(fence, key, { status: add(1) });
    // @ts-expect-error Op<"remove", undefined>' is not assignable to type
    void accounts.update(fence, key, { balance: remove() });
    // @ts-expect-error '{ note: undefined; }' is not assignable
    void accounts.update(fence, key, { note: undefined });
  });

  test('does not change what identifies the item', () => {
    // @ts-expect-error 'id' does not exist in type
    void accounts.update(fence, key, { id: 'a2' });
    // @ts-expect-error 'customer' does not exist in type
    void orders.update(fence, { customer: 'c1', id: 1 }, { customer: 'c2' });
  });
});

describe('a condition', () => {
  test('fits the attribute that it is about', () => {
    expect(accounts.delete).type.toBeCallableWith(fence, key, { when: { id: 'a1', balance: gte(1) } });
    expect(accounts.put).type.toBeCallableWith(fence, account, { when: { note: notExists() } });
    // @ts-expect-error Op<"beginsWith", "1">' is not assignable to type
    void accounts.update(fence, key, { balance: 1 }, { when: { balance: beginsWith('1') } });
    // @ts-expect-error Op<"gte", "1">' is not assignable to type
    void accounts.delete(fence, key, { when: { balance: gte('1') } });
    // @ts-expect-error 'owner' does not exist in type
    void accounts.put(fence, account, { when: { owner: notExists() } });
  });

  test('is given or left out, never undefined', () => {
    // @ts-expect-error Type 'undefined' is not assignable to type 'string'
    void accounts.put(fence, account, { ifVersion: undefined });
    // @ts-expect-error Type 'undefined' is not assignable to type 'Conditions<Account>'
    void accounts.put(fence, account, { when: undefined });
  });

  test('has no place in a create or a claim', () => {
    // @ts-expect-error 'when' does not exist in type 'WriteOptions'
    void accounts.create(fence, account, { when: { balance: 1 } });
    // @ts-expect-error 'ifVersion' does not exist in type 'WriteOptions'
    void accounts.claim(fence, key, { ifVersion: 'v' });
    // @ts-expect-error 'upsert' does not exist in type 'ConditionalWriteOptions<Account>'
    void accounts.put(fence, account, { upsert: true });
  });
});

describe('a query', () => {
  test('names attributes of the item, and the keys that the item does not show', () => {
    expect(accounts.query).type.toBeCallableWith({ index: 'by-status', key: { status: 'open' } });
    expect(orders.query).type.toBeCallableWith({ key: { pk: 'CUSTOMER#c1', sk: beginsWith('ORDER#') } });
    expect(orders.query).type.toBeCallableWith({ index: 'by-total', key: { customer: 'c1', total: gte(1) } });
    // @ts-expect-error 'pk' does not exist in type
    accounts.query({ key: { pk: 'a' } });
    // @ts-expect-error Type 'number' is not assignable to type
    orders.query({ key: { pk: 1 } });
    // @ts-expect-error Property 'key' is missing in type
    accounts.query({ limit: 10 });
  });
});

describe('the options of a repository', () => {
  type Options = FencedRepositoryOptions<Order, 'customer' | 'id'>;
  const common = { client, tableName: 'orders', resource: () => 'orders' };

  test('name its key attributes, or make a key of what identifies an item', () => {
    expect<Options>().type.toBeAssignableFrom({ ...common, key: ['customer', 'id'] as const });
    expect<Options['key']>().type.toBeAssignableFrom(({ customer, id }: Order) => ({ pk: customer, sk: id }));
    expect<Options['key']>().type.not.toBeAssignableFrom(['customer', 'total'] as const);
    expect<Options['key']>().type.not.toBeAssignableFrom([] as const);
    expect<Options['key']>().type.not.toBeAssignableFrom(({ total }: Order) => ({ pk: total }));
    expect<Options['key']>().type.not.toBeAssignableFrom(() => ({ pk: true }));
    new FencedRepository<Order, 'customer' | 'id'>({
      ...common,
      // @ts-expect-error Property 'total' does not exist on type 'Pick<Order, "id" | "customer">'
      key: ({ total }) => ({ pk: String(total) }),
    });
    new FencedRepository<Order, 'customer' | 'id'>({
      ...common,
      key: ['customer', 'id'],
      // @ts-expect-error Property 'total' does not exist on type 'Pick<Order, "id" | "customer">'
      resource: ({ total }) => String(total),
    });
  });

  test('take a schema whose output is the item', () => {
    const schema = z.object({ customer: z.string(), id: z.number(), notes: z.array(z.string()) });
    type Checked = z.infer<typeof schema>;
    new FencedRepository<Checked, 'id'>({ ...common, key: ['id'], schema });
    // @ts-expect-error Type 'ZodObject
    new FencedRepository<Order & { vat: number }, 'id'>({ ...common, key: ['id'], schema });
  });
});

// A type parameter hides what the mapped types of changes and conditions would need to see, so a helper for
// «any repository of items with a balance» says what it needs of a repository instead.
describe('a helper for several repositories', () => {
  interface Deposits {
    update(
      fence: Fence,
      identity: { id: string },
      changes: { balance: Op<'add', number | bigint> },
    ): Promise<WriteResult<{ balance: number }>>;
  }

  test('says which call it makes', () => {
    const deposit = (to: Deposits, under: Fence, id: string, amount: number) =>
      to.update(under, { id }, { balance: add(amount) });
    expect(deposit(accounts, fence, 'a1', 5)).type.toBe<Promise<WriteResult<{ balance: number }>>>();
    // @ts-expect-error is not assignable to parameter of type 'Deposits'
    void deposit(orders, fence, 'a1', 5);
  });

  test('does not infer through a type parameter', () => {
    const deposit = <T extends { id: string; balance: number }>(to: FencedRepository<T, 'id'>, id: string) =>
      // @ts-expect-error Op<"add", number | bigint>; }' is not assignable to parameter of type 'Changes<Omit<T, "id">>'
      to.update(fence, { id }, { balance: add(1) });
    void deposit;
  });

  test('builds changes and conditions apart, for one type of item', () => {
    const withdraw = (amount: number): [Changes<Omit<Account, 'id'>>, { when: Conditions<Account> }] => [
      { balance: add(-amount) },
      { when: { balance: gte(amount) } },
    ];
    expect(accounts.update).type.toBeCallableWith(fence, key, ...withdraw(5));
  });
});
