import zookeeperClient, { type Client } from 'node-zookeeper-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/fence/clock.ts';
import { fence } from '../../src/fence/fence.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import { within } from '../../src/fence/within.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { type ZooKeeperTokenSource, zooKeeperTokenSource } from '../../src/lease/sources/zookeeper.ts';
import { manualClock } from '../../src/testing/index.ts';
import { startDroppingProxy } from './dropping-proxy.ts';
import { installed } from './installed.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { zooKeeper } from './zookeeper-server.ts';

const { ACL, CreateMode, Id, Permission } =
  zookeeperClient as unknown as typeof import('node-zookeeper-client');
const { EPHEMERAL_SEQUENTIAL } = CreateMode;
const readOnly = [new ACL(Permission.READ, new Id('world', 'anyone'))];

const never = new AbortController().signal;

describe.skipIf(!installed.has('zookeeper'))('the ZooKeeper source', () => {
  let server: ServerProcess;
  /** Looks behind the back of the source. */
  let admin: Client;
  const sources: ZooKeeperTokenSource[] = [];
  let opened = 0;
  beforeAll(async () => {
    server = await startServer(zooKeeper);
    admin = zookeeperClient.createClient(`127.0.0.1:${server.port}`);
    admin.connect();
  });
  afterAll(async () => {
    admin.close();
    for (const source of sources) source.close();
    await server[Symbol.asyncDispose]();
  });

  const fresh = ({
    root = `/t${opened++}`,
    sessionTimeout = 30_000,
    ttlMs = 10_000,
    port = server.port,
    clock = systemClock,
  } = {}) => {
    const clients: Client[] = [];
    const createClient = () => {
      const client = zookeeperClient.createClient(`127.0.0.1:${port}`, {
        sessionTimeout,
        spinDelay: 20,
      });
      clients.push(client);
      return client;
    };
    const source = zooKeeperTokenSource({ createClient, root, clock });
    sources.push(source);
    const leases = new LeaseManager({ source, ttlMs });
    const acquire = async (above = 0) => unwrap(await leases.acquire('r', { above })).lease;
    return { source, leases, acquire, root, clients };
  };
  const asked = <T>(ask: (done: (error: unknown, value?: T) => void) => void) =>
    new Promise<T>((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value as T))));
  const children = (path: string) => asked<string[]>((done) => admin.getChildren(path, done));
  const record = async (root: string) =>
    JSON.parse(String(await asked<Buffer>((done) => admin.getData(`${root}/r-r`, done))));
  const write = (root: string, text: string) =>
    asked((done) => admin.setData(`${root}/r-r`, Buffer.from(text), done));

  const disposables: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const used of disposables.splice(0)) await used[Symbol.asyncDispose]();
  });
  const behindProxy = async (options: { readonly root?: string; readonly clock?: Clock } = {}) => {
    const proxy = await startDroppingProxy(server.port);
    disposables.push(proxy);
    return { proxy, ...fresh({ ...options, port: proxy.port }) };
  };

  const told = (client: Client, what: 'connected' | 'disconnected' | 'expired') =>
    new Promise<void>((resolve) => client.once(what, () => resolve()));

  /**
   * Ends a session as its expiry does: from outside, by somebody who takes it over and closes it. Its own client is kept out meanwhile,
   * or it would be back before it is closed, and might never be told.
   */
  const endSession = async ({ clients, proxy }: Awaited<ReturnType<typeof behindProxy>>) => {
    const [client] = clients as [Client];
    const options = { sessionId: client.getSessionId(), sessionPassword: client.getSessionPassword() };
    proxy.cut();
    const other = zookeeperClient.createClient(`127.0.0.1:${server.port}`, options as never);
    const connected = told(other, 'connected');
    other.connect();
    await connected;
    const closed = told(other, 'disconnected');
    other.close();
    await closed;
    const expired = told(client, 'expired');
    proxy.heal();
    await expired;
  };

  it('takes the czxid of the holder’s node for a token', async () => {
    const { acquire, root } = fresh();
    const lease = await acquire();
    const { node, holder } = await record(root);
    expect(holder).toBe(lease.holder);
    const stat = await asked<{ czxid: Buffer }>((done) => admin.exists(`${root}/r-r/${node}`, done));
    expect(stat.czxid.readBigInt64BE()).toBe(BigInt(lease.token));
    await lease.release();
    expect(await children(`${root}/r-r`)).toEqual([]);
  });

  it('goes on where the parent was deleted, as the czxid does not begin anew', async () => {
    const { acquire, root } = fresh();
    const first = await acquire();
    await first.release();
    await asked((done) => admin.remove(`${root}/r-r`, done));
    expect((await acquire()).token).toBeGreaterThan(first.token);
  });

  it('is one more than what was seen where the czxid is behind, once and for all', async () => {
    const { acquire, root } = fresh();
    const lease = await acquire(1_000_000_000);
    expect(lease.token).toBe(1_000_000_001);
    await lease.release();
    expect((await fresh({ root }).acquire()).token).toBe(1_000_000_002);
  });

  it.each(['9007199254740992', '9223372036854775807', '99999999999999999999'])(
    'refuses a record of %s with its digits, and leaves no node behind',
    async (token) => {
      const { leases, acquire, root } = fresh();
      await (await acquire()).release();
      await write(root, JSON.stringify({ token }));
      const refused = { code: 'token-exhausted', cause: { message: expect.stringContaining(token) } };
      await expect(leases.acquire('r')).rejects.toMatchObject(refused);
      expect(await children(`${root}/r-r`)).toEqual([]);
    },
  );

  it.each(['x', '{"token":7}', '{"token":"1.5"}', '{"token":"-1"}'])(
    'refuses a record of %s',
    async (text) => {
      const { leases, acquire, root } = fresh();
      await (await acquire()).release();
      await write(root, text);
      await expect(leases.acquire('r')).rejects.toMatchObject({ code: 'corrupt-fence' });
    },
  );

  it('refuses a node that somebody else has made, as its first version cannot be compared with', async () => {
    const { leases, root } = fresh();
    await asked((done) => admin.mkdirp(`${root}/r-r`, Buffer.from('{}'), done));
    await expect(leases.acquire('r')).rejects.toMatchObject({ code: 'corrupt-fence' });
  });

  it('grants nothing for longer than the session lasts', async () => {
    const { leases } = fresh({ sessionTimeout: 5_000, ttlMs: 5_001 });
    await expect(leases.acquire('r')).rejects.toMatchObject({ code: 'invalid-input', path: 'ttlMs' });
  });

  describe('a session that ends', () => {
    it('takes its leases with it: their signals abort as lost, and others are granted them', async () => {
      const one = await behindProxy();
      const { acquire, leases, clients } = one;
      const lease = await acquire();
      await endSession(one);
      await expect.poll(() => lease.signal.aborted).toBe(true);
      expect(lease.signal.reason).toMatchObject({ code: 'lost' });
      expect(await lease.renew()).toMatchObject({ reason: 'lost' });
      // The same source goes on in a new session.
      const next = await acquire();
      expect(next.token).toBeGreaterThan(lease.token);
      expect(clients).toHaveLength(2);
      expect((await leases.inspect('r'))?.holder).toBe(next.holder);
    });

    it('wakes the next waiter at once', async () => {
      const one = await behindProxy();
      const lease = await one.acquire();
      const other = fresh({ root: one.root });
      const waiting = other.leases.acquire('r', { waitMs: 60_000 });
      await expect.poll(() => children(`${one.root}/r-r`)).toHaveLength(2);
      await endSession(one);
      expect(unwrap(await waiting).lease.token).toBeGreaterThan(lease.token);
    });
  });

  describe('a server that nobody hears any more, over a connection that stands', () => {
    it('ends the session once it has answered nothing for as long as that lasts', async () => {
      const clock = manualClock();
      const { proxy, acquire, leases, clients } = await behindProxy({ clock });
      const lease = await acquire();
      proxy.deafenAfter(0);
      await expect(leases.inspect('r', { timeoutMs: 100 })).rejects.toMatchObject({ code: 'unavailable' });
      await clock.advance(29_999);
      expect(lease.signal.aborted).toBe(false);
      await clock.advance(1);
      await expect.poll(() => lease.signal.aborted).toBe(true);
      expect(lease.signal.reason).toMatchObject({ code: 'lost' });
      // A new session, and not the old one on a new connection.
      await expect(leases.inspect('r', { timeoutMs: 100 })).rejects.toMatchObject({ code: 'unavailable' });
      expect(clients).toHaveLength(2);
      proxy.heal();
      expect((await leases.inspect('r'))?.token).toBe(lease.token);
    });

    it('keeps it while answers come, late as they may be', async () => {
      const clock = manualClock();
      const { leases, acquire, clients, proxy } = await behindProxy({ clock });
      await acquire();
      proxy.deafenAfter(0);
      await expect(leases.inspect('r', { timeoutMs: 100 })).rejects.toMatchObject({ code: 'unavailable' });
      await clock.advance(29_999);
      const back = told(clients[0] as Client, 'connected');
      proxy.heal();
      await back;
      await leases.inspect('r');
      // Of what is asked now, by a watch for one, nothing is due.
      await clock.advance(29_999);
      expect((await leases.inspect('r'))?.holder).toBeDefined();
      expect(clients).toHaveLength(1);
    });
  });

  describe('a queue', () => {
    it('lets nobody pass, also who comes just when it is free', async () => {
      const { source, leases, acquire, root } = fresh();
      const lease = await acquire();
      const waiting = source.waitForRelease({ resource: 'r', holder: 'a/1' }, never);
      await expect.poll(() => children(`${root}/r-r`)).toHaveLength(2);
      await lease.release();
      await waiting;
      expect(await leases.acquire('r')).toMatchObject({ reason: 'held', holder: 'a/1' });
      const given = { resource: 'r', holder: 'a/1', token: undefined };
      await within(systemClock, undefined, (deadline) => source.release(given, deadline));
      expect((await leases.acquire('r')).ok).toBe(true);
    });

    it('tells apart holders whose names begin alike', async () => {
      const { source, acquire, root } = fresh();
      await acquire();
      for (const holder of ['a', 'a-', 'a-0000000001', 'a-b', 'ä/%']) {
        void source.waitForRelease({ resource: 'r', holder }, never).catch(() => undefined);
      }
      await expect.poll(() => children(`${root}/r-r`)).toHaveLength(6);
      const given = { resource: 'r', holder: 'a', token: undefined };
      await within(systemClock, undefined, (deadline) => source.release(given, deadline));
      expect(await children(`${root}/r-r`)).toHaveLength(5);
    });
  });

  describe('nodes that nobody needs any more', () => {
    const waiting = async (root: string) => {
      const { node } = await record(root);
      return (await children(`${root}/r-r`)).filter((child) => child !== node);
    };

    it.each([0, 1, 2, 3, 4, 5, 6])(
      'of a takeover that gave up after %i pieces of answers are removed',
      async (pieces) => {
        const giver = fresh();
        const lease = await giver.acquire();
        const { proxy, leases } = await behindProxy({ root: giver.root });
        // So that it is connected.
        await leases.inspect('r');
        proxy.deafenAfter(pieces);
        const bare = fence('r', lease.token);
        await leases.takeOver(bare, { timeoutMs: 150 }).catch(() => undefined);
        proxy.heal();
        await expect.poll(() => waiting(giver.root), { timeout: 3_000 }).toEqual([]);
        expect(await children(`${giver.root}/r-r`)).toHaveLength(1);
      },
    );

    it('of a holder that has two go with its release', async () => {
      const { acquire, root } = fresh();
      const lease = await acquire();
      // As a late copy of the request would, whose answer was lost.
      const { node } = await record(root);
      const path = `${root}/r-r/${String(node).slice(0, -10)}`;
      await asked<string>((done) => admin.create(path, Buffer.alloc(0), EPHEMERAL_SEQUENTIAL, done));
      expect(await children(`${root}/r-r`)).toHaveLength(2);
      await lease.release();
      expect(await children(`${root}/r-r`)).toEqual([]);
    });

    it('that it must not remove are not tried again with every new connection', async () => {
      const { proxy, acquire, leases, clients, root } = await behindProxy();
      const lease = await acquire();
      const client = clients[0] as Client;
      const remove = client.remove as (path: string, done: (error: unknown) => void) => void;
      const tries: { answered: boolean }[] = [];
      Object.assign(client, {
        remove(path: string, done: (error: unknown) => void) {
          const one = { answered: false };
          tries.push(one);
          remove.call(client, path, (error) => {
            one.answered = true;
            done(error);
          });
        },
      });
      await asked((done) => admin.setACL(`${root}/r-r`, readOnly, done));
      proxy.deafenAfter(0);
      await lease.release({ timeoutMs: 150 }).catch(() => undefined);
      proxy.heal();
      // One that is cut off may be tried again.
      await expect.poll(() => tries).toEqual([{ answered: true }]);
      for (let n = 0; n < 3; n++) {
        const back = told(client, 'connected');
        proxy.heal();
        await back;
        for (let looks = 0; looks < 3; looks++) await leases.inspect('r');
      }
      expect(tries).toHaveLength(1);
    });
  });

  it('takes no notice of nodes that are not its own', async () => {
    const { leases, acquire, root } = fresh();
    await (await acquire()).release();
    for (const name of ['n-%zz-0000000000', 'n--0000000000', 'lock-0000000000', 'n-a-7']) {
      await asked((done) => admin.create(`${root}/r-r/${name}`, Buffer.alloc(0), done));
    }
    const lease = await acquire();
    expect(await leases.acquire('r')).toMatchObject({ reason: 'held', holder: lease.holder });
  });

  it('keeps the order of its queue where sequences begin again below 0', async () => {
    const { leases, acquire, root } = fresh();
    await (await acquire()).release();
    // As ZooKeeper names them, after 2^31 nodes.
    for (const name of ['n-c--2147483647', 'n-b--2147483648', 'n-a-2147483647']) {
      await asked((done) => admin.create(`${root}/r-r/${name}`, Buffer.alloc(0), done));
    }
    for (const holder of ['a', 'b', 'c']) {
      expect(await leases.acquire('r')).toMatchObject({ reason: 'held', holder });
      const given = { resource: 'r', holder, token: undefined };
      await within(systemClock, undefined, (deadline) => fresh({ root }).source.release(given, deadline));
    }
    expect(await children(`${root}/r-r`)).toEqual([]);
  });

  it('is told by what it refuses for good', async () => {
    const { acquire, leases, root } = fresh();
    await (await acquire()).release();
    await asked((done) => admin.setACL(`${root}/r-r`, readOnly, done));
    await expect(leases.acquire('r')).rejects.toThrow('NO_AUTH');
  });

  it('once closed answers nobody', async () => {
    const { source, acquire, leases } = fresh();
    const lease = await acquire();
    source.close();
    expect(lease.signal.aborted).toBe(false);
    await expect.poll(() => lease.signal.aborted).toBe(true);
    await expect(leases.acquire('r')).rejects.toThrow('closed');
  });

  it.each([
    undefined,
    {},
    { createClient: 'x' },
    { createClient: () => admin, root: 'fence' },
    { createClient: () => admin, clock: {} },
    { root: '/' },
  ])('%j is no way to make one', (options) => {
    const make = () => zooKeeperTokenSource(options as never);
    expect(make).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });

  it('refuses what is no client', async () => {
    const source = zooKeeperTokenSource({ createClient: () => ({}) as never });
    const leases = new LeaseManager({ source, ttlMs: 1_000 });
    await expect(leases.acquire('r')).rejects.toMatchObject({ code: 'invalid-input', path: 'createClient' });
  });
});
