import { beforeAll, describe, expect, it } from 'vitest';
import type { Item } from '../../src/dynamo/attributes.ts';
import { type Explanation, explain, type FenceKind } from '../../src/kernel.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type RawTable, rawTable } from './raw-table.ts';
import { ourStamp, ourVersion, type StoredState, stampOf, storedStates } from './stored-states.ts';
import { attributeValueSender, plainSender, type Sender, type Verb } from './verbs.ts';

const written = { v: { S: 'new' }, ...ourStamp, ...ourVersion };
const isUnfenced = ({ item }: StoredState) => item !== undefined && item._fence === undefined;

/** What each verb asks beside admission, how a refusal of that is called, and what it leaves of the item that it met. */
const verbs: readonly {
  readonly verb: Exclude<Verb, 'adopt'>;
  readonly asks: (state: StoredState) => boolean;
  readonly otherwise?: Explanation['is'];
  readonly leaves: (met: Item) => Item;
}[] = [
  { verb: 'put', asks: () => true, leaves: () => written },
  { verb: 'create', asks: ({ live }) => !live, otherwise: 'exists', leaves: () => written },
  {
    verb: 'update',
    asks: ({ live }) => live,
    otherwise: 'not-found',
    leaves: (met) => ({ ...met, ...written }),
  },
  { verb: 'upsert', asks: () => true, leaves: (met) => ({ ...met, ...written }) },
  { verb: 'delete', asks: () => true, leaves: () => ourStamp },
  {
    verb: 'claim',
    asks: (state) => !isUnfenced(state),
    otherwise: 'unfenced',
    leaves: (met) => ({ ...met, ...ourStamp }),
  },
];

describeEachEngine(
  'the admission condition',
  (engine) => {
    let table: RawTable;
    beforeAll(async () => {
      table = await rawTable(engine);
    });

    /** Sends a verb at every stored state: what it said, `ok` or the verdict, and what is stored then. */
    async function atEveryState(make: typeof plainSender, verb: Verb, kind: FenceKind) {
      const sender: Sender = make(table.client, table.tableName);
      const idOf = (state: StoredState) => `${verb}, ${kind}, ${make.name}: ${state.what}`;
      await table.seed(Object.fromEntries(storedStates.map((state) => [idOf(state), state.item])));
      const said = storedStates.map((state) =>
        sender.send(verb, idOf(state), stampOf(kind)).then(
          () => 'ok',
          (error) => {
            const as = verb === 'adopt' ? 'claim' : verb;
            return explain(error, stampOf(kind), { as, item: state.item ?? null }).is;
          },
        ),
      );
      await Promise.all(said);
      const stored = await table.stored(storedStates.map(idOf));
      const outcomes = storedStates.map(async (state, n) => [
        state.what,
        [await said[n], stored[idOf(state)]],
      ]);
      return Object.fromEntries(await Promise.all(outcomes)) as Record<string, [string, Item | undefined]>;
    }

    describe.each(verbs)('$verb', ({ verb, asks, otherwise, leaves }) => {
      it.each([
        ['a lease, in attribute values', 'lease', attributeValueSender],
        ['a lease, in plain values', 'lease', plainSender],
        ['a bare fence, in attribute values', 'bare', attributeValueSender],
      ] as const)('of %s', async (_, kind, make) => {
        const wanted = storedStates.map((state) => {
          const admitted = kind === 'bare' ? state.bare : state.lease;
          const says = admitted !== true ? admitted : asks(state) ? 'ok' : otherwise;
          return [state.what, [says, says === 'ok' ? leaves(state.item ?? {}) : state.item]];
        });
        expect(await atEveryState(make, verb, kind)).toEqual(Object.fromEntries(wanted));
      });
    });

    it('a claim that adopts takes items without a fence, and no others', async () => {
      const outcomes = await atEveryState(attributeValueSender, 'adopt', 'lease');
      for (const state of storedStates) {
        const [said, stored] = outcomes[state.what] ?? [];
        expect([state.what, said === 'ok']).toEqual([state.what, isUnfenced(state)]);
        expect(stored).toEqual(
          isUnfenced(state) ? { ...state.item, ...ourStamp, ...ourVersion } : state.item,
        );
      }
    });
  },
  { only: ['local', 'dynoxide'] },
);

describe('a numbered fence is admitted as a lease is', () => {
  it.each(verbs)('$verb', async ({ verb }) => {
    const sent: unknown[] = [];
    const client = { send: async ({ input }: { input: unknown }) => void sent.push(input) };
    const sender = attributeValueSender(client as never, 'items');
    await sender.send(verb, 'a', stampOf('numbered'));
    await sender.send(verb, 'a', stampOf('lease'));
    expect(sent[0]).toEqual(sent[1]);
    await sender.send(verb, 'a', stampOf('bare'));
    expect(sent[2]).not.toEqual(sent[1]);
  });
});
