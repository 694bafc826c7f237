import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  type LocalDynamoDB,
  type LocalDynamoDBOptions,
  startLocalDynamoDB,
} from '../../../src/testing/index.ts';

/** A database with one table `accounts`, and the few requests that these tests need. */
export async function startAccounts(options?: LocalDynamoDBOptions): Promise<LocalDynamoDB> {
  const db = await startLocalDynamoDB(options);
  await db.createTable(accounts);
  return db;
}

export const accounts = {
  tableName: 'accounts',
  partitionKey: 'id',
  indexes: [{ indexName: 'by-holder', partitionKey: 'holder', sortKey: 'id' }],
};

const TableName = accounts.tableName;

export const put = (id: string, members: Record<string, AttributeValue> = {}) =>
  new PutItemCommand({ TableName, Item: { id: { S: id }, ...members } });

export const create = (id: string) =>
  new PutItemCommand({
    TableName,
    Item: { id: { S: id } },
    ConditionExpression: 'attribute_not_exists(id)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });

export const add = (id: string, amount: number, ConditionExpression?: string): TransactWriteItem => ({
  Update: {
    TableName,
    Key: { id: { S: id } },
    UpdateExpression: 'ADD balance :amount',
    ...(ConditionExpression === undefined ? {} : { ConditionExpression }),
    ExpressionAttributeValues: { ':amount': { N: String(amount) } },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

export const addAlone = (id: string, amount: number) => new UpdateItemCommand(add(id, amount).Update!);

export const transact = (TransactItems: TransactWriteItem[], ClientRequestToken?: string) =>
  new TransactWriteItemsCommand({
    TransactItems,
    ...(ClientRequestToken === undefined ? {} : { ClientRequestToken }),
  });

export async function balance(client: DynamoDBClient, id: string): Promise<number | undefined> {
  const { Item } = await client.send(
    new GetItemCommand({ TableName, Key: { id: { S: id } }, ConsistentRead: true }),
  );
  return Item?.balance?.N === undefined ? undefined : Number(Item.balance.N);
}

/** The accounts of a holder, by the index. */
export async function heldBy(client: DynamoDBClient, holder: string): Promise<string[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName,
      IndexName: 'by-holder',
      KeyConditionExpression: 'holder = :h',
      ExpressionAttributeValues: { ':h': { S: holder } },
    }),
  );
  return Items.map(({ id }) => String(id?.S));
}

/** A hook that holds every write between its check and its commit, until it is let go. */
export function gate() {
  let open: () => void = () => {};
  let reach: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  /** Resolves when the first write has come to the hook. */
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const hold = () => {
    reach();
    return opened;
  };
  return { hold, reached, open: () => open() };
}
