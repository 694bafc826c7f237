import { beforeAll, describe, expect, it } from 'vitest';
import type { Item } from '../../src/dynamo/attributes.ts';
import { type Explanation, explain, type FencingOptions } from '../../src/kernel.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { type RawTable, rawTable } from './raw-table.ts';
import { ourStamp, ourVersion, stampOf } from './stored-states.ts';
import { attributeValueSender, type Verb } from './verbs.ts';

const lease = stampOf('lease');
const stamp41 = { _fence: { N: '41' }, _fenceHolder: { S: 'them' }, _fenceSeq: { N: '1' } };
const states = {
  absent: undefined,
  unfenced: { v: { S: 'old' } },
  live: { v: { S: 'old' }, ...stamp41, _fenceVersion: { S: '41.1.them' } },
  changed: { v: { S: 'old' }, ...stamp41, _fenceVersion: { S: '40.7.x' } },
  deleted: stamp41,
  newer: { v: { S: 'old' }, ...stamp41, _fence: { N: '43' }, _fenceVersion: { S: '41.1.them' } },
};
type StateName = keyof typeof states;

const whole = { v: { S: 'new' }, ...ourStamp, ...ourVersion };
const leaves: Readonly<Record<Verb, (met: Item) => Item>> = {
  put: () => whole,
  create: () => whole,
  update: (met) => ({ ...met, ...whole }),
  upsert: (met) => ({ ...met, ...whole }),
  delete: () => ourStamp,
  claim: (met) => ({ ...met, ...ourStamp }),
  adopt: (met) => ({ ...met, ...ourStamp, ...ourVersion }),
};

describeEachEngine('the options of the kernel', (engine) => {
  let table: RawTable;
  beforeAll(async () => {
    table = await rawTable(engine);
  });
  let runs = 0;

  /** What a verb does at each state, with what is stored then proved to be right. */
  async function atStates(verb: Exclude<Verb, 'adopt'>, options: FencingOptions) {
    runs += 1;
    const idOf = (name: string) => `${runs}: ${name}`;
    const entries = Object.entries(states) as [StateName, Item | undefined][];
    await table.seed(Object.fromEntries(entries.map(([name, item]) => [idOf(name), item])));
    const sender = attributeValueSender(table.client, table.tableName);
    const said = await Promise.all(
      entries.map(async ([name, item]): Promise<[StateName, Explanation['is'] | 'ok']> => {
        try {
          await sender.send(verb, idOf(name), lease, options);
          return [name, 'ok'];
        } catch (error) {
          return [name, explain(error, lease, { as: verb, ...options, item: item ?? null }).is];
        }
      }),
    );
    const stored = await table.stored(entries.map(([name]) => idOf(name)));
    for (const [name, outcome] of said) {
      const met = states[name];
      expect([name, stored[idOf(name)]]).toEqual([name, outcome === 'ok' ? leaves[verb](met ?? {}) : met]);
    }
    return Object.fromEntries(said);
  }

  describe("unfenced: 'refuse'", () => {
    it.each(['put', 'upsert', 'delete', 'claim'] as const)(
      '%s: everything but an item without a fence',
      async (verb) => {
        expect(await atStates(verb, { unfenced: 'refuse' })).toEqual({
          ...{ absent: 'ok', live: 'ok', changed: 'ok', deleted: 'ok' },
          ...{ unfenced: 'unfenced', newer: 'fenced' },
        });
      },
    );

    it('create', async () => {
      expect(await atStates('create', { unfenced: 'refuse' })).toEqual({
        ...{ absent: 'ok', deleted: 'ok' },
        ...{ live: 'exists', changed: 'exists', unfenced: 'unfenced', newer: 'fenced' },
      });
    });

    it('update', async () => {
      expect(await atStates('update', { unfenced: 'refuse' })).toEqual({
        ...{ live: 'ok', changed: 'ok' },
        ...{ absent: 'not-found', deleted: 'not-found', unfenced: 'unfenced', newer: 'fenced' },
      });
    });
  });

  describe('ifVersion', () => {
    it.each(['put', 'update', 'upsert', 'delete'] as const)('%s: only that version', async (verb) => {
      expect(await atStates(verb, { ifVersion: '41.1.them' })).toEqual({
        live: 'ok',
        ...{ changed: 'version', unfenced: 'version' },
        ...{ absent: 'not-found', deleted: 'not-found', newer: 'fenced' },
      });
    });

    it.each(['put', 'update', 'upsert', 'delete'] as const)(
      "%s: 'unfenced' is an item without a fence",
      async (verb) => {
        expect(await atStates(verb, { ifVersion: 'unfenced' })).toEqual({
          unfenced: 'ok',
          ...{ live: 'version', changed: 'version' },
          ...{ absent: 'not-found', deleted: 'not-found', newer: 'fenced' },
        });
      },
    );
  });
});
