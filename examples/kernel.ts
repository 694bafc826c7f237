// Fencing for code that keeps its own mapper: the kernel guards the inputs that the mapper makes, and explains
// refusals. The mapper's own client sends, as always.
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamoTokenSource, LeaseManager, unwrap } from 'dynamodb-fenced';
import { claimInput, explain, guard, nextStamp } from 'dynamodb-fenced/kernel';
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';

await using db = await startLocalDynamoDB();
await db.createTable({ tableName: 'leases', partitionKey: 'resource' });
await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
const client = db.client();
const documents = DynamoDBDocumentClient.from(client);
const leases = new LeaseManager({
  source: dynamoTokenSource({ client, tableName: 'leases' }),
  ttlMs: 10_000,
});
await using lease = unwrap(await leases.acquire('account/a1')).lease;

const opened = { TableName: 'accounts', Item: { id: 'a1', balance: 100 } };
await documents.send(new PutCommand(guard(opened, nextStamp(lease), { as: 'create', key: 'id' })));

// #region claim
const key = { TableName: 'accounts', Key: { id: 'a1' } };
const { Attributes: account } = await documents.send(new UpdateCommand(claimInput(key, nextStamp(lease))));
// #endregion claim
console.log(`claimed, ${account?.balance}`);

console.log(await withdraw(30));
console.log(await withdraw(80));

async function withdraw(amount: number): Promise<string> {
  // #region guard
  // As a mapper makes it: entity.update(…).params() of ElectroDB, or the .params() of dynamodb-toolbox.
  const input = {
    TableName: 'accounts',
    Key: { id: 'a1' },
    UpdateExpression: 'ADD #balance :amount',
    ConditionExpression: '#balance >= :least',
    ExpressionAttributeNames: { '#balance': 'balance' },
    ExpressionAttributeValues: { ':amount': -amount, ':least': amount },
  };
  const stamp = nextStamp(lease); // one for each logical write
  try {
    await documents.send(new UpdateCommand(guard(input, stamp)));
    return 'paid out';
  } catch (error) {
    const verdict = explain(error, stamp, { as: 'update', conditional: true });
    if (verdict.is === 'applied') return 'paid out'; // an earlier copy was, and its answer was lost
    if (verdict.is === 'fenced') return `late: token ${verdict.seen.lastToken} has written`;
    return verdict.is; // 'condition', 'not-found', …
  }
  // #endregion guard
}
