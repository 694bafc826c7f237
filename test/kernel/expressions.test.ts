import { randomUUID } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Item } from '../../src/dynamo/attributes.ts';
import { defaultAttributes, guard } from '../../src/kernel.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { anyUpdate, type OwnParts } from './any-update.ts';
import { type RawTable, rawTable } from './raw-table.ts';
import { stampOf } from './stored-states.ts';

const lease = stampOf('lease');
const older = {
  _fence: { N: '41' },
  _fenceHolder: { S: 'them' },
  _fenceSeq: { N: '1' },
  _fenceVersion: { S: '41.1.them' },
};
const newer = { ...older, _fence: { N: '43' } };

describeEachEngine(
  "the caller's expressions in a guarded input",
  (engine) => {
    let table: RawTable;
    beforeAll(async () => {
      table = await rawTable(engine);
    });

    /** Sends an update to an item and gives the content that is stored then, or the name of the error. */
    async function update(content: Item, parts: OwnParts, { stamped = older, guarded = true } = {}) {
      const id = randomUUID();
      await table.seed({ [id]: { ...content, ...stamped } });
      const input = { TableName: table.tableName, Key: { id: { S: id } }, ...parts };
      const client = guarded ? table.client : engine.client();
      try {
        await client.send(new UpdateItemCommand(guarded ? guard(input, lease) : input));
      } catch (error) {
        return (error as Error).name;
      }
      const { [id]: stored } = await table.stored([id]);
      return contentOf(stored ?? {});
    }

    const values = { ':s': { S: 'new' }, ':n': { N: '5' } };
    it.each([
      ['SET a = :s', { a: { S: 'new' } }],
      ['set a = :s', { a: { S: 'new' } }],
      ['SeT\ta\n=\n:s', { a: { S: 'new' } }],
      ['SET a=:s', { a: { S: 'new' } }],
      ['REMOVE b SET a = :s', { a: { S: 'new' }, b: undefined }],
      ['remove b set a = :s', { a: { S: 'new' }, b: undefined }],
      ['ADD n :n SET a = :s REMOVE b', { a: { S: 'new' }, b: undefined, n: { N: '15' } }],
      ['SET a = :s ADD n :n', { a: { S: 'new' }, n: { N: '15' } }],
      ['SET n = n - :n, a = :s', { a: { S: 'new' }, n: { N: '5' } }],
      ['SET n=n-:n,a=:s', { a: { S: 'new' }, n: { N: '5' } }],
      ['SET a = if_not_exists(b, :s)', { a: { S: 'b' } }],
      ['SET m.deep = :s', { m: { M: { deep: { S: 'new' } } } }],
      ['SET l[0] = :s', { l: { L: [{ S: 'new' }] } }],
    ] as const)('%j', async (UpdateExpression, changes) => {
      const content = {
        a: { S: 'a' },
        b: { S: 'b' },
        n: { N: '10' },
        m: { M: { deep: { S: 'x' } } },
        l: { L: [{ S: 'l' }] },
      };
      const used = Object.entries(values).filter(([name]) => UpdateExpression.includes(name));
      const parts = { UpdateExpression, ExpressionAttributeValues: Object.fromEntries(used) };
      const expected = Object.entries({ ...content, ...changes }).filter(([, value]) => value !== undefined);
      expect(await update(content, parts)).toEqual(Object.fromEntries(expected));
    });

    it.each([
      ['REMOVE b', { a: { S: 'a' } }],
      ['remove a, b', {}],
      ['', { a: { S: 'a' }, b: { S: 'b' } }],
    ])('without a SET of its own: %j', async (UpdateExpression, expected) => {
      const parts = UpdateExpression === '' ? {} : { UpdateExpression };
      expect(await update({ a: { S: 'a' }, b: { S: 'b' } }, parts)).toEqual(expected);
    });

    it('placeholders of the caller that look like ours keep their meaning', async () => {
      const parts = {
        UpdateExpression: 'SET x = :df0, #df0 = :df1, #df1_0 = :v0',
        ConditionExpression: '#df3 = :df2',
        ExpressionAttributeNames: { '#df0': 'y', '#df3': 'a', '#df1_0': 'z' },
        ExpressionAttributeValues: {
          ':df0': { S: 'hello' },
          ':df1': { N: '7' },
          ':v0': { N: '8' },
          ':df2': { S: 'a' },
        },
      };
      expect(await update({ a: { S: 'a' } }, parts)).toEqual({
        a: { S: 'a' },
        x: { S: 'hello' },
        y: { N: '7' },
        z: { N: '8' },
      });
    });

    it("a forgotten placeholder stays the caller's mistake", async () => {
      const parts = {
        UpdateExpression: 'SET x = :x',
        ConditionExpression: '#df0 = :x',
        ExpressionAttributeValues: { ':x': { N: '1' } },
      };
      expect(await update({}, parts)).toBe('ValidationException');
    });

    it.each(['a = :yes OR a = :no', '(a = :yes OR a = :no)', 'a = :no or(a = :yes)', 'NOT a = :no'])(
      'a condition that holds lets nobody past the fence: %s',
      async (ConditionExpression) => {
        const used = { ':yes': { S: 'a' }, ':no': { S: 'x' } };
        const ExpressionAttributeValues = Object.fromEntries(
          Object.entries(used).filter(([name]) => ConditionExpression.includes(name)),
        );
        const parts = { ConditionExpression, ExpressionAttributeValues };
        expect(await update({ a: { S: 'a' } }, parts)).toEqual({ a: { S: 'a' } });
        expect(await update({ a: { S: 'a' } }, parts, { stamped: newer })).toBe(
          'ConditionalCheckFailedException',
        );
      },
    );

    it('any update changes what it would change without the fence, and nothing else', async () => {
      const seen = { applied: 0, refused: 0 };
      const property = fc.asyncProperty(anyUpdate, async ({ content, parts }) => {
        const plain = await update(content, parts, { guarded: false });
        expect(plain).not.toBe('ValidationException');
        seen[typeof plain === 'string' ? 'refused' : 'applied'] += 1;
        expect(await update(content, parts)).toEqual(plain);
      });
      await fc.assert(property, { numRuns: 60 });
      expect(Math.min(seen.applied, seen.refused)).toBeGreaterThan(5);
    });
  },
  { only: ['local', 'dynoxide'] },
);

function contentOf(item: Item): Item {
  const hidden: readonly string[] = Object.values(defaultAttributes);
  return Object.fromEntries(Object.entries(item).filter(([name]) => !hidden.includes(name)));
}
