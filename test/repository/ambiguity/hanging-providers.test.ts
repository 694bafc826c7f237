import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { LeaseManager } from '../../../src/index.ts';
import { dynamoTokenSource } from '../../../src/lease/sources/dynamo.ts';
import { manualClock } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account, accountsIn } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene } from './scene.ts';

const id = { id: 'a' };

/** What a client may look up, before it sends, with functions of its user's. */
const looked = ['maxAttempts', 'region', 'credentials', 'endpoint', 'retryMode'] as const;

/** The calls that go down different ways to the client. */
const calls = ['a write', 'a read', 'a lease'] as const;

describeEachEngine(
  'a client that waits for its configuration for ever',
  (engine) => {
    it.each(looked.flatMap((setting) => calls.map((call) => [call, setting] as const)))(
      '%s ends with its deadline, and nothing is sent: %s',
      async (call, setting) => {
        const clock = manualClock();
        const { tableName, wire } = await scene(engine);
        let asked = false;
        const never = () => {
          asked = true;
          return new Promise<never>(() => {});
        };
        const settings: DynamoDBClientConfig = { requestHandler: wire, [setting]: never };
        const client = engine.client(settings);
        const accounts = accountsIn({ client, tableName }, { clock });
        const leases = new LeaseManager({
          source: dynamoTokenSource({ client, tableName, clock }),
          ttlMs: 5_000,
          clock,
        });
        const bounds = { timeoutMs: 300 };
        const ended = {
          'a write': () => accounts.put(granted(account('a'), 42), { ...id, balance: 1 }, bounds),
          'a read': () => accounts.get(id, bounds),
          'a lease': () => leases.acquire('r', bounds),
        }
          [call]()
          .catch((error: unknown) => error);
        await expect.poll(() => asked, { interval: 1 }).toBe(true);
        await clock.advance(300);
        expect(await ended).toMatchObject({
          ...{ code: 'unavailable', applied: 'no', cause: { name: 'TimeoutError' } },
          message: expect.stringMatching(
            /was not sent: the call's 300 ms are over\. Nothing was applied\. Find out what kept it waiting/,
          ),
        });
        expect(wire.ops).toEqual([]);
        expect(clock.timers).toBe(0);
      },
    );

    it('a caller who aborts while it waits is thrown the reason', async () => {
      const { tableName } = await scene(engine);
      const controller = new AbortController();
      const client = engine.client({ maxAttempts: () => new Promise<never>(() => {}) });
      const reading = accountsIn({ client, tableName }).get(id, { signal: controller.signal });
      const reason = new Error('enough');
      controller.abort(reason);
      await expect(reading).rejects.toBe(reason);
    });

    it('a setting that cannot be looked up is unavailable, and says why', async () => {
      const { tableName, wire } = await scene(engine);
      const client = engine.client({
        requestHandler: wire,
        maxAttempts: () => Promise.reject(new Error('no such file')),
      });
      const write = accountsIn({ client, tableName }).put(granted(account('a'), 42), { ...id, balance: 1 });
      await expect(write).rejects.toMatchObject({
        ...{ code: 'unavailable', applied: 'no', cause: { message: 'no such file' } },
      });
      expect(wire.ops).toEqual([]);
    });
  },
  { only: ['local'] },
);
