import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { dropResponse } from '../../src/testing/faults/drop-response.ts';
import { reset } from '../../src/testing/faults/lost-requests.ts';
import { faults } from '../../src/testing/faults.ts';
import { record } from '../../src/testing/record.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';

describeEachEngine(
  'record',
  (engine) => {
    const put = (TableName: string) => new PutItemCommand({ TableName, Item: { id: { S: 'a' } } });

    it('has every request, in order, as DynamoDB gets it', async () => {
      const TableName = await engine.table({ partitionKey: 'id' });
      const wire = record(engine.running.handler);
      const client = engine.client({ requestHandler: wire });
      await client.send(put(TableName));
      const { Item } = await DynamoDBDocumentClient.from(client).send(
        new GetCommand({ TableName, Key: { id: 'a' } }),
      );
      expect(Item).toEqual({ id: 'a' });
      expect(wire.requests).toEqual([
        { number: 1, op: 'PutItem', input: { TableName, Item: { id: { S: 'a' } } } },
        { number: 2, op: 'GetItem', input: { TableName, Key: { id: { S: 'a' } } } },
      ]);
      wire.forget();
      await client.send(new GetItemCommand({ TableName, Key: { id: { S: 'a' } } }));
      expect(wire.ops).toEqual(['GetItem']);
    });

    it('sees every copy, around faults what was sent and within what arrived', async () => {
      const TableName = await engine.table({ partitionKey: 'id' });
      const arrived = record(engine.running.handler);
      const sent = record(
        faults(arrived, [
          { on: { nth: 1 }, do: reset() },
          { on: { nth: 2 }, do: dropResponse() },
        ]),
      );
      await engine.client({ requestHandler: sent, maxAttempts: 3 }).send(put(TableName));
      expect(sent.ops).toEqual(['PutItem', 'PutItem', 'PutItem']);
      expect(arrived.ops).toEqual(['PutItem', 'PutItem']);
    });

    it('can refuse a request before it leaves', async () => {
      const TableName = await engine.table({ partitionKey: 'id' });
      const arrived = record(engine.running.handler);
      const wire = record(arrived, ({ op }) => {
        throw new Error(`no ${op} today`);
      });
      const client = engine.client({ requestHandler: wire, maxAttempts: 1 });
      await expect(client.send(put(TableName))).rejects.toThrow('no PutItem today');
      expect([wire.ops, arrived.ops]).toEqual([['PutItem'], []]);
    });
  },
  { only: ['local', 'dynoxide'] },
);
