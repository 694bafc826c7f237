import { describe, expect, it } from 'vitest';
import { type Fence, FencedRepository, fence, parseFence } from '../../src/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { type Accounts, account, accountsIn } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { noWire } from '../support/no-wire.ts';

const accounts = accountsIn({ client: noWire, tableName: 'accounts' });

const verbs: Record<string, (to: Accounts, fence: Fence) => Promise<unknown>> = {
  create: (to, fence) => to.create(fence, { id: 'a' }),
  put: (to, fence) => to.put(fence, { id: 'a' }),
  update: (to, fence) => to.update(fence, { id: 'a' }, { balance: 1 }),
  upsert: (to, fence) => to.update(fence, { id: 'a' }, { balance: 1 }, { upsert: true }),
  delete: (to, fence) => to.delete(fence, { id: 'a' }),
  claim: (to, fence) => to.claim(fence, { id: 'a' }),
  modify: (to, fence) => to.modify(fence, { id: 'a' }, () => expect.unreachable()),
};

describe.each(Object.entries(verbs))('%s sends nothing', (_, write) => {
  it.each([
    ['a lease on another item', granted(account('b'), 7), /it is for account\/b, .* "account\/a"/],
    ['a fence of another item', fence(account('b'), 7), /account\/b/],
    ['a fence of another kind of thing', fence('order/a', 7), /order\/a/],
    ['a fence whose resource only begins so', fence('account/a/x', 7), /account\/a\/x/],
    ['one that came by header for another item', parseFence('account/b:7'), /account\/b/],
  ])('under %s', async (__, other, message) => {
    await expect(write(accounts, other)).rejects.toThrow(invalidInput('fence', message));
  });

  const lease = granted(account('a'), 7);
  it.each<[string, unknown]>([
    ['a copy of a lease', { ...lease }],
    ['a lease that went through JSON', JSON.parse(JSON.stringify(lease))],
    ['a structured clone of a lease', structuredClone(lease)],
    ['what only looks like a fence', { resource: account('a'), token: 7, holder: 'me' }],
    ['a bare number', 7],
    ['its text form', 'account/a:7'],
    ['nothing', undefined],
    ['null', null],
  ])('under %s', async (__, copy) => {
    await expect(write(accounts, copy as Fence)).rejects.toThrow(
      invalidInput('fence', /neither a lease nor/),
    );
  });
});

describe('the resource that guards an item', () => {
  it('may be shared by many, and be made of a part of the key', async () => {
    interface Line {
      order: string;
      n: number;
    }
    const lines = new FencedRepository<Line, 'order' | 'n'>({
      client: noWire,
      tableName: 'lines',
      key: ['order', 'n'],
      resource: ({ order }) => `order/${order}`,
    });
    await expect(lines.claim(granted('order/2', 7), { order: '1', n: 1 })).rejects.toThrow(
      invalidInput('fence', /order\/2.*"order\/1"/),
    );
  });

  it.each([
    ['no text', () => 7],
    ['nothing', () => undefined],
    ['empty', () => ''],
    ['an object', () => ({ name: 'r' })],
    ['a Promise', async () => 'r'],
  ])('that is %s guards nothing, and the function is told so', async (_, resource) => {
    const broken = accountsIn({ client: noWire, tableName: 'accounts' }, { resource: resource as never });
    await expect(broken.claim(granted(account('a'), 7), { id: 'a' })).rejects.toThrow(
      invalidInput('resource', /the resource function gave .*which is no name/),
    );
  });

  it('must be a function', () => {
    expect(() =>
      accountsIn({ client: noWire, tableName: 'accounts' }, { resource: 'account' as never }),
    ).toThrow(invalidInput('resource', /no function/));
  });
});

describe('a repository', () => {
  it.each([undefined, '', 7])('needs the name of a table, and %o is none', (tableName) => {
    expect(() => accountsIn({ client: noWire, tableName: tableName as string })).toThrow(
      invalidInput('tableName', /names no table/),
    );
  });

  it.each([undefined, {}, { send: () => undefined }])('needs a client, and %o is none', (client) => {
    expect(() => accountsIn({ client: client as never, tableName: 'accounts' })).toThrow(
      invalidInput('client', /no DynamoDB client/),
    );
  });

  it('knows its table', () => {
    expect(accounts.tableName).toBe('accounts');
  });
});
