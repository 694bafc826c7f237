import { type DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  claimInput,
  type ExplainOptions,
  entomb,
  type FencingOptions,
  guard,
  type Stamp,
} from '../../src/kernel.ts';

export type Verb = Exclude<ExplainOptions['as'], 'check' | 'check-absent'> | 'adopt';

/** Every verb of the kernel, sent to an item whose content becomes `v = new`, in the form of one client. */
export interface Sender {
  send(verb: Verb, id: string, stamp: Stamp, options?: FencingOptions): Promise<unknown>;
}

/** Inputs in attribute values, through the plain client. */
export function attributeValueSender(client: DynamoDBClient, TableName: string): Sender {
  return {
    send(verb, id, stamp, options = {}) {
      const Key = { id: { S: id } };
      const Item = { ...Key, v: { S: 'new' } };
      const change = {
        UpdateExpression: 'SET v = :v',
        ExpressionAttributeValues: { ':v': { S: 'new' } },
      };
      switch (verb) {
        case 'put':
        case 'create':
          return client.send(
            new PutItemCommand(guard({ TableName, Item }, stamp, { ...options, as: verb, key: 'id' })),
          );
        case 'update':
        case 'upsert':
          return client.send(
            new UpdateItemCommand(guard({ TableName, Key, ...change }, stamp, { ...options, as: verb })),
          );
        case 'delete':
          return client.send(new PutItemCommand(entomb({ TableName, Key }, stamp, options)));
        case 'claim':
        case 'adopt':
          return client.send(
            new UpdateItemCommand(
              claimInput({ TableName, Key }, stamp, { ...options, adopt: verb === 'adopt' }),
            ),
          );
      }
    },
  };
}

/** The same in plain values, through the document client. */
export function plainSender(client: DynamoDBClient, TableName: string): Sender {
  const documents = DynamoDBDocumentClient.from(client);
  return {
    send(verb, id, stamp, options = {}) {
      const Key = { id };
      const Item = { id, v: 'new' };
      const change = { UpdateExpression: 'SET v = :v', ExpressionAttributeValues: { ':v': 'new' } };
      switch (verb) {
        case 'put':
        case 'create':
          return documents.send(
            new PutCommand(guard({ TableName, Item }, stamp, { ...options, as: verb, key: 'id' })),
          );
        case 'update':
        case 'upsert':
          return documents.send(
            new UpdateCommand(guard({ TableName, Key, ...change }, stamp, { ...options, as: verb })),
          );
        case 'delete':
          return documents.send(new PutCommand(entomb({ TableName, Key }, stamp, options)));
        case 'claim':
        case 'adopt':
          return documents.send(
            new UpdateCommand(claimInput({ TableName, Key }, stamp, { ...options, adopt: verb === 'adopt' })),
          );
      }
    },
  };
}
