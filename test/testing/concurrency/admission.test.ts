import {
  type DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';

/*
 * What an engine must pass before anything else that runs on it counts: emulators that check a condition and
 * write without holding the item in between are common. 200 clients, each with a connection of its own.
 */

const clientCount = 200;
const key = { id: { S: 'contended' } };

describeEachEngine('admission: 200 clients write one item', (engine) => {
  let tableName: string;
  let clients: DynamoDBClient[];
  beforeAll(async () => {
    const { endpoint } = engine.running;
    clients = Array.from({ length: clientCount }, () => engine.client({ endpoint, maxAttempts: 1 }));
    // Each has its connection before the race begins.
    await Promise.all(clients.map((client) => client.send(new ListTablesCommand({}))));
  });
  beforeEach(async () => {
    tableName = await engine.table({ partitionKey: 'id' });
  });

  const read = async () => {
    const { Item } = await engine
      .client()
      .send(new GetItemCommand({ TableName: tableName, Key: key, ConsistentRead: true }));
    return Item;
  };

  it('one of them creates it', async () => {
    const outcomes = await Promise.allSettled(
      clients.map((client, index) =>
        client.send(
          new PutItemCommand({
            TableName: tableName,
            Item: { ...key, winner: { N: String(index) } },
            ConditionExpression: 'attribute_not_exists(id)',
          }),
        ),
      ),
    );
    const winners = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
    expect(winners).toHaveLength(1);
    expect((await read())?.winner).toEqual({ N: String(winners[0]) });
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason.name).toBe('ConditionalCheckFailedException');
    }
  });

  it('every increment counts, and each sees a number of its own', async () => {
    const outcomes = await Promise.all(
      clients.map((client) =>
        client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: key,
            UpdateExpression: 'ADD hits :one',
            ExpressionAttributeValues: { ':one': { N: '1' } },
            ReturnValues: 'ALL_NEW',
          }),
        ),
      ),
    );
    const seen = outcomes.map(({ Attributes }) => Number(Attributes?.hits?.N));
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: clientCount }, (_, index) => index + 1));
  });

  it('a fence never goes back', async () => {
    const outcomes = await Promise.all(
      clients.map(async (client, index) => {
        // Every number once, in no order: 77 has no common divisor with 200.
        const fence = ((index * 77) % clientCount) + 1;
        const update = new UpdateItemCommand({
          TableName: tableName,
          Key: key,
          UpdateExpression: 'SET #f = :f',
          ConditionExpression: 'attribute_not_exists(#f) OR #f < :f',
          ExpressionAttributeNames: { '#f': 'fence' },
          ExpressionAttributeValues: { ':f': { N: String(fence) } },
          ReturnValues: 'UPDATED_OLD',
        });
        return client.send(update).then(
          ({ Attributes }) => ({ fence, before: Number(Attributes?.fence?.N ?? 0) }),
          (error) => {
            expect(error.name).toBe('ConditionalCheckFailedException');
            return undefined;
          },
        );
      }),
    );
    const accepted = outcomes.filter((step) => step !== undefined).sort((a, b) => a.fence - b.fence);
    // One chain from nothing to the largest: each accepted fence follows the one accepted before it.
    expect(accepted.map(({ before }) => before)).toEqual([
      0,
      ...accepted.map(({ fence }) => fence).slice(0, -1),
    ]);
    expect(accepted.at(-1)?.fence).toBe(clientCount);
    expect((await read())?.fence).toEqual({ N: String(clientCount) });
  });
});
