import { type TransactionCanceledException, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { abortBody, cutAnswer } from '../../../src/testing/faults/cut.ts';
import { conflict, respond, serverError, throttle } from '../../../src/testing/faults/error-answers.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { counter } from './counter.ts';

describeEachEngine(
  'faults: what comes back instead',
  (engine) => {
    it.each([
      [500, false, 'InternalServerError', 0],
      [500, true, 'InternalServerError', 1],
      [503, false, 'ServiceUnavailableException', 0],
      [503, true, 'ServiceUnavailableException', 1],
    ] as const)('serverError %s, applied %s', async (statusCode, applied, name, value) => {
      const c = await counter(engine, [{ do: serverError({ statusCode, applied }) }]);
      expect(await c.failure()).toMatchObject({ name, $metadata: { httpStatusCode: statusCode } });
      expect(await c.value()).toBe(value);
      expect(c.wire.bites('serverError')).toBe(1);
    });

    it.each([
      'ProvisionedThroughputExceededException',
      'ThrottlingException',
      'RequestLimitExceeded',
    ] as const)('throttle: %s', async (name) => {
      const c = await counter(engine, [{ do: throttle({ name }) }]);
      expect(await c.failure()).toMatchObject({ name, $metadata: { httpStatusCode: 400 } });
      expect(await c.value()).toBe(0);
    });

    it('conflict: another transaction holds the item', async () => {
      const c = await counter(engine, [{ do: conflict() }]);
      expect(await c.failure()).toMatchObject({ name: 'TransactionConflictException' });
      expect(await c.value()).toBe(0);
    });

    it('conflict of a transaction: its cancellation, with a reason for each action', async () => {
      const c = await counter(engine, [{ do: conflict() }]);
      const update = (id: string) => ({
        Update: {
          TableName: 'accounts',
          Key: { id: { S: id } },
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        },
      });
      const transaction = new TransactWriteItemsCommand({ TransactItems: [update('a'), update('b')] });
      const client = engine.client({ requestHandler: c.wire, maxAttempts: 1 });
      const failure = await client.send(transaction).catch((error: TransactionCanceledException) => error);
      expect(failure).toMatchObject({
        name: 'TransactionCanceledException',
        message: expect.stringContaining('[TransactionConflict, None]'),
        CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
      });
    });

    it('respond: any error that the service can give, with its members', async () => {
      const c = await counter(engine, [
        { do: respond({ name: 'ConditionalCheckFailedException', members: { Item: { n: { N: '7' } } } }) },
      ]);
      expect(await c.failure()).toMatchObject({
        name: 'ConditionalCheckFailedException',
        Item: { n: { N: '7' } },
      });
    });

    it('cutAnswer: applied, and the answer breaks off', async () => {
      const c = await counter(engine, [{ do: cutAnswer({ afterBytes: 10 }) }]);
      expect(await c.failure()).toMatchObject({
        code: 'ECONNRESET',
        message: expect.stringMatching(/^aborted/),
        $metadata: { httpStatusCode: 200 },
      });
      expect(await c.value()).toBe(1);
    });

    it('cutAnswer by end: applied, and the answer is no JSON', async () => {
      const c = await counter(engine, [{ do: cutAnswer({ by: 'end' }) }]);
      expect(await c.failure()).toMatchObject({ name: 'SyntaxError', $metadata: { httpStatusCode: 200 } });
      expect(await c.value()).toBe(1);
    });

    it('abortBody: the server gets a part of the request, acts on nothing, and lives', async () => {
      const c = await counter(engine, [{ on: { nth: 1 }, do: abortBody() }]);
      expect(await c.failure()).toMatchObject({ name: 'TimeoutError', code: 'ECONNRESET' });
      await c.wire.idle();
      expect(await c.value()).toBe(0);
      await c.add();
      expect(await c.value()).toBe(1);
    });
  },
  { only: ['local', 'dynoxide'] },
);
