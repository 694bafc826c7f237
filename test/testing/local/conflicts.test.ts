import { DeleteItemCommand, TransactGetItemsCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import type { LocalDynamoDB } from '../../../src/testing/index.ts';
import { add, addAlone, balance, gate, heldBy, put, startAccounts, transact } from './accounts.ts';

/** A database in which a transaction on `a` and `b` is held before its commit. */
async function withTransactionHeld(use: (db: LocalDynamoDB) => Promise<void>): Promise<void> {
  const { hold, reached, open } = gate();
  await using db = await startAccounts({
    conflicts: 'reject',
    beforeCommit: ({ operation }) => (operation === 'TransactWriteItems' ? hold() : undefined),
  });
  const client = db.client();
  await client.send(put('a', { balance: { N: '1' }, holder: { S: 'ann' } }));
  const transaction = client.send(transact([add('a', 1), add('b', 1)]));
  await reached;
  await use(db);
  open();
  await transaction;
  expect(await balance(client, 'a')).toBe(2);
  // Nothing is in the way any more.
  await client.send(addAlone('a', 1));
  await client.send(transact([add('a', 1), add('b', 1)]));
  expect(await balance(client, 'a')).toBe(4);
}

it('turns single writes away, each with its own error, sent once', () =>
  withTransactionHeld(async (db) => {
    const commands = [
      put('a'),
      addAlone('a', 5),
      new DeleteItemCommand({ TableName: 'accounts', Key: { id: { S: 'b' } } }),
    ];
    for (const command of commands) {
      const refusal = await db
        .client()
        .send(command as never)
        .catch((error) => error);
      expect(refusal).toMatchObject({ name: 'TransactionConflictException', $metadata: { attempts: 1 } });
    }
  }));

it('cancels other transactions, with the reason on the item that they share', () =>
  withTransactionHeld(async (db) => {
    await expect(db.client().send(transact([add('c', 1), add('b', 1)]))).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
    });
    const Get = { TableName: 'accounts', Key: { id: { S: 'a' } } };
    await expect(
      db.client().send(new TransactGetItemsCommand({ TransactItems: [{ Get }] })),
    ).rejects.toMatchObject({ CancellationReasons: [{ Code: 'TransactionConflict' }] });
  }));

it('lets reads through, and everything about other items', () =>
  withTransactionHeld(async (db) => {
    const client = db.client();
    expect(await balance(client, 'a')).toBe(1);
    expect(await heldBy(client, 'ann')).toEqual(['a']);
    await client.send(addAlone('c', 1));
    expect(await balance(client, 'c')).toBe(1);
  }));

it('lets single writes wait for one another: no conflict without a transaction', async () => {
  await using db = await startAccounts({ conflicts: 'reject' });
  const client = db.client();
  await Promise.all(Array.from({ length: 50 }, () => client.send(addAlone('a', 1))));
  expect(await balance(client, 'a')).toBe(50);
});

it('lets a transaction wait for single writes', async () => {
  const { hold, reached, open } = gate();
  await using db = await startAccounts({
    conflicts: 'reject',
    beforeCommit: ({ operation }) => (operation === 'UpdateItem' ? hold() : undefined),
  });
  const client = db.client();
  const single = client.send(addAlone('a', 1));
  await reached;
  const transaction = client.send(transact([add('a', 1)]));
  open();
  await Promise.all([single, transaction]);
  expect(await balance(client, 'a')).toBe(2);
});
