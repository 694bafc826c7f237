import {
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { claimInput, entomb, explain, guard, isLive, nextStamp } from '../../src/kernel.ts';
import { dropResponse, faults } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { granted } from '../support/fences.ts';
import { watchEverything } from '../support/watch-clients.mjs';
import { type RawTable, rawTable } from './raw-table.ts';

const Key = { id: { S: 'a' } };

/** The kernel as its users use it: with their own client, in their own catch blocks. */
describeEachEngine('the kernel by hand', (engine) => {
  let table: RawTable;
  beforeEach(async () => {
    table = await rawTable(engine);
  });
  const rejection = (sent: Promise<unknown>) =>
    sent.then(
      () => Promise.reject(new Error('it was not refused')),
      (error: unknown) => error,
    );
  const read = async () => {
    const get = new GetItemCommand({ TableName: table.tableName, Key, ConsistentRead: true });
    return (await engine.client().send(get)).Item ?? null;
  };
  const add = (n: string) => ({
    TableName: table.tableName,
    Key,
    UpdateExpression: 'ADD balance :n',
    ExpressionAttributeValues: { ':n': { N: n } },
  });
  const put = (balance: string) => ({
    TableName: table.tableName,
    Item: { ...Key, balance: { N: balance } },
  });

  it('a stale writer is refused, and told who was first', async () => {
    const [older, newer] = [granted('r', 41), granted('r', 42)];
    await table.client.send(new PutItemCommand(guard(put('1'), nextStamp(older))));
    await table.client.send(new PutItemCommand(guard(put('2'), nextStamp(newer))));
    const stamp = nextStamp(older);
    const error = await rejection(table.client.send(new UpdateItemCommand(guard(add('5'), stamp))));
    const first = explain(error, stamp, { as: 'update' });
    expect(first.is).toBe(engine.returnsItems ? 'fenced' : 'needs-read');
    const verdict =
      first.is === 'needs-read' ? explain(error, stamp, { as: 'update', item: await read() }) : first;
    expect(verdict).toEqual({ is: 'fenced', seen: { lastToken: 42, lastHolder: newer.holder } });
    expect(await table.stored(['a'])).toMatchObject({ a: { balance: { N: '2' }, _fence: { N: '42' } } });
  });

  it('a lost answer: the same input again finds its own effect, and applies once', async () => {
    const lease = granted('r', 42);
    await table.client.send(new PutItemCommand(guard(put('10'), nextStamp(lease))));
    const stamp = nextStamp(lease);
    const input = guard(add('-3'), stamp);
    const wire = faults(engine.running.handler, [{ on: { nth: 1 }, do: dropResponse() }]);
    const client = watchEverything(engine.client({ requestHandler: wire, maxAttempts: 1 }));
    const lost = await rejection(client.send(new UpdateItemCommand(input)));
    expect(() => explain(lost, stamp, { as: 'update' })).toThrow('socket hang up');
    const again = await rejection(client.send(new UpdateItemCommand(input)));
    expect(explain(again, stamp, { as: 'update', item: await read() })).toEqual({
      is: 'applied',
      newer: undefined,
    });
    expect(await table.stored(['a'])).toMatchObject({ a: { balance: { N: '7' } } });
  });

  it('a claim keeps the older holder from writing, also where nothing is', async () => {
    const [older, newer] = [granted('r', 41), granted('r', 42)];
    const claimed = await table.client.send(
      new UpdateItemCommand(claimInput({ TableName: table.tableName, Key }, nextStamp(newer))),
    );
    expect(isLive(claimed.Attributes)).toBe(false);
    const stamp = nextStamp(older);
    const create = guard(put('1'), stamp, { as: 'create', key: 'id' });
    const error = await rejection(table.client.send(new PutItemCommand(create)));
    expect(explain(error, stamp, { as: 'create', item: await read() }).is).toBe('fenced');
    const own = guard(put('2'), nextStamp(newer), { as: 'create', key: 'id' });
    await table.client.send(new PutItemCommand(own));
    expect(await table.stored(['a'])).toMatchObject({ a: { balance: { N: '2' } } });
  });

  it('a claim of an item without a fence adopts it, with one stamp', async () => {
    await table.seed({ a: { balance: { N: '1' } } });
    const stamp = nextStamp(granted('r', 42));
    const target = { TableName: table.tableName, Key };
    const error = await rejection(table.client.send(new UpdateItemCommand(claimInput(target, stamp))));
    expect(explain(error, stamp, { as: 'claim', item: await read() }).is).toBe('unfenced');
    const { Attributes } = await table.client.send(
      new UpdateItemCommand(claimInput(target, stamp, { adopt: true })),
    );
    expect(isLive(Attributes)).toBe(true);
    expect(Attributes).toMatchObject({ balance: { N: '1' }, _fence: { N: '42' } });
  });

  it('what was deleted stays fenced, and can be created again', async () => {
    const [older, newer] = [granted('r', 41), granted('r', 42)];
    await table.client.send(new PutItemCommand(guard(put('1'), nextStamp(older))));
    const buried = entomb(
      { TableName: table.tableName, Key, ReturnValues: 'ALL_OLD' as const },
      nextStamp(newer),
    );
    expect((await table.client.send(new PutItemCommand(buried))).Attributes).toMatchObject({
      balance: { N: '1' },
    });
    const stored = await read();
    expect([stored?.balance, isLive(stored ?? undefined)]).toEqual([undefined, false]);
    const stamp = nextStamp(older);
    const error = await rejection(table.client.send(new PutItemCommand(guard(put('9'), stamp))));
    expect(explain(error, stamp, { as: 'put', item: stored }).is).toBe('fenced');
    await table.client.send(
      new PutItemCommand(guard(put('2'), nextStamp(newer), { as: 'create', key: 'id' })),
    );
    expect(isLive((await read()) ?? undefined)).toBe(true);
  });

  it('a delete with a condition needs an item, and one without takes what is there', async () => {
    const lease = granted('r', 42);
    const bury = (stamp: ReturnType<typeof nextStamp>, own: object) =>
      table.client.send(new PutItemCommand(entomb({ TableName: table.tableName, Key, ...own }, stamp)));
    // True of everything that has no owner, tombstones and nothing included.
    const unowned = { ConditionExpression: 'attribute_not_exists(ownedBy)' };
    for (const there of ['nothing', 'a tombstone']) {
      const stamp = nextStamp(lease);
      const error = await rejection(bury(stamp, unowned));
      const options = { as: 'delete', conditional: true, item: await read() } as const;
      expect([there, explain(error, stamp, options).is]).toEqual([there, 'not-found']);
      await bury(nextStamp(lease), {});
    }
    await table.client.send(new PutItemCommand(guard(put('1'), nextStamp(lease))));
    await bury(nextStamp(lease), unowned);
    expect(isLive((await read()) ?? undefined)).toBe(false);
  });

  it('through the document client, with an item as that client reads it', async () => {
    await table.seed({
      a: {
        v: { S: 'x' },
        _fence: { N: '9007199254740991' },
        _fenceHolder: { S: 'them' },
        _fenceVersion: { S: 'x' },
      },
    });
    const documents = DynamoDBDocumentClient.from(table.client);
    const stamp = nextStamp(granted('r', 42));
    const input = {
      TableName: table.tableName,
      Key: { id: 'a' },
      UpdateExpression: 'SET #v = :v',
      ExpressionAttributeNames: { '#v': 'v' },
      ExpressionAttributeValues: { ':v': new Set(['y']) },
    };
    const error = await rejection(documents.send(new UpdateCommand(guard(input, stamp))));
    const get = new GetCommand({ TableName: table.tableName, Key: { id: 'a' }, ConsistentRead: true });
    for (const wrapNumbers of [false, true, BigInt]) {
      const reader = DynamoDBDocumentClient.from(engine.client(), { unmarshallOptions: { wrapNumbers } });
      const { Item: item = null } = await reader.send(get);
      expect(explain(error, stamp, { as: 'update', item })).toEqual({
        is: 'fenced',
        seen: { lastToken: Number.MAX_SAFE_INTEGER, lastHolder: 'them' },
      });
    }
  });

  it('in a transaction: all actions under one stamp, applied together or explained one by one', async () => {
    const [older, newer] = [granted('r', 41), granted('r', 42)];
    await table.seed({ b: { balance: { N: '5' } } });
    const toB = { ...add('1'), Key: { id: { S: 'b' } } };
    const both = (stamp: ReturnType<typeof nextStamp>) =>
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: guard(put('1'), stamp, { as: 'create', key: 'id' }) },
          { Update: guard(toB, stamp) },
        ],
      });
    await table.client.send(both(nextStamp(newer)));
    const after = await table.stored(['a', 'b']);
    expect(after).toMatchObject({
      a: { balance: { N: '1' }, _fence: { N: '42' } },
      b: { balance: { N: '6' }, _fence: { N: '42' } },
    });

    const stamp = nextStamp(older);
    const error = await rejection(table.client.send(both(stamp)));
    const item = await read();
    expect([0, 1].map((index) => explain(error, stamp, { as: 'update', index, item }).is)).toEqual([
      'fenced',
      'fenced',
    ]);
    expect(await table.stored(['a', 'b'])).toEqual(after);
  });

  it('a transaction that was applied and sent again finds its own effect', async () => {
    const lease = granted('r', 42);
    const stamp = nextStamp(lease);
    const transaction = () =>
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: guard(put('1'), stamp) },
          { Update: guard({ ...add('1'), Key: { id: { S: 'b' } } }, stamp, { as: 'upsert' }) },
        ],
      });
    await table.client.send(transaction());
    const error = await rejection(table.client.send(transaction()));
    const item = await read();
    const verdicts = (['put', 'upsert'] as const).map(
      (as, index) => explain(error, stamp, { as, index, item }).is,
    );
    expect(verdicts).toContain('applied');
    expect(await table.stored(['b'])).toMatchObject({ b: { balance: { N: '1' } } });
  });
});
