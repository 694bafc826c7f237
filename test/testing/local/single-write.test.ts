import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { addAlone, balance, create, gate, heldBy, put, startAccounts } from './accounts.ts';

it.each([
  [
    'PutItem',
    new PutItemCommand({
      TableName: 'accounts',
      Item: { id: { S: 'a' } },
      ConditionExpression: 'balance > :b',
      ExpressionAttributeValues: { ':b': { N: '9' } },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  ],
  [
    'UpdateItem',
    new UpdateItemCommand({
      TableName: 'accounts',
      Key: { id: { S: 'a' } },
      UpdateExpression: 'SET x = :b',
      ConditionExpression: 'balance > :b',
      ExpressionAttributeValues: { ':b': { N: '9' } },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  ],
  [
    'DeleteItem',
    new DeleteItemCommand({
      TableName: 'accounts',
      Key: { id: { S: 'a' } },
      ConditionExpression: 'balance > :b',
      ExpressionAttributeValues: { ':b': { N: '9' } },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  ],
] as const)('%s shows the item where it is asked for, and only then', async (_name, command) => {
  const item = { id: { S: 'a' }, balance: { N: '7' } };
  await using db = await startAccounts();
  await db.client().send(put('a', { balance: { N: '7' } }));
  await expect(db.client().send(command as PutItemCommand)).rejects.toMatchObject({
    name: 'ConditionalCheckFailedException',
    Item: item,
  });

  await using older = await startAccounts({ returnItems: false });
  await older.client().send(put('a', { balance: { N: '7' } }));
  const refusal = await older
    .client()
    .send(command as PutItemCommand)
    .catch((error) => error);
  expect(refusal.name).toBe('ConditionalCheckFailedException');
  expect(refusal.Item).toBeUndefined();
});

it('holds a write between its check and its commit, and everybody who wants the same item', async () => {
  const { hold, reached, open } = gate();
  await using db = await startAccounts({ beforeCommit: hold });
  const client = db.client();
  const first = client.send(create('a'));
  await reached;
  expect(await balance(client, 'a')).toBeUndefined();
  const second = client.send(create('a')).catch((error) => error);
  open();
  await first;
  expect(await second).toMatchObject({ name: 'ConditionalCheckFailedException' });
});

it('tells the hook what is pending', async () => {
  const pending: unknown[] = [];
  await using db = await startAccounts({ beforeCommit: (write) => void pending.push(write) });
  const client = db.client();
  await client.send(put('a'));
  await client.send(addAlone('a', 1));
  await client.send(new DeleteItemCommand({ TableName: 'accounts', Key: { id: { S: 'a' } } }));
  await client.send(create('b'));
  await client.send(create('b')).catch(() => {});
  expect(pending).toEqual([
    { operation: 'PutItem', tableNames: ['accounts'] },
    { operation: 'UpdateItem', tableNames: ['accounts'] },
    { operation: 'DeleteItem', tableNames: ['accounts'] },
    { operation: 'PutItem', tableNames: ['accounts'] },
  ]);
});

it('changes the index only together with the item', async () => {
  let fails = false;
  await using db = await startAccounts({
    beforeCommit: () => {
      if (fails) throw new Error('the process dies here');
    },
  });
  const client = db.client({ maxAttempts: 1 });
  await client.send(put('a', { holder: { S: 'ann' } }));
  fails = true;
  await expect(client.send(put('a', { holder: { S: 'bob' } }))).rejects.toThrow('dies here');
  expect(await heldBy(client, 'ann')).toEqual(['a']);
  expect(await heldBy(client, 'bob')).toEqual([]);
  fails = false;
  await client.send(put('a', { holder: { S: 'bob' } }));
  expect(await heldBy(client, 'ann')).toEqual([]);
  expect(await heldBy(client, 'bob')).toEqual(['a']);
});

it('releases the item after a failure of any kind', async () => {
  let fails = true;
  await using db = await startAccounts({
    beforeCommit: () => {
      if (fails) throw new Error('a defect');
    },
  });
  const client = db.client({ maxAttempts: 1 });
  await expect(client.send(put('a'))).rejects.toThrow('a defect');
  fails = false;
  await client.send(create('a'));
  await expect(client.send(create('a'))).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  await expect(client.send(addAlone('a', 1))).resolves.toBeDefined();
});
