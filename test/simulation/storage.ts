import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { startLocalDynamoDB } from '../../src/testing/index.ts';

export type Row = Record<string, AttributeValue>;
export type Op = 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'GetItem';

// biome-ignore lint/suspicious/noExplicitAny: the inputs of three commands.
export type Input = Record<string, any>;

/** What a request did to a row: accepted or refused, and what the answer says. */
export interface Step {
  readonly row: Row | undefined;
  readonly answer: { readonly output: object } | { readonly error: Error };
}

const commands = {
  PutItem: PutItemCommand,
  UpdateItem: UpdateItemCommand,
  DeleteItem: DeleteItemCommand,
  GetItem: GetItemCommand,
};

/**
 * What the storage does, asked of a real engine and remembered: a search of interleavings meets the same row
 * and the same request again and again, and conditions have no memory.
 */
export class Storage implements AsyncDisposable {
  readonly #steps = new Map<string, Step>();
  readonly #close: () => Promise<void>;
  readonly #client: DynamoDBClient;
  readonly #table: string;

  private constructor(client: DynamoDBClient, table: string, close: () => Promise<void>) {
    this.#client = client;
    this.#table = table;
    this.#close = close;
  }

  static async open(
    table: string,
    partitionKey: string,
    options: { readonly returnItems: boolean },
  ): Promise<Storage> {
    const db = await startLocalDynamoDB(options);
    await db.createTable({ tableName: table, partitionKey });
    return new Storage(db.client({ maxAttempts: 1 }), table, () => db.close());
  }

  /** How many different steps the engine was asked for. */
  get size(): number {
    return this.#steps.size;
  }

  /** Executes one request on a row. */
  async execute(row: Row | undefined, op: Op, input: Input): Promise<Step> {
    const id = JSON.stringify([row, op, input]);
    const known = this.#steps.get(id);
    if (known !== undefined) return known;
    const step = await this.#ask(row, op, input);
    this.#steps.set(id, step);
    return step;
  }

  async #ask(row: Row | undefined, op: Op, input: Input): Promise<Step> {
    const Key = keyOf(op, input);
    const at = { TableName: this.#table, Key };
    if (row === undefined) await this.#client.send(new DeleteItemCommand(at));
    else await this.#client.send(new PutItemCommand({ TableName: this.#table, Item: row }));
    // biome-ignore lint/suspicious/noExplicitAny: the commands have no common type.
    const answer = await this.#client.send(new (commands[op] as new (input: any) => any)(input)).then(
      (output: object) => ({ output }),
      (error: Error) => ({ error }),
    );
    const { Item } = await this.#client.send(new GetItemCommand({ ...at, ConsistentRead: true }));
    return { row: Item, answer };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

function keyOf(op: Op, input: Input): Row {
  if (op !== 'PutItem') return input.Key;
  // The tables of the simulation have a partition key alone, and put it first nowhere: so it is told by name.
  const name = 'id' in input.Item ? 'id' : 'resource';
  return { [name]: input.Item[name] };
}
