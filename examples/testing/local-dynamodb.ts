// What a test can ask of the local DynamoDB: run with `npx tsx examples/testing/local-dynamodb.ts`.
import { TransactWriteItemsCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';

const deposit = (id: string) => ({
  TableName: 'accounts',
  Key: { id: { S: id } },
  UpdateExpression: 'ADD balance :amount',
  ExpressionAttributeValues: { ':amount': { N: '10' } },
});

// #region start
await using db = await startLocalDynamoDB();
await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
const client = db.client();

await client.send(
  new TransactWriteItemsCommand({ TransactItems: [{ Update: deposit('ann') }, { Update: deposit('bob') }] }),
);
// #endregion start

// #region tables
await db.createTable({
  tableName: 'seats',
  partitionKey: 'show',
  sortKey: { name: 'row', type: 'N' },
  indexes: [
    { indexName: 'by-guest', partitionKey: 'guest', sortKey: 'show' },
    { indexName: 'by-price', sortKey: { name: 'price', type: 'N' }, projection: ['_fence', '_fenceVersion'] },
  ],
});
// #endregion tables

// #region conflict
await using busy = await startLocalDynamoDB({
  conflicts: 'reject',
  // Runs between the check of a write and its commit, while its items are locked.
  beforeCommit: async ({ operation }) => {
    if (operation === 'TransactWriteItems') await depositMeanwhile();
  },
});

async function depositMeanwhile() {
  try {
    await busy.client().send(new UpdateItemCommand(deposit('ann')));
  } catch (error) {
    console.log(`in between: ${(error as Error).name}`); // TransactionConflictException
  }
}
// #endregion conflict

await busy.createTable({ tableName: 'accounts', partitionKey: 'id' });
await busy.client().send(new TransactWriteItemsCommand({ TransactItems: [{ Update: deposit('ann') }] }));
await busy.client().send(new UpdateItemCommand(deposit('ann')));
console.log('afterwards: both are through');
