import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type SdkRequestHandler, startLocalDynamoDB } from '../../src/testing/index.ts';
import { ask, type Input, type Op } from './ask.ts';

export type Row = Record<string, AttributeValue>;

/** What a request did to a row: accepted or refused, and what the answer says. */
export interface Step {
  readonly row: Row | undefined;
  readonly answer: { readonly output: object } | { readonly error: Error };
}

/**
 * What the storage does, asked of a real engine and remembered: a search of interleavings meets the same row
 * and the same request again and again, and conditions have no memory.
 */
export class Storage implements AsyncDisposable {
  readonly #steps = new Map<string, Step>();
  readonly #close: () => Promise<void>;
  readonly #engine: SdkRequestHandler;
  readonly #table: string;
  readonly #partitionKey: string;

  private constructor(
    engine: SdkRequestHandler,
    table: string,
    partitionKey: string,
    close: () => Promise<void>,
  ) {
    this.#engine = engine;
    this.#table = table;
    this.#partitionKey = partitionKey;
    this.#close = close;
  }

  static async open(
    table: string,
    partitionKey: string,
    options: { readonly returnItems: boolean },
  ): Promise<Storage> {
    const db = await startLocalDynamoDB(options);
    await db.createTable({ tableName: table, partitionKey });
    return new Storage(db.handler, table, partitionKey, () => db.close());
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
    const name = this.#partitionKey;
    const Key = op === 'PutItem' ? { [name]: input.Item[name] } : input.Key;
    const at = { TableName: this.#table, Key };
    if (row === undefined) await ask(this.#engine, 'DeleteItem', at);
    else await ask(this.#engine, 'PutItem', { TableName: this.#table, Item: row });
    const answer = await ask(this.#engine, op, input).then(
      (output) => ({ output }),
      (error: Error) => ({ error }),
    );
    const { Item } = await ask(this.#engine, 'GetItem', { ...at, ConsistentRead: true });
    return { row: Item, answer };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}
