import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { add } from '../../src/expressions.ts';
import type { Fence } from '../../src/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type Accounts, account, accountsIn } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

type Item = Record<string, AttributeValue>;

const id = { S: 'a' };
const stamp = (token: number, holder: string, seq: number) => ({
  _fence: { N: String(token) },
  _fenceHolder: { S: holder },
  _fenceSeq: { N: String(seq) },
});
const version = (token: number, seq: number, holder: string) => ({
  _fenceVersion: { S: `${token}.${seq}.${holder}` },
});

/** The four states that an item can be in, as the holder of token 41 left them, or nobody. */
const states = {
  absent: undefined,
  tombstone: { id, ...stamp(41, 'before', 7) },
  live: { id, balance: { N: '100' }, ...stamp(41, 'before', 7), ...version(41, 5, 'before') },
  unfenced: { id, balance: { N: '100' } },
} satisfies Record<string, Item | undefined>;

type State = keyof typeof states;

const before = { item: { id: 'a', balance: 100 }, version: '41.5.before' };
const legacy = { item: { id: 'a', balance: 100 }, version: 'unfenced' };

interface Case {
  readonly verb: keyof typeof verbs;
  readonly state: State;
  /** The result, beside `ok`, `token` and `replayed` where it is a success. */
  readonly result: object;
  /** What is stored then, beside the key; undefined: as it was. */
  readonly leaves: 'content' | 'changed' | 'tombstone' | 'claimed' | 'adopted' | 'unchanged';
}

const verbs = {
  create: (to: Accounts, fence: Fence) => to.create(fence, { id: 'a', balance: 1 }),
  put: (to: Accounts, fence: Fence) => to.put(fence, { id: 'a', balance: 1 }),
  update: (to: Accounts, fence: Fence) => to.update(fence, { id: 'a' }, { balance: add(1) }),
  upsert: (to: Accounts, fence: Fence) =>
    to.update(fence, { id: 'a' }, { balance: add(1) }, { upsert: true }),
  delete: (to: Accounts, fence: Fence) => to.delete(fence, { id: 'a' }),
  claim: (to: Accounts, fence: Fence) => to.claim(fence, { id: 'a' }),
};

const everyVerb = Object.keys(verbs) as (keyof typeof verbs)[];

const op = (verb: keyof typeof verbs) =>
  verb === 'update' || verb === 'upsert' || verb === 'claim' ? 'UpdateItem' : 'PutItem';

const written = { item: { id: 'a', balance: 1 } };
const changed = { item: { id: 'a', balance: 101 } };
const notFound = { ok: false, reason: 'not-found' };
const exists = { ok: false, reason: 'exists' };

const cases: readonly Case[] = [
  { verb: 'create', state: 'absent', result: written, leaves: 'content' },
  { verb: 'create', state: 'tombstone', result: written, leaves: 'content' },
  { verb: 'create', state: 'live', result: { ...exists, ...before }, leaves: 'unchanged' },
  { verb: 'create', state: 'unfenced', result: { ...exists, ...legacy }, leaves: 'unchanged' },
  { verb: 'put', state: 'absent', result: written, leaves: 'content' },
  { verb: 'put', state: 'tombstone', result: written, leaves: 'content' },
  { verb: 'put', state: 'live', result: written, leaves: 'content' },
  { verb: 'put', state: 'unfenced', result: written, leaves: 'content' },
  { verb: 'update', state: 'absent', result: notFound, leaves: 'unchanged' },
  { verb: 'update', state: 'tombstone', result: notFound, leaves: 'unchanged' },
  { verb: 'update', state: 'live', result: changed, leaves: 'changed' },
  { verb: 'update', state: 'unfenced', result: changed, leaves: 'changed' },
  { verb: 'upsert', state: 'absent', result: written, leaves: 'content' },
  { verb: 'upsert', state: 'tombstone', result: written, leaves: 'content' },
  { verb: 'upsert', state: 'live', result: changed, leaves: 'changed' },
  { verb: 'upsert', state: 'unfenced', result: changed, leaves: 'changed' },
  { verb: 'delete', state: 'absent', result: { item: undefined }, leaves: 'tombstone' },
  { verb: 'delete', state: 'tombstone', result: { item: undefined }, leaves: 'tombstone' },
  { verb: 'delete', state: 'live', result: { item: before.item }, leaves: 'tombstone' },
  { verb: 'delete', state: 'unfenced', result: { item: legacy.item }, leaves: 'tombstone' },
  { verb: 'claim', state: 'absent', result: { item: undefined, version: undefined }, leaves: 'tombstone' },
  { verb: 'claim', state: 'tombstone', result: { item: undefined, version: undefined }, leaves: 'tombstone' },
  { verb: 'claim', state: 'live', result: before, leaves: 'claimed' },
  { verb: 'claim', state: 'unfenced', result: { item: legacy.item }, leaves: 'adopted' },
];

