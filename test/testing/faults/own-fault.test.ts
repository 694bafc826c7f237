import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { FencedRepository } from '../../../src/index.ts';
import { type Fault, faults, record } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { granted } from '../../support/fences.ts';

/**
 * The server's clock is ten minutes behind ours: or ours is ahead, as after a thaw. With each answer it is further behind, as the SDK
 * repeats nothing where two answers show the same difference, to the millisecond.
 */
function staleDate(): Fault {
  let behindMs = 600_000;
  return {
    name: 'staleDate',
    async inject({ deliver }) {
      const { response } = await deliver();
      behindMs += 2_000;
      const date = new Date(Date.now() - behindMs).toUTCString();
      return { response: { ...response, headers: { ...response.headers, date } } };
    },
  };
}

describeEachEngine(
  'a fault of your own',
  (engine) => {
    it('makes the SDK repeat a failed condition, but not the library', async () => {
      const TableName = await engine.table({ partitionKey: 'id' });
      const wire = record(faults(engine.running.handler, [{ do: staleDate() }]));
      const client = engine.client({ requestHandler: wire });

      const Item = { id: { S: 'a' }, _fence: { N: '43' } };
      const create = new PutItemCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(id)' });
      await client.send(create);
      wire.forget();
      await expect(client.send(create)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
      expect(wire.ops.length).toBeGreaterThan(1);

      wire.forget();
      const items = new FencedRepository<{ id: string }, 'id'>({
        client,
        tableName: TableName,
        key: ['id'],
        resource: ({ id }) => id,
      });
      expect(await items.put(granted('a', 42), { id: 'a' })).toMatchObject({
        reason: 'fenced',
        lastToken: 43,
      });
      expect(wire.ops).toEqual(['PutItem']);
    });
  },
  { only: ['local', 'dynoxide'] },
);
