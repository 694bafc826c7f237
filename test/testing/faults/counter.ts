import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { FaultRule } from '../../../src/testing/faults/rule.ts';
import { type FaultsOptions, type FaultyHandler, faults } from '../../../src/testing/faults.ts';
import type { EngineUnderTest } from '../../engines/describe-each-engine.ts';

/** Counters behind a faulty wire: each `add` that was applied shows, once or twice. */
export interface Counter {
  readonly wire: FaultyHandler;
  /** Adds 1 over the faulty wire, in one copy. */
  add(id?: string, abortSignal?: AbortSignal): Promise<unknown>;
  /** The error that the SDK gives for an `add`. */
  failure(id?: string, abortSignal?: AbortSignal): Promise<Failure>;
  /** How often `add` was applied, read over a wire without faults. */
  value(id?: string): Promise<number>;
}

export type Failure = Error & { code?: string; $metadata?: { httpStatusCode?: number } };

export async function counter(
  engine: EngineUnderTest,
  rules: readonly FaultRule[],
  options?: FaultsOptions & { maxAttempts?: number },
): Promise<Counter> {
  const TableName = await engine.table({ partitionKey: 'id' });
  const wire = faults(engine.running.handler, rules, options);
  const faulty = engine.client({ requestHandler: wire, maxAttempts: options?.maxAttempts ?? 1 });
  const sound: DynamoDBClient = engine.client();

  const add = (id = 'a', abortSignal?: AbortSignal) => {
    const command = new UpdateItemCommand({
      TableName,
      Key: { id: { S: id } },
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
      ReturnValues: 'ALL_NEW',
    });
    return faulty.send(command, abortSignal === undefined ? {} : { abortSignal });
  };
  return {
    wire,
    add,
    failure: (...args) =>
      add(...args).then(
        () => Promise.reject(new Error('it did not fail')),
        (error: Failure) => error,
      ),
    async value(id = 'a') {
      const { Item } = await sound.send(
        new GetItemCommand({ TableName, Key: { id: { S: id } }, ConsistentRead: true }),
      );
      return Number(Item?.n?.N ?? 0);
    },
  };
}
