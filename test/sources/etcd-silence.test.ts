import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/fence/clock.ts';
import { within } from '../../src/fence/within.ts';
import { etcdTokenSource } from '../../src/lease/sources/etcd.ts';
import type { Granted } from '../../src/lease/token-source.ts';
import { manualClock } from '../../src/testing/index.ts';
import { etcd } from './etcd-server.ts';
import { installed } from './installed.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { type SwallowingFront, startSwallowingFront } from './swallowing-front.ts';

/** The only member there is, or a connection to it, says nothing: nobody could be asked instead. */
describe.skipIf(!installed.has('etcd'))('who waits for a lease in etcd', () => {
  let server: ServerProcess;
  let front: SwallowingFront;
  const over = new AbortController();
  beforeAll(async () => {
    server = await startServer(etcd);
  });
  afterAll(async () => {
    over.abort();
    await server[Symbol.asyncDispose]();
  });
  afterEach(() => front[Symbol.dispose]());

  let prefixes = 0;
  const waiter = async () => {
    front = await startSwallowingFront(server.port);
    const prefix = `${prefixes++}/`;
    const clock = manualClock(Date.now());
    const direct = etcdTokenSource({ endpoints: `http://127.0.0.1:${server.port}`, prefix });
    const source = etcdTokenSource({ endpoints: front.url, prefix, clock });
    const grant = { resource: 'r', holder: 'a', ttlMs: 60_000, above: 0 };
    const { token } = await within(systemClock, undefined, async (deadline) => {
      return (await direct.acquire(grant, deadline)) as Granted;
    });
    const release = () =>
      within(systemClock, undefined, (deadline) => direct.release({ ...grant, token }, deadline));
    let told: unknown;
    const wait = () =>
      source.waitForRelease({ resource: 'r', holder: 'b' }, over.signal).then(
        () => {
          told = 'released';
        },
        (error: unknown) => {
          told = error;
        },
      );
    return { clock, release, wait, told: () => told };
  };

  it('looks again where a watch tells nothing', async () => {
    const { clock, release, wait, told } = await waiter();
    front.swallows.add('/v3/watch');
    void wait();
    await expect.poll(() => front.asked('/v3/watch')).toBe(1);
    await clock.advance(5_000);
    await expect.poll(() => front.asked('/v3/watch'), { timeout: 3_000 }).toBe(2);
    expect(told()).toBeUndefined();
    await release();
    await clock.advance(5_000);
    await expect.poll(told).toBe('released');
  });

  it.each(['/v3/lease/keepalive', '/v3/lease/grant', '/v3/kv/txn'])(
    'is told that nobody knows, where %s is not answered for as long as its place lasts',
    async (path) => {
      const { clock, wait, told } = await waiter();
      front.swallows.add(path);
      void wait();
      if (path === '/v3/lease/keepalive') {
        await expect.poll(() => front.asked('/v3/watch')).toBe(1);
        await clock.advance(2_000);
      }
      await expect.poll(() => front.asked(path)).toBe(1);
      await clock.advance(5_000);
      await expect.poll(told, { timeout: 3_000 }).toMatchObject({ name: 'TimeoutError' });
    },
  );
});