describeEachEngine('what a verb makes of an item', (engine) => {
  let table: TestTable;
  let accounts: Accounts;
  beforeEach(async () => {
    table = await testTable(engine);
    accounts = accountsIn(table);
  });
  const plant = async (state: State) => {
    const item = states[state];
    if (item !== undefined) await table.plant(item);
  };

  describe('under a newer fence', () => {
    it.each(cases)('$verb on one that is $state', async ({ verb, state, result, leaves }) => {
      await plant(state);
      const lease = granted(account('a'), 42);
      const own = { ...stamp(42, lease.holder, 1) };
      const ownVersion = version(42, 1, lease.holder);
      const after: Record<Case['leaves'], Item | undefined> = {
        content: { id, balance: { N: '1' }, ...own, ...ownVersion },
        changed: { id, balance: { N: '101' }, ...own, ...ownVersion },
        tombstone: { id, ...own },
        claimed: { id, balance: { N: '100' }, ...own, ...version(41, 5, 'before') },
        adopted: { id, balance: { N: '100' }, ...own, ...ownVersion },
        unchanged: states[state],
      };
      const versioned = leaves === 'content' || leaves === 'changed' || leaves === 'adopted';
      expect(await verbs[verb](accounts, lease)).toStrictEqual(
        'reason' in result
          ? result
          : {
              ok: true,
              token: 42,
              replayed: false,
              ...(versioned ? { version: ownVersion._fenceVersion.S } : {}),
              ...result,
            },
      );
      expect(await table.stored({ id })).toEqual(after[leaves]);
      expect(await table.storedItems()).toHaveLength(after[leaves] === undefined ? 0 : 1);
      expect(table.wire.ops).toEqual([
        ...(leaves === 'unchanged' || leaves === 'adopted'
          ? table.refused(op(verb), states[state])
          : [op(verb)]),
        ...(leaves === 'adopted' ? [op(verb)] : []),
      ]);
    });
  });

  describe('under an older fence', () => {
    const refusing = ['tombstone', 'live'] as const;
    it.each(everyVerb.flatMap((verb) => refusing.map((state) => ({ verb, state }))))(
      '$verb on one that is $state is fenced',
      async ({ verb, state }) => {
        await plant(state);
        const lease = granted(account('a'), 40);
        expect(await verbs[verb](accounts, lease)).toStrictEqual({
          ok: false,
          reason: 'fenced',
          resource: 'account/a',
          token: 40,
          holder: lease.holder,
          lastToken: 41,
          lastHolder: 'before',
          applied: 'no',
        });
        expect(await table.stored({ id })).toEqual(states[state]);
        expect(table.wire.ops).toEqual(table.refused(op(verb), states[state]));
      },
    );
  });

  describe('under a fence of the same number and another holder', () => {
    it.each(everyVerb)('%s is refused', async (verb) => {
      await plant('live');
      const lease = granted(account('a'), 41);
      expect(await verbs[verb](accounts, lease)).toStrictEqual({
        ok: false,
        reason: 'token-reused',
        resource: 'account/a',
        token: 41,
        holder: lease.holder,
        lastToken: 41,
        lastHolder: 'before',
        applied: 'no',
      });
      expect(await table.stored({ id })).toEqual(states.live);
    });
  });

  describe('under the same fence, with a request that a later one of the same holder has overtaken', () => {
    it.each(everyVerb)('%s is refused', async (verb) => {
      const lease = granted(account('a'), 41);
      const later = { ...states.live, _fenceHolder: { S: lease.holder } };
      await table.plant(later);
      expect(await verbs[verb](accounts, lease)).toStrictEqual({
        ok: false,
        reason: 'superseded',
        resource: 'account/a',
        token: 41,
        holder: lease.holder,
        lastToken: 41,
        lastHolder: lease.holder,
        applied: 'no',
      });
      expect(await table.stored({ id })).toEqual(later);
    });
  });
});
