import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/fence/clock.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import { within } from '../../src/fence/within.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { etcdTokenSource } from '../../src/lease/sources/etcd.ts';
import { manualClock } from '../../src/testing/index.ts';
import { etcd } from './etcd-server.ts';
import { installed } from './installed.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const noLeader: RequestListener = (_, response) => {
  const message = 'etcdserver: no leader';
  response.writeHead(503).end(JSON.stringify({ error: message, message, code: 14 }));
};

/** A cluster of which one member is in trouble: a server that takes requests in its place. The other one is a real etcd. */
describe.skipIf(!installed.has('etcd'))('an etcd source whose first member', () => {
  let etcdServer: ServerProcess;
  beforeAll(async () => {
    etcdServer = await startServer(etcd);
  });
  afterAll(() => etcdServer[Symbol.asyncDispose]());

  const started: Server[] = [];
  afterEach(() => {
    for (const server of started.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  let prefixes = 0;
  /** @returns how many requests have reached the one in trouble, too. */
  const beside = async (trouble: RequestListener, protocol = 'http') => {
    const asked = { times: 0, connections: 0 };
    const server = createServer((request, response) => {
      asked.times++;
      trouble(request, response);
    });
    started.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    server.on('connection', () => asked.connections++);
    const { port } = server.address() as AddressInfo;
    const endpoints = [`${protocol}://127.0.0.1:${port}`, `http://127.0.0.1:${etcdServer.port}`];
    const clock = manualClock(Date.now());
    const source = etcdTokenSource({ endpoints, prefix: `${prefixes++}/`, clock });
    return { asked, clock, source, leases: new LeaseManager({ source, ttlMs: 10_000 }) };
  };

  it('takes requests and never answers: who has waited in vain asks the next one', async () => {
    const { asked, leases } = await beside(() => {});
    await expect(leases.acquire('r', { timeoutMs: 50 })).rejects.toMatchObject({ code: 'unavailable' });
    const lease = unwrap(await leases.acquire('r')).lease;
    await lease.release();
    expect(asked.times).toBe(1);
  });

  it('takes requests and never answers: it is not waited for as long as its caller would', async () => {
    const { asked, clock, leases } = await beside(() => {});
    const acquiring = leases.acquire('r', { waitMs: 60_000, timeoutMs: 60_000 });
    await expect.poll(() => asked.times).toBe(1);
    await clock.advance(3_000);
    expect((await acquiring).ok).toBe(true);
    expect(asked.times).toBe(1);
  });

  const inTrouble: readonly (readonly [string, RequestListener])[] = [
    ['fails', (_, response) => response.writeHead(502).end('<html>Bad Gateway</html>')],
    ['answers with what is no answer of etcd', (_, response) => response.end('[]')],
    ['breaks off', (_, response) => void response.write('{', () => response.destroy())],
  ];

  it.each([...inTrouble, ['has no leader', noLeader] as const])(
    '%s: what grants nothing by itself is asked of the next one at once',
    async (_, trouble) => {
      const { asked, leases } = await beside(trouble);
      expect((await leases.acquire('r')).ok).toBe(true);
      expect(asked.times).toBe(1);
    },
  );

  it.each(inTrouble)('%s: what may have been done is left to the caller to ask again', async (_, trouble) => {
    const { asked, source } = await beside(trouble);
    const release = () =>
      within(systemClock, undefined, (deadline) =>
        source.release({ resource: 'r', holder: 'a', token: undefined }, deadline),
      );
    expect(await release()).toMatchObject({ is: 'undecided', applied: 'unknown' });
    expect(await release()).toEqual({ is: 'released' });
    expect(asked.times).toBe(1);
  });

  it('has no leader: nothing was done, so the next one is asked at once', async () => {
    const { asked, source } = await beside(noLeader);
    const given = { resource: 'r', holder: 'a', token: undefined };
    const released = within(systemClock, undefined, (deadline) => source.release(given, deadline));
    expect(await released).toEqual({ is: 'released' });
    expect(asked.times).toBe(1);
  });

  it('lets nobody finish a handshake: it cannot have heard of anything', async () => {
    const { asked, source } = await beside(() => {}, 'https');
    const given = { resource: 'r', holder: 'a', token: undefined };
    const released = within(systemClock, undefined, (deadline) => source.release(given, deadline));
    expect(await released).toEqual({ is: 'released' });
    expect(asked).toEqual({ times: 0, connections: 1 });
  });

  it('refuses: it is asked again, as any other would say the same', async () => {
    const { asked, leases } = await beside((_, response) => {
      const message = 'etcdserver: permission denied';
      response.writeHead(403).end(JSON.stringify({ error: message, message, code: 7 }));
    });
    for (let n = 1; n <= 2; n++) {
      await expect(leases.acquire('r')).rejects.toThrow('permission denied');
      expect(asked.times).toBe(n);
    }
  });
});
