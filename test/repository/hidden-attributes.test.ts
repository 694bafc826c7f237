import { beforeEach, describe, expect, it } from 'vitest';
import { add, exists, raw, remove } from '../../src/expressions.ts';
import { type Fence, fence, type HiddenAttributes } from '../../src/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type Account, type Accounts, account, accountsIn } from '../support/accounts.ts';
import { all } from '../support/all.ts';
import { granted } from '../support/fences.ts';
import { noWire } from '../support/no-wire.ts';
import { type TestTable, testTable } from '../support/test-table.ts';
import { auditNames } from '../support/wire-audit.ts';

auditNames({ fence: ['f', 'toString'] });

const id = { S: 'a' };
const hidden = ['_fence', '_fenceHolder', '_fenceSeq', '_fenceVersion'];

describe('hidden attributes', () => {
  const accounts = accountsIn({ client: noWire, tableName: 'accounts' });
  const lease = () => granted(account('a'), 7);

  describe.each(hidden)('%s', (name) => {
    const item = { id: 'a', [name]: 999 } as Account;
    it.each<[string, () => Promise<unknown>, string]>([
      ['a create', () => accounts.create(lease(), item), `item.${name}`],
      ['a put', () => accounts.put(lease(), item), `item.${name}`],
      ['a change', () => accounts.update(lease(), { id: 'a' }, { [name]: 999 } as object), 'changes'],
      ['an operator', () => accounts.update(lease(), { id: 'a' }, { [name]: remove() } as object), 'changes'],
      ['an expression', () => accounts.update(lease(), { id: 'a' }, raw(`REMOVE ${name}`)), 'changes'],
      [
        'an expression that copies it',
        () => accounts.update(lease(), { id: 'a' }, raw('SET note = #n', { names: { '#n': name } })),
        'changes',
      ],
      ['a condition', () => accounts.delete(lease(), { id: 'a' }, { when: { [name]: exists() } }), 'when'],
      ['a query', () => all(accounts.query({ key: { id: 'a', [name]: 'x' } })), 'key'],
      ['a filter', () => all(accounts.scan({ filter: { [name]: exists() } })), 'filter'],
    ])('cannot be used by %s', async (_, call, path) => {
      await expect(async () => call()).rejects.toThrow(
        invalidInput(path, new RegExp(`${name} is kept by the fence`)),
      );
    });
  });

  it.each<[Partial<HiddenAttributes>, string, RegExp]>([
    [{ fence: '' }, 'attributes.fence', /no name/],
    [{ seq: 7 } as never, 'attributes.seq', /no name/],
    [{ version: undefined } as never, 'attributes.version', /no name/],
    [{ fence: '__proto__' }, 'attributes.fence', /does not survive/],
    [{ fence: '_fenceSeq' }, 'attributes', /one name/],
    [{ holder: 'x', version: 'x' }, 'attributes', /one name/],
    [{ token: 'x' } as never, 'attributes', /more than four/],
    [{ fence: 'id' }, 'key', /kept by the fence/],
  ])('cannot be called %o', (attributes, path, message) => {
    expect(() => accountsIn({ client: noWire, tableName: 'accounts' }, { attributes })).toThrow(
      invalidInput(path, message),
    );
  });
});

