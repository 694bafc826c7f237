import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { accountsTable } from './accounts.ts';
import type { Teller } from './teller.ts';

/** Without fencing: the storage never hears of the lease. */
export function plainTeller(client: DynamoDBClient, id: string): Teller {
  return {
    reading: 'get',
    async read() {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: accountsTable, Key: { id: { S: id } }, ConsistentRead: true }),
      );
      return Number(Item?.balance?.N);
    },
    async write(balance) {
      const Item = { id: { S: id }, balance: { N: String(balance) } };
      await client.send(new PutItemCommand({ TableName: accountsTable, Item }));
      return { accepted: true };
    },
  };
}
