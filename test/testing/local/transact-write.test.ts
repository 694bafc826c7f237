import { TransactGetItemsCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { accounts, add, addAlone, balance, gate, heldBy, put, startAccounts, transact } from './accounts.ts';

it('stores all or nothing, and says why in the order of the request', async () => {
  await using db = await startAccounts();
  const client = db.client();
  await client.send(transact([add('a', 100), add('b', 100)]));
  const refused = client.send(
    transact([add('a', -30), add('b', 30, 'balance < :amount'), add('new', 1, 'attribute_exists(id)')]),
  );
  await expect(refused).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    message:
      'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, ConditionalCheckFailed]',
    CancellationReasons: [
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Item: { id: { S: 'b' }, balance: { N: '100' } } },
      { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
    ],
  });
  expect(await balance(client, 'a')).toBe(100);
  expect(await balance(client, 'b')).toBe(100);
  expect(await balance(client, 'new')).toBeUndefined();
});

it('shows no items where the engine does not', async () => {
  await using db = await startAccounts({ returnItems: false });
  const client = db.client();
  await client.send(put('a'));
  const refusal = await client
    .send(transact([add('a', 1, 'attribute_not_exists(id)')]))
    .catch((error) => error);
  expect(refusal.CancellationReasons).toEqual([
    { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
  ]);
});

it('is seen by nobody before its commit, and holds back single writes and other transactions', async () => {
  const { hold, reached, open } = gate();
  await using db = await startAccounts({
    beforeCommit: ({ operation }) => (operation === 'TransactWriteItems' ? hold() : undefined),
  });
  const client = db.client();
  await client.send(put('a', { balance: { N: '1' }, holder: { S: 'ann' } }));
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);

  const transaction = client
    .send(
      transact([
        add('b', 1),
        {
          Update: {
            TableName: accounts.tableName,
            Key: { id: { S: 'a' } },
            UpdateExpression: 'SET balance = balance + :one, holder = :bob',
            ExpressionAttributeValues: { ':one': { N: '1' }, ':bob': { S: 'bob' } },
          },
        },
      ]),
    )
    .then(note('transaction'));
  await reached;
  // A read never waits.
  expect(await balance(client, 'a')).toBe(1);
  expect(await heldBy(client, 'bob')).toEqual([]);
  const single = client.send(addAlone('a', 10)).then(note('single'));
  const reads = client
    .send(
      new TransactGetItemsCommand({
        TransactItems: [{ Get: { TableName: 'accounts', Key: { id: { S: 'b' } } } }],
      }),
    )
    .then(note('transactional read'));
  const elsewhere = client.send(addAlone('c', 1)).then(note('elsewhere'));
  await elsewhere;
  open();
  await Promise.all([transaction, single, reads]);
  expect(order.slice(0, 2)).toEqual(['elsewhere', 'transaction']);
  expect(await balance(client, 'a')).toBe(12);
  expect(await heldBy(client, 'bob')).toEqual(['a']);
  expect(await heldBy(client, 'ann')).toEqual([]);
});

it('tells the hook which tables it touches, each once', async () => {
  const pending: unknown[] = [];
  await using db = await startAccounts({ beforeCommit: (write) => void pending.push(write) });
  await db.createTable({ tableName: 'ledger', partitionKey: 'id' });
  const ledger = { Put: { TableName: 'ledger', Item: { id: { S: 'e1' } } } };
  await db.client().send(transact([add('a', 1), ledger, add('b', 1)]));
  expect(pending).toEqual([{ operation: 'TransactWriteItems', tableNames: ['accounts', 'ledger'] }]);
});

it('releases its items after a failure of any kind', async () => {
  let fails = true;
  await using db = await startAccounts({
    beforeCommit: () => {
      if (fails) throw new Error('a defect');
    },
  });
  const client = db.client({ maxAttempts: 1 });
  await expect(client.send(transact([add('a', 1), add('b', 1)], 'token'))).rejects.toThrow('a defect');
  fails = false;
  await client.send(transact([add('a', 1), add('b', 1)], 'token'));
  await client.send(addAlone('a', 1));
  expect(await balance(client, 'a')).toBe(2);
});

it('counts what updates leave behind towards its 4 MB', async () => {
  await using db = await startAccounts();
  const client = db.client();
  const large = { v: { S: 'x'.repeat(390_000) } };
  const ids = Array.from({ length: 11 }, (_, index) => `large-${index}`);
  for (const id of ids) await client.send(put(id, large));
  await expect(client.send(transact(ids.map((id) => add(id, 1))))).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining('4MB'),
  });
  expect(await balance(client, 'large-0')).toBeUndefined();
  await client.send(transact(ids.slice(0, 10).map((id) => add(id, 1))));
});

it('refuses to read more than 4 MB at once', async () => {
  await using db = await startAccounts();
  const client = db.client();
  const ids = Array.from({ length: 11 }, (_, index) => `large-${index}`);
  for (const id of ids) await client.send(put(id, { v: { S: 'x'.repeat(390_000) } }));
  const read = (wanted: string[]) =>
    client.send(
      new TransactGetItemsCommand({
        TransactItems: wanted.map((id) => ({ Get: { TableName: 'accounts', Key: { id: { S: id } } } })),
      }),
    );
  await expect(read(ids)).rejects.toMatchObject({ name: 'ValidationException' });
  expect((await read(ids.slice(0, 10))).Responses).toHaveLength(10);
});
