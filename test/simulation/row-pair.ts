import { type SdkRequestHandler, startLocalDynamoDB } from '../../src/testing/index.ts';
import { ask, type Input, type Op } from './ask.ts';
import type { Row, Step } from './storage.ts';

/** The two items that a transaction writes. */
export interface RowPair {
  readonly a: Row | undefined;
  readonly b: Row | undefined;
}

export const PAIRS = 'pairs';

/** What a real engine does to two rows, remembered: see `Storage`. */
export class PairStorage implements AsyncDisposable {
  readonly #steps = new Map<string, { readonly row: RowPair; readonly answer: Step['answer'] }>();
  readonly #engine: SdkRequestHandler;
  readonly #close: () => Promise<void>;

  private constructor(engine: SdkRequestHandler, close: () => Promise<void>) {
    this.#engine = engine;
    this.#close = close;
  }

  static async open(options: { readonly returnItems: boolean }): Promise<PairStorage> {
    const db = await startLocalDynamoDB(options);
    await db.createTable({ tableName: PAIRS, partitionKey: 'id' });
    return new PairStorage(db.handler, () => db.close());
  }

  /**
   * Executes one request. Of the ClientRequestToken nothing is remembered: a copy may arrive after the ten
   * minutes for which DynamoDB knows it, and what holds without it holds the more with it.
   */
  async execute(row: RowPair, op: Op, { ClientRequestToken: _forgotten, ...input }: Input) {
    const id = JSON.stringify([row, op, input]);
    const known = this.#steps.get(id);
    if (known !== undefined) return known;
    await this.#put('a', row.a);
    await this.#put('b', row.b);
    const answer = await ask(this.#engine, op, input).then(
      (output) => ({ output }),
      (error: Error) => ({ error }),
    );
    const step = { row: { a: await this.#get('a'), b: await this.#get('b') }, answer };
    this.#steps.set(id, step);
    return step;
  }

  async #put(id: string, row: Row | undefined): Promise<void> {
    if (row === undefined) await ask(this.#engine, 'DeleteItem', at(id));
    else await ask(this.#engine, 'PutItem', { TableName: PAIRS, Item: row });
  }

  async #get(id: string): Promise<Row | undefined> {
    const { Item } = await ask(this.#engine, 'GetItem', { ...at(id), ConsistentRead: true });
    return Item;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

function at(id: string) {
  return { TableName: PAIRS, Key: { id: { S: id } } };
}
