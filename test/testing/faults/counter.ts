import {
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { FaultRule } from '../../../src/testing/faults/rule.ts';
import { type FaultsOptions, type FaultyHandler, faults } from '../../../src/testing/faults.ts';
import type { EngineUnderTest } from '../../engines/describe-each-engine.ts';

/** Counters behind a faulty wire: each `add` that was applied shows, once or twice. */
export interface Counter {
  readonly tableName: string;
  /** Adds 1 over the faulty wire, in one copy. */
  add(id?: string, abortSignal?: AbortSignal): Promise<UpdateItemCommandOutput>;
  /** The error that the SDK gives for an `add`. */
  failure(id?: string, abortSignal?: AbortSignal): Promise<Failure>;
  /** How often `add` was applied, read over a wire without faults. */
  value(id?: string): Promise<number>;
}

export type Failure = Error & { code?: string; $metadata?: { httpStatusCode?: number } };

/** A counter whose faults are in the client's `requestHandler`. */
export async function counter(
  engine: EngineUnderTest,
  rules: readonly FaultRule[],
  { maxAttempts = 1, ...options }: FaultsOptions & { maxAttempts?: number } = {},
): Promise<Counter & { readonly wire: FaultyHandler }> {
  const wire = faults(engine.running.handler, rules, options);
  return { wire, ...(await counterThrough(engine, engine.client({ requestHandler: wire, maxAttempts }))) };
}

/** A counter over any client. */
export async function counterThrough(engine: EngineUnderTest, faulty: DynamoDBClient): Promise<Counter> {
  const tableName = await engine.table({ partitionKey: 'id' });
  const sound = engine.client();
  const add = (id = 'a', abortSignal?: AbortSignal) => {
    const command = new UpdateItemCommand({
      TableName: tableName,
      Key: { id: { S: id } },
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
      ReturnValues: 'ALL_NEW',
    });
    return faulty.send(command, abortSignal === undefined ? {} : { abortSignal });
  };
  return {
    tableName,
    add,
    failure: (...args) =>
      add(...args).then(
        () => Promise.reject(new Error('it did not fail')),
        (error: Failure) => error,
      ),
    async value(id = 'a') {
      const read = new GetItemCommand({ TableName: tableName, Key: { id: { S: id } }, ConsistentRead: true });
      const { Item } = await sound.send(read);
      return Number(Item?.n?.N ?? 0);
    },
  };
}