describeEachEngine('hidden attributes', (engine) => {
  let table: TestTable;
  let accounts: Accounts;
  beforeEach(async () => {
    table = await testTable(engine);
    accounts = accountsIn(table);
  });

  it('are kept by every write, and shown by none', async () => {
    const lease = granted(account('a'), 42);
    const shown: (object | undefined)[] = [];
    const note = async (result: { ok: boolean; item?: unknown }) => {
      expect(result.ok).toBe(true);
      shown.push(result.item as object | undefined, (await accounts.get({ id: 'a' }))?.item);
      const stored = (await table.stored({ id })) ?? {};
      expect(hidden.filter((name) => name in stored)).toEqual(
        'id' in (shown.at(-1) ?? {}) ? hidden : hidden.slice(0, 3),
      );
    };
    await note(await accounts.create(lease, { id: 'a', balance: 1 }));
    await note(await accounts.put(lease, { id: 'a', balance: 2 }));
    await note(await accounts.update(lease, { id: 'a' }, { balance: add(1) }));
    await note(await accounts.claim(lease, { id: 'a' }));
    await note(await accounts.modify(lease, { id: 'a' }, (item) => ({ ...item, id: 'a' })));
    await note(await accounts.delete(lease, { id: 'a' }));
    shown.push(...(await all(accounts.scan())), ...(await all(accounts.query({ key: { id: 'a' } }))));
    expect(shown.flatMap((item) => Object.keys(item ?? {})).filter((name) => name.startsWith('_'))).toEqual(
      [],
    );
  });

  it('may lie inside a value, where they are nobody’s', async () => {
    const data = { _fence: 999, _fenceVersion: ['x'] };
    const lease = granted(account('a'), 42);
    expect(await accounts.put(lease, { id: 'a', data })).toMatchObject({ ok: true, item: { data } });
    expect(await accounts.update(lease, { id: 'a' }, { data: { _fence: 1 } })).toMatchObject({ ok: true });
    expect((await accounts.get({ id: 'a' }))?.item).toStrictEqual({ id: 'a', data: { _fence: 1 } });
  });

  it('may have other names, and those that are theirs by default are free then', async () => {
    const attributes = { fence: 'f', holder: 'h', seq: 's', version: 'v' };
    const renamed = accountsIn(table, { attributes });
    const lease = granted(account('a'), 42);
    const item = { id: 'a', _fence: 'mine', _fenceVersion: 1 } as Account;
    const created = await renamed.create(lease, item);
    expect(created.ok && created.item).toStrictEqual(item);
    expect(await renamed.update(lease, { id: 'a' }, { balance: add(1) })).toMatchObject({ ok: true });
    expect(await table.stored({ id })).toEqual({
      id,
      balance: { N: '1' },
      _fence: { S: 'mine' },
      _fenceVersion: { N: '1' },
      f: { N: '42' },
      h: { S: lease.holder },
      s: { N: '2' },
      v: { S: `42.2.${lease.holder}` },
    });
    expect(await all(renamed.scan())).toStrictEqual([{ ...item, balance: 1 }]);
    expect(await renamed.put(granted(account('a'), 41), { id: 'a' })).toMatchObject({ reason: 'fenced' });
    await expect(renamed.put(lease, { id: 'a', f: 1 } as Account)).rejects.toThrow(
      invalidInput('item.f', /kept by/),
    );
    await renamed.delete(lease, { id: 'a' });
    expect(await table.stored({ id })).toEqual({ id, f: { N: '42' }, h: { S: lease.holder }, s: { N: '3' } });
    expect(await renamed.scan().count()).toBe(0);
    expect(await renamed.inspect({ id: 'a' })).toMatchObject({
      state: 'tombstone',
      stamp: { token: 42, seq: 3 },
    });
  });

  it('may have some other names', async () => {
    const renamed = accountsIn(table, { attributes: { fence: 'f' } });
    await renamed.put(granted(account('a'), 42), { id: 'a' });
    expect(Object.keys((await table.stored({ id })) ?? {}).sort()).toEqual([
      '_fenceHolder',
      '_fenceSeq',
      '_fenceVersion',
      'f',
      'id',
    ]);
  });

  it('give a version to every write of content, which never comes again, and none to anything else', async () => {
    const versions: string[] = [];
    const write = async (writer: Fence, numbered = false) => {
      const note = (result: { ok: boolean; version?: string | undefined }) => {
        expect(result.ok).toBe(true);
        if (result.version !== undefined) versions.push(result.version);
      };
      note(await accounts.put(writer, { id: 'a', balance: 1 }));
      if (numbered) return;
      note(await accounts.update(writer, { id: 'a' }, { balance: add(1) }));
      const before = versions.at(-1);
      expect(await accounts.claim(writer, { id: 'a' })).toMatchObject({ ok: true, version: before });
      expect(await accounts.get({ id: 'a' })).toMatchObject({ version: before });
      await accounts.delete(writer, { id: 'a' });
      expect(await accounts.claim(writer, { id: 'a' })).toMatchObject({ ok: true, version: undefined });
      note(await accounts.create(writer, { id: 'a', balance: 1 }));
      note(await accounts.put(writer, { id: 'a', balance: 1 }));
    };
    await write(granted(account('a'), 40));
    await write(granted(account('a'), 41));
    for (let n = 0; n < 3; n++) await write(fence(account('a'), 42));
    for (let seq = 1; seq <= 3; seq++) await write(fence(account('a'), 43, { holder: 'me', seq }), true);
    expect(versions).toHaveLength(4 * 5 + 3);
    expect(new Set(versions).size).toBe(versions.length);
    expect(versions.every((version) => /^4[0-3]\.\d+\./.test(version))).toBe(true);
  });

  it.each([{ version: 'constructor' }, { fence: 'toString', holder: 'valueOf', seq: 'hasOwnProperty' }])(
    'may be called like what every object inherits: %o',
    async (attributes) => {
      const odd = accountsIn(table, { attributes });
      const lease = granted(account('a'), 42);
      expect((await odd.inspect({ id: 'a' })).state).toBe('absent');
      await table.plant({ id, balance: { N: '1' } });
      expect((await odd.inspect({ id: 'a' })).state).toBe('unfenced');
      expect(await odd.claim(lease, { id: 'a' })).toMatchObject({ ok: true, item: { balance: 1 } });
      expect(await odd.put(lease, { id: 'a', balance: 2 })).toMatchObject({ ok: true });
      expect(await odd.get({ id: 'a' })).toMatchObject({
        item: { balance: 2 },
        version: `42.2.${lease.holder}`,
      });
      expect(await odd.delete(lease, { id: 'a' })).toMatchObject({ ok: true });
      expect(await odd.get({ id: 'a' })).toBeUndefined();
      expect((await odd.inspect({ id: 'a' })).state).toBe('tombstone');
      expect(await odd.update(lease, { id: 'a' }, { balance: 3 })).toMatchObject({ reason: 'not-found' });
    },
  );
});
