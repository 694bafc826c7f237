import {
  type AttributeValue,
  DeleteItemCommand,
  type DeleteItemCommandInput,
  type DynamoDBClient,
  GetItemCommand,
  type GetItemCommandInput,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
  TransactGetItemsCommand,
  type TransactGetItemsCommandInput,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { TableDefinition } from '../../../src/testing/index.ts';

/** One request of the suite. Its title names it in the table of tolerated differences. */
export interface Request {
  readonly title: string;
  send(client: DynamoDBClient): Promise<object>;
}

/** A table of its own, and what is sent to it, in order. */
export interface Scenario {
  readonly table: TableDefinition;
  readonly requests: readonly Request[];
}

export const s = (text: string): AttributeValue => ({ S: text });
export const n = (number: number | string): AttributeValue => ({ N: String(number) });
export const m = (members: Record<string, AttributeValue>): AttributeValue => ({ M: members });
export const l = (...members: AttributeValue[]): AttributeValue => ({ L: members });
export const b = (text: string): AttributeValue => ({ B: Buffer.from(text) });
export const yes: AttributeValue = { BOOL: true };
export const nothing: AttributeValue = { NULL: true };

type Rest<Input> = Omit<Input, 'TableName' | 'Key' | 'Item'>;
type Values = Record<string, AttributeValue>;

/** The builders of requests to one table with the partition key `id`. */
export function requestsTo(tableName: string) {
  const TableName = tableName;
  const keyOf = (id: string | Values): Values => (typeof id === 'string' ? { id: s(id) } : id);
  return {
    put: (title: string, Item: Values, rest: Rest<PutItemCommandInput> = {}): Request => ({
      title,
      send: (client) => client.send(new PutItemCommand({ TableName, Item, ...rest })),
    }),
    update: (title: string, id: string | Values, rest: Rest<UpdateItemCommandInput>): Request => ({
      title,
      send: (client) => client.send(new UpdateItemCommand({ TableName, Key: keyOf(id), ...rest })),
    }),
    remove: (title: string, id: string | Values, rest: Rest<DeleteItemCommandInput> = {}): Request => ({
      title,
      send: (client) => client.send(new DeleteItemCommand({ TableName, Key: keyOf(id), ...rest })),
    }),
    get: (title: string, id: string | Values, rest: Rest<GetItemCommandInput> = {}): Request => ({
      title,
      send: (client) => client.send(new GetItemCommand({ TableName, Key: keyOf(id), ...rest })),
    }),
    query: (title: string, rest: Rest<QueryCommandInput>): Request => ({
      title,
      send: (client) => client.send(new QueryCommand({ TableName, ...rest })),
    }),
    scan: (title: string, rest: Rest<ScanCommandInput> = {}): Request => ({
      title,
      send: (client) => client.send(new ScanCommand({ TableName, ...rest })),
    }),
  };
}

export const transactWrite = (
  title: string,
  TransactItems: TransactWriteItemsCommandInput['TransactItems'],
  rest: Omit<TransactWriteItemsCommandInput, 'TransactItems'> = {},
): Request => ({
  title,
  send: (client) => client.send(new TransactWriteItemsCommand({ TransactItems, ...rest })),
});

export const transactGet = (
  title: string,
  TransactItems: TransactGetItemsCommandInput['TransactItems'],
  rest: Omit<TransactGetItemsCommandInput, 'TransactItems'> = {},
): Request => ({
  title,
  send: (client) => client.send(new TransactGetItemsCommand({ TransactItems, ...rest })),
});
