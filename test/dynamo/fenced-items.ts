import { randomUUID } from 'node:crypto';
import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { defaultAttributes, type Item } from '../../src/dynamo/attributes.ts';
import { compileChanges } from '../../src/dynamo/changes.ts';
import { type CompiledConditions, compileConditions } from '../../src/dynamo/conditions.ts';
import { decodeItem } from '../../src/dynamo/decode.ts';
import { encodeItem } from '../../src/dynamo/encode.ts';
import { guard } from '../../src/dynamo/guard.ts';
import type { Stamp } from '../../src/fence/session.ts';
import { fencingToken } from '../../src/fence/token.ts';

/** The items of one table with the partition key `id`, written under one fence: what the compilers make, as it is sent. */
export class FencedItems {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;
  #seq = 0;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  /** Stores an item under a new id. */
  async put(content: object): Promise<string> {
    const id = randomUUID();
    await this.putRaw(encodeItem({ id, ...content }));
    return id;
  }

  async putRaw(item: Item): Promise<void> {
    const input = { TableName: this.#tableName, Item: item };
    await this.#client.send(new PutItemCommand(guard(input, this.#stamp(), { as: 'put' })));
  }

  /** Whether the conditions held; then the changes were made. */
  async change(id: string, changes: unknown, when?: unknown): Promise<boolean> {
    const changed = compileChanges(changes);
    const asked: Partial<CompiledConditions> = when === undefined ? {} : compileConditions(when, 'when');
    const input = {
      TableName: this.#tableName,
      Key: { id: { S: id } },
      ...changed,
      ...asked,
      ExpressionAttributeNames: { ...changed.ExpressionAttributeNames, ...asked.ExpressionAttributeNames },
      ExpressionAttributeValues: { ...changed.ExpressionAttributeValues, ...asked.ExpressionAttributeValues },
    };
    const sent = this.#client.send(new UpdateItemCommand(guard(input, this.#stamp(), { as: 'update' })));
    return await sent.then(
      () => true,
      (error: Error) => {
        if (error.name === 'ConditionalCheckFailedException') return false;
        throw error;
      },
    );
  }

  /** What is stored under an id, without the key and what the fence keeps. */
  async read(id: string): Promise<Record<string, unknown>> {
    const stored = await this.readRaw(id);
    const hidden = ['id', ...Object.values(defaultAttributes)];
    return decodeItem(Object.fromEntries(Object.entries(stored).filter(([name]) => !hidden.includes(name))));
  }

  async readRaw(id: string): Promise<Item> {
    const read = { TableName: this.#tableName, Key: { id: { S: id } }, ConsistentRead: true };
    const { Item } = await this.#client.send(new GetItemCommand(read));
    if (Item === undefined) throw new Error(`no item ${id}`);
    return Item;
  }

  /** The ids of the items that a filter lets pass. */
  async filter(filter: unknown): Promise<string[]> {
    const { ConditionExpression, ...maps } = compileConditions(filter, 'filter');
    const input = { TableName: this.#tableName, FilterExpression: ConditionExpression, ...maps };
    const { Items = [] } = await this.#client.send(new ScanCommand(input));
    return Items.map(({ id }) => id?.S ?? '');
  }

  #stamp(): Stamp {
    this.#seq += 1;
    return { kind: 'lease', resource: 'r', token: fencingToken(42), holder: 'h', seq: this.#seq };
  }
}
