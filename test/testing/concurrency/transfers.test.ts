import {
  type DynamoDBClient,
  PutItemCommand,
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';

/*
 * 100 transfers between two tables, half of them in each order of the items, so that locks taken one after the
 * other would deadlock; single writes to the same items in between, and readers who must never see half a
 * transfer.
 */

const transfers = 100;
const start = 1_000;

describeEachEngine('100 concurrent transfers', (engine) => {
  let client: DynamoDBClient;
  let left: string;
  let right: string;
  const key = { id: { S: 'account' } };

  beforeEach(async () => {
    client = engine.client({ maxAttempts: 10 });
    left = await engine.table({ partitionKey: 'id' });
    right = await engine.table({ partitionKey: 'id' });
    for (const TableName of [left, right]) {
      const Item = { ...key, balance: { N: String(start) }, visits: { N: '0' } };
      await client.send(new PutItemCommand({ TableName, Item }));
    }
  });

  const add = (TableName: string, amount: number): TransactWriteItem => ({
    Update: {
      TableName,
      Key: key,
      UpdateExpression: 'ADD balance :amount',
      ExpressionAttributeValues: { ':amount': { N: String(amount) } },
    },
  });
  const both = async () => {
    const { Responses = [] } = await client.send(
      new TransactGetItemsCommand({
        TransactItems: [left, right].map((TableName) => ({ Get: { TableName, Key: key } })),
      }),
    );
    return Responses.map(({ Item }) => ({
      balance: Number(Item?.balance?.N),
      visits: Number(Item?.visits?.N),
    }));
  };

  it('keep the sum, lose no single write between them, and are never seen half done', async () => {
    const writes: Promise<unknown>[] = [];
    const reading: ReturnType<typeof both>[] = [];
    for (let index = 0; index < transfers; index += 1) {
      const amount = (index % 7) + 1;
      const steps = [add(left, -amount), add(right, amount)];
      const visit = new UpdateItemCommand({
        TableName: index % 2 === 0 ? left : right,
        Key: key,
        UpdateExpression: 'ADD visits :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      });
      writes.push(
        client.send(
          new TransactWriteItemsCommand({ TransactItems: index % 2 === 0 ? steps : steps.reverse() }),
        ),
        client.send(visit),
      );
      reading.push(both());
      // One turn apart, so that the reads queue between the transfers and not in front of all of them.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(writes);
    const reads = await Promise.all(reading);
    for (const [l, r] of reads) expect(l!.balance + r!.balance).toBe(2 * start);
    // They were at work between the transfers, not before or after all of them.
    expect(new Set(reads.map(([l]) => l!.balance)).size).toBeGreaterThan(5);

    const moved = Array.from({ length: transfers }, (_, index) => (index % 7) + 1).reduce((a, b) => a + b);
    expect(await both()).toEqual([
      { balance: start - moved, visits: transfers / 2 },
      { balance: start + moved, visits: transfers / 2 },
    ]);
  });

  it('of which only those that both sides allow are made', async () => {
    const guarded = (TableName: string, amount: number): TransactWriteItem => ({
      Update: {
        ...add(TableName, amount).Update!,
        ConditionExpression: 'balance >= :need',
        ExpressionAttributeValues: { ':amount': { N: String(amount) }, ':need': { N: '30' } },
      },
    });
    const outcomes = await Promise.allSettled(
      Array.from({ length: transfers }, () =>
        client.send(new TransactWriteItemsCommand({ TransactItems: [add(right, 30), guarded(left, -30)] })),
      ),
    );
    const made = outcomes.filter(({ status }) => status === 'fulfilled').length;
    expect(made).toBe(Math.floor(start / 30));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason.CancellationReasons.map(({ Code }: { Code: string }) => Code)).toEqual([
          'None',
          'ConditionalCheckFailed',
        ]);
      }
    }
    expect((await both()).map(({ balance }) => balance)).toEqual([start - made * 30, start + made * 30]);
  });
});
