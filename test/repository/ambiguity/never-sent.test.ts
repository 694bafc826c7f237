import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fence } from '../../../src/index.ts';
import { type Fault, manualClock, throttle } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account, accountsIn } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene, withoutPauses } from './scene.ts';
import { overtakenBy } from './straggler.ts';

const item = { id: 'a', balance: 1 };

function fails(error: object): Fault {
  return { name: 'fails', inject: () => Promise.reject(Object.assign(new Error('no'), error)) };
}

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

function signalled<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((r) => {
    resolve = r;
  });
  return { promise, resolve };
}

// Below those that a system hands out, so that no other test may come to listen there in between.
const closedPort = 1;

describe('a port where nobody listens', () => {
  it.each([
    ['a lease', () => granted(account('a'), 42)],
    ['a bare fence', () => fence(account('a'), 42)],
  ])('is unavailable to %s: nothing was applied', async (_, make) => {
    const client = new DynamoDBClient({
      endpoint: `http://127.0.0.1:${closedPort}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    });
    onTestFinished(() => client.destroy());
    const accounts = accountsIn({ client, tableName: 'accounts' }, { random: withoutPauses });
    await expect(accounts.put(make(), item)).rejects.toMatchObject({
      ...{ code: 'unavailable', applied: 'no', next: 'retry' },
      cause: { code: 'ECONNREFUSED', syscall: 'connect' },
    });
    await expect(accounts.get({ id: 'a' })).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describeEachEngine('a request that did not leave', (engine) => {
  it.each([
    ['a name without an address', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
    ['a resolver that does not answer', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }],
    [
      'all addresses refuse',
      { code: 'ECONNREFUSED', errors: [{ code: 'ECONNREFUSED' }, { code: 'ENETUNREACH' }] },
    ],
  ])('%s', async (_, error) => {
    const { accounts, stored, faults } = await scene(engine, { rules: [{ do: fails(error) }] });
    await expect(accounts.put(granted(account('a'), 42), item)).rejects.toMatchObject({
      ...{ code: 'unavailable', applied: 'no', cause: error },
    });
    // Another copy can do no harm, and may find the way.
    expect(faults.bites()).toBe(4);
    expect(await stored()).toBeUndefined();
  });

  it('the network goes down behind a request: the same codes, and nobody knows', async () => {
    const { accounts } = await scene(engine, {
      rules: [{ do: fails({ code: 'EHOSTUNREACH', syscall: 'read' }) }],
    });
    await expect(accounts.put(granted(account('a'), 42), item)).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
  });

  it('the way is found by the second copy', async () => {
    const { accounts, stored } = await scene(engine, {
      rules: [{ on: { nth: 1 }, do: fails({ code: 'ENOTFOUND' }) }],
    });
    expect(await accounts.put(granted(account('a'), 42), item)).toMatchObject({ ok: true, replayed: false });
    expect(await stored()).toMatchObject({ _fence: { N: '42' } });
  });

  describe('credentials', () => {
    const noCredentials = () =>
      Promise.reject(
        Object.assign(new Error('Could not load credentials'), { name: 'CredentialsProviderError' }),
      );

    it('that are missing', async () => {
      const { tableName, wire, stored } = await scene(engine);
      const client = engine.client({ requestHandler: wire, credentials: noCredentials });
      const accounts = accountsIn({ client, tableName });
      await expect(accounts.put(granted(account('a'), 42), item)).rejects.toMatchObject({
        ...{ code: 'unavailable', applied: 'no', cause: { name: 'CredentialsProviderError' } },
      });
      expect(wire.ops).toEqual([]);
      expect(await stored()).toBeUndefined();
    });

    it('that are gone when a throttled write is sent again', async () => {
      let gone = false;
      const go = overtakenBy(async () => {
        gone = true;
      });
      const { tableName, wire, stored, faults } = await scene(engine, { rules: [{ do: [go, throttle()] }] });
      // Over at once, so that they are asked for again.
      const old = { accessKeyId: 'a', secretAccessKey: 'b', expiration: new Date(0) };
      const client = engine.client({
        requestHandler: wire,
        credentials: () => (gone ? noCredentials() : Promise.resolve(old)),
      });
      const accounts = accountsIn({ client, tableName }, { random: withoutPauses });
      await expect(accounts.put(granted(account('a'), 42), item)).rejects.toMatchObject({
        ...{ code: 'unavailable', applied: 'no', cause: { name: 'CredentialsProviderError' } },
      });
      expect(faults.bites('throttle')).toBe(1);
      expect(await stored()).toBeUndefined();
    });

    it('that never come: the deadline ends the wait, and nothing leaves when they come after all', async () => {
      const clock = manualClock();
      const { tableName, wire, stored } = await scene(engine);
      const [asked, late] = [signalled<void>(), signalled<Credentials>()];
      const credentials = () => {
        asked.resolve();
        return late.promise;
      };
      const client = engine.client({ requestHandler: wire, credentials });
      const write = accountsIn({ client, tableName }, { clock })
        .put(granted(account('a'), 42), item, { timeoutMs: 300 })
        .catch((error) => error);
      await asked.promise;
      await clock.advance(300);
      expect(await write).toMatchObject({
        code: 'unavailable',
        applied: 'no',
        cause: { name: 'TimeoutError' },
      });
      late.resolve({ accessKeyId: 'a', secretAccessKey: 'b' });
      await clock.advance(0);
      expect(wire.ops).toEqual([]);
      expect(await stored()).toBeUndefined();
      expect(clock.timers).toBe(0);
    });
  });
});
