import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import {
  abortBody,
  cutAnswer,
  delay,
  dropResponse,
  duplicate,
  type FaultRule,
  type FaultsOptions,
  hang,
  pause,
  refuse,
  reset,
  serverError,
  startFaultProxy,
  throttle,
} from '../../src/testing/index.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import { describeEachEngine, type EngineUnderTest } from '../engines/describe-each-engine.ts';
import { counterThrough } from './faults/counter.ts';

const first = { on: { op: 'UpdateItem', nth: 1 } } as const;

describeEachEngine(
  'the fault proxy',
  (engine: EngineUnderTest) => {
    async function counter(rules: readonly FaultRule[], options: FaultsOptions = {}) {
      const proxy = await startFaultProxy({ target: engine.running.endpoint, rules, ...options });
      onTestFinished(() => proxy.close());
      const client = engine.client({ endpoint: proxy.endpoint, maxAttempts: 1 });
      return { proxy, ...(await counterThrough(engine, client)) };
    }

    it('is not noticed where no rule matches', async () => {
      const c = await counter([]);
      expect(await c.add()).toMatchObject({ Attributes: { n: { N: '1' } } });
      expect([await c.value(), c.proxy.bites()]).toEqual([1, 0]);
    });

    it.each([
      ['reset', reset(), { name: 'TimeoutError', code: 'ECONNRESET' }, 0],
      ['refuse', refuse(), { name: 'TimeoutError', code: 'ECONNRESET' }, 0],
      ['dropResponse', dropResponse(), { name: 'TimeoutError', code: 'ECONNRESET' }, 1],
      ['abortBody', abortBody(), { name: 'TimeoutError', code: 'ECONNRESET' }, 0],
      ['cutAnswer', cutAnswer(), { code: 'ECONNRESET', $metadata: { httpStatusCode: 200 } }, 1],
      ['cutAnswer by end', cutAnswer({ by: 'end' }), { name: 'SyntaxError' }, 1],
      ['serverError', serverError({ applied: true }), { $metadata: { httpStatusCode: 500 } }, 1],
      ['throttle', throttle(), { name: 'ProvisionedThroughputExceededException' }, 0],
    ])('%s', async (name, fault, seen, applied) => {
      const c = await counter([{ ...first, do: fault }]);
      expect(await c.failure()).toMatchObject(seen);
      expect(await c.value()).toBe(applied);
      expect(c.proxy.log).toMatchObject([{ fault: name.split(' ')[0], request: { op: 'UpdateItem' } }]);
      // The proxy, and what is behind it, live.
      await c.add();
      expect(await c.value()).toBe(applied + 1);
    });

    it('hang: the caller has to give up', async () => {
      const c = await counter([{ ...first, do: hang() }]);
      const controller = new AbortController();
      const failure = c.failure('a', controller.signal);
      await expect.poll(() => c.proxy.bites()).toBe(1);
      controller.abort();
      expect(await failure).toMatchObject({ name: 'AbortError' });
      expect(await c.value()).toBe(0);
    });

    it('delay, by its clock', async () => {
      const clock = manualClock();
      const c = await counter([{ ...first, do: delay(700) }], { clock });
      const slow = c.add();
      await expect.poll(() => clock.timers).toBe(1);
      expect(await c.value()).toBe(0);
      await clock.advance(700);
      await slow;
      expect(await c.value()).toBe(1);
    });

    it('duplicate', async () => {
      const c = await counter([{ ...first, do: duplicate() }]);
      await c.add();
      expect(await c.value()).toBe(1);
      await c.add();
      await c.proxy.idle();
      expect(await c.value()).toBe(3);
    });

    it('keeps the request of a process that is dead', async () => {
      const gate = pause();
      const c = await counter([{ ...first, do: gate }]);
      const script = `fetch(process.argv[1], { method: 'POST', headers: JSON.parse(process.argv[2]), body: process.argv[3] })`;
      const headers = {
        'x-amz-target': 'DynamoDB_20120810.UpdateItem',
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-date': '20260101T000000Z',
        authorization:
          'AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=b',
      };
      const body = {
        TableName: c.tableName,
        Key: { id: { S: 'a' } },
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      };
      const args = [c.proxy.endpoint, JSON.stringify(headers), JSON.stringify(body)];
      const writer = spawn(process.execPath, ['-e', script, ...args], { stdio: 'inherit' });
      const exited = once(writer, 'exit');
      await gate.reached;
      writer.kill('SIGKILL');
      expect(await exited).toEqual([null, 'SIGKILL']);
      expect(await c.value()).toBe(0);
      gate.release();
      await c.proxy.idle();
      expect(await c.value()).toBe(1);
    });

    it('closes although requests stand still in it', async () => {
      const gate = pause();
      const c = await counter([{ do: gate }]);
      const failure = c.failure();
      await gate.reached;
      await c.proxy.close();
      expect(await failure).toMatchObject({ code: 'ECONNRESET' });
      expect(await c.value()).toBe(0);
    });

    it('leaves nothing behind, and says so where its port is taken', async () => {
      const proxy = await startFaultProxy({ target: engine.running.endpoint });
      const port = Number(new URL(proxy.endpoint).port);
      await expect(startFaultProxy({ target: engine.running.endpoint, port })).rejects.toThrow('EADDRINUSE');
      await proxy.close();
      await expect(fetch(proxy.endpoint)).rejects.toThrow();
    });
  },
  { only: ['local', 'dynoxide'] },
);
