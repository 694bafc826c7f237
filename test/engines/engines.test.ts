import {
  type ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { describeEachEngine } from './describe-each-engine.ts';
import { engines } from './engines.ts';

describeEachEngine('every engine', (engine) => {
  it('stores, refuses, and shows the item where it can', async () => {
    const tableName = await engine.table({ partitionKey: 'id' });
    const client = engine.client();
    const create = new PutItemCommand({
      TableName: tableName,
      Item: { id: { S: 'a' } },
      ConditionExpression: 'attribute_not_exists(id)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    await client.send(create);
    const refusal = await client.send(create).catch((error: ConditionalCheckFailedException) => error);
    expect(refusal).toMatchObject({ name: 'ConditionalCheckFailedException' });
    expect(refusal).toHaveProperty('Item', engine.returnsItems ? { id: { S: 'a' } } : undefined);
  });

  it('answers other processes at its endpoint', async () => {
    const tableName = await engine.table({ partitionKey: 'id' });
    await engine.client().send(new PutItemCommand({ TableName: tableName, Item: { id: { S: 'a' } } }));
    const overHttp = engine.client({ endpoint: engine.running.endpoint });
    const read = new GetItemCommand({ TableName: tableName, Key: { id: { S: 'a' } } });
    expect((await overHttp.send(read)).Item).toEqual({ id: { S: 'a' } });
  });
});

it('leaves nothing behind', async () => {
  for (const engine of engines) {
    const running = await engine.start();
    const { endpoint } = running;
    expect((await fetch(endpoint)).status).toBe(200);
    await running[Symbol.asyncDispose]();
    await expect(fetch(endpoint)).rejects.toThrow();
  }
});
