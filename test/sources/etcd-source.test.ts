import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/fence/clock.ts';
import { fence } from '../../src/fence/fence.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import { within } from '../../src/fence/within.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { leaseId } from '../../src/lease/sources/etcd/etcd-lease.ts';
import { etcdTokenSource } from '../../src/lease/sources/etcd.ts';
import { freePort } from '../support/free-port.ts';
import { askEtcd, base64, deleteEtcd, keysOfEtcd, putEtcd } from './ask-etcd.ts';
import { etcd } from './etcd-server.ts';
import { installed } from './installed.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const never = new AbortController().signal;
const { MAX_SAFE_INTEGER } = Number;

describe.skipIf(!installed.has('etcd'))('the etcd source', () => {
  let server: ServerProcess;
  let opened = 0;
  beforeAll(async () => {
    server = await startServer(etcd);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const at = (port: number) => `http://127.0.0.1:${port}`;
  const fresh = (ttlMs = 10_000, prefix = `${opened++}/`) => {
    const source = etcdTokenSource({ endpoints: at(server.port), prefix });
    const leases = new LeaseManager({ source, ttlMs });
    const acquire = async (resource = 'r', above = 0) =>
      unwrap(await leases.acquire(resource, { above })).lease;
    return { source, leases, acquire, prefix };
  };

  describe('keeps', () => {
    it('the revision of the last grant for ever, and the rest until the release', async () => {
      const { leases, prefix } = fresh();
      const lease = unwrap(await leases.acquire('account/a1', { data: { job: 7 } })).lease;
      const { holder, expiresAtMs } = lease;
      const end = String(expiresAtMs).padStart(16, '0');
      const name = (kind: string) => `${prefix}${kind}/account/a1`;
      expect(await keysOfEtcd(server.port, prefix)).toEqual({
        [name('grant')]: holder,
        [name('until')]: end,
        [name('data')]: '{"job":7}',
        [name('last')]: '',
      });
      await lease.release();
      expect(await keysOfEtcd(server.port, prefix)).toEqual({ [name('last')]: '' });
    });

    it('resources apart whose names begin alike', async () => {
      const { acquire } = fresh();
      const names = ['a', 'a/b', 'grant/a', 'a/grant', 'ä', '\uffff'];
      const tokens = [];
      for (const name of names) tokens.push((await acquire(name)).token);
      expect(new Set(tokens).size).toBe(names.length);
    });

    it('what JSON holds as data, and refuses the rest', async () => {
      const { leases, prefix } = fresh();
      const lost = { code: 'invalid-input', path: 'data' };
      await expect(leases.acquire('r', { data: new Date() })).rejects.toMatchObject(lost);
      expect(await keysOfEtcd(server.port, prefix)).toEqual({});
    });
  });

  describe('a token', () => {
    it('is the revision of the cluster at which it was granted', async () => {
      const { acquire, prefix } = fresh();
      const { token } = await acquire();
      type Found = { kvs: { create_revision: string }[] };
      const { kvs } = await askEtcd<Found>(server.port, 'kv/range', { key: base64(`${prefix}grant/r`) });
      expect(String(token)).toBe(kvs[0]?.create_revision);
    });

    it('is raised above what was seen, once and for all of the resource', async () => {
      const { acquire, prefix } = fresh();
      const first = await acquire('r', 1_000_000);
      expect(first.token).toBe(1_000_001);
      expect((await first.renew()).ok).toBe(true);
      await first.release();
      const second = await acquire();
      expect(second.token).toBeGreaterThan(first.token);
      expect(Object.keys(await keysOfEtcd(server.port, prefix))).toContain(`${prefix}offset/r`);
      expect((await second.renew()).ok).toBe(true);
    });

    it('moves with a takeover that is to be above something else', async () => {
      const { leases, acquire } = fresh();
      const given = await acquire('r', 5_000);
      const taken = unwrap(await leases.takeOver(given, { above: 90_000 })).lease;
      expect(taken.token).toBe(90_001);
      expect((await taken.renew()).ok).toBe(true);
      expect(await leases.inspect('r')).toMatchObject({ token: 90_001, holder: taken.holder });
    });

    it.each([MAX_SAFE_INTEGER, '9223372036854775806', '9999999999999999999'])(
      'beyond 2^53 by an offset of %s is refused with its digits, and nobody has the lease',
      async (offset) => {
        const { leases, prefix } = fresh();
        await putEtcd(server.port, `${prefix}offset/r`, String(offset));
        const refused = { code: 'token-exhausted', cause: { message: expect.stringMatching(/\d{16,}/) } };
        await expect(leases.acquire('r')).rejects.toMatchObject(refused);
        const left = Object.keys(await keysOfEtcd(server.port, prefix));
        expect(left).toEqual([`${prefix}last/r`, `${prefix}offset/r`]);
        await expect(leases.inspect('r')).rejects.toMatchObject(refused);
      },
    );

    it.each(['offset', 'until'])('with %s that somebody has overwritten is damaged', async (kind) => {
      const { leases, acquire, prefix } = fresh();
      await acquire();
      await putEtcd(server.port, `${prefix}${kind}/r`, 'x');
      await expect(leases.acquire('r')).rejects.toMatchObject({ code: 'corrupt-fence' });
    });
  });

  describe('a holder', () => {
    it.each([
      [
        'its key is deleted',
        ({ prefix }: { prefix: string }) => deleteEtcd(server.port, `${prefix}grant/r`),
        'lost',
      ],
      [
        'an operator raises the counter',
        ({ leases }: ReturnType<typeof fresh>) => leases.raise('r', { above: 9 }),
        'fenced',
      ],
    ] as const)('hears at once that %s', async (_, end, code) => {
      const process = fresh();
      const lease = await process.acquire();
      const over = new Promise((resolve) => lease.signal.addEventListener('abort', resolve));
      await end(process as never);
      await over;
      expect(lease.signal.reason).toMatchObject({ code });
      expect(lease.remainingMs()).toBe(0);
      expect(await lease.renew()).toMatchObject({ reason: code });
    });

    it('hears of a takeover by another process', async () => {
      const { acquire, prefix } = fresh();
      const lease = await acquire();
      const other = fresh(10_000, prefix);
      const bare = fence('r', lease.token);
      const taken = unwrap(await other.leases.takeOver(bare)).lease;
      await expect.poll(() => lease.signal.aborted).toBe(true);
      expect(lease.signal.reason).toMatchObject({ code: 'fenced', result: { lastToken: taken.token } });
    });

    it('cannot renew for longer than its lease was made for', async () => {
      const { source, acquire } = fresh(2_000);
      const { resource, holder, token } = await acquire();
      const longer = within(systemClock, undefined, (deadline) =>
        source.renew({ resource, holder, token, ttlMs: 5_000 }, deadline),
      );
      await expect(longer).rejects.toMatchObject({ code: 'invalid-input', path: 'ttlMs' });
    });
  });

  describe('a queue', () => {
    it('lets nobody pass, and keeps no place that its holder has given up', async () => {
      const { source, leases, acquire, prefix } = fresh();
      const lease = await acquire();
      const first = { resource: 'r', holder: 'first' };
      const waiting = source.waitForRelease(first, never);
      await expect
        .poll(() => keysOfEtcd(server.port, `${prefix}queue`))
        .toEqual({ [`${prefix}queue/r\0first`]: '' });
      await lease.release();
      await waiting;
      expect(await leases.acquire('r')).toMatchObject({ reason: 'held', holder: 'first' });
      await within(systemClock, undefined, (deadline) =>
        source.release({ ...first, token: undefined }, deadline),
      );
      expect((await leases.acquire('r')).ok).toBe(true);
    });

    it('wakes a waiter that has lost its place, so that it may queue up again', async () => {
      const { source, acquire, prefix } = fresh();
      await acquire();
      const waiting = source.waitForRelease({ resource: 'r', holder: 'b' }, never);
      await expect.poll(() => keysOfEtcd(server.port, `${prefix}queue`)).not.toEqual({});
      const { leases } = await askEtcd<{ leases: { ID: string }[] }>(server.port, 'lease/leases', {});
      for (const { ID } of leases) {
        const { keys = [] } = await askEtcd<{ keys?: string[] }>(server.port, 'lease/timetolive', {
          ID,
          keys: true,
        });
        const held = keys.map((key) => Buffer.from(key, 'base64').toString());
        if (held.includes(`${prefix}queue/r\0b`)) await askEtcd(server.port, 'lease/revoke', { ID });
      }
      await expect(waiting).rejects.toThrow('place in the queue');
    });
  });

  describe('a refused acquire', () => {
    const leasesThere = async () => {
      const { leases = [] } = await askEtcd<{ leases?: { ID: string }[] }>(server.port, 'lease/leases', {});
      return leases.map(({ ID }) => ID);
    };
    const made = async (work: () => Promise<unknown>) => {
      const before = await leasesThere();
      await work();
      return async () => (await leasesThere()).filter((id) => !before.includes(id));
    };

    it('leaves no lease in etcd behind', async () => {
      const { leases, acquire } = fresh();
      await acquire();
      const left = await made(() => leases.acquire('r'));
      expect(await left()).toEqual([]);
    });

    it('leaves none either where all asked at once', async () => {
      const { leases } = fresh();
      const left = await made(async () => {
        const asked = await Promise.all(Array.from({ length: 20 }, () => leases.acquire('r')));
        expect(asked.filter(({ ok }) => ok)).toHaveLength(1);
      });
      await expect.poll(left, { timeout: 5_000 }).toHaveLength(1);
    });
  });

  describe('a release', () => {
    it('ends the lease in etcd also of a grant that stands no more', async () => {
      const { source, leases, acquire } = fresh();
      const { resource, holder, token } = await acquire();
      const ID = String(leaseId('grant', `${opened - 1}/grant/r`, holder));
      const timeLeft = async () =>
        Number((await askEtcd<{ TTL?: string }>(server.port, 'lease/timetolive', { ID })).TTL ?? 0);
      expect(await timeLeft()).toBeGreaterThan(0);
      await leases.raise('r', { above: token });
      expect(await timeLeft()).toBeGreaterThan(0);
      await within(systemClock, undefined, (deadline) =>
        source.release({ resource, holder, token }, deadline),
      );
      expect(await timeLeft()).toBe(-1);
    });
  });

  describe('its addresses', () => {
    it('are asked in turn: one that does not answer hinders nobody', async () => {
      const endpoints = [at(await freePort()), at(server.port)];
      const source = etcdTokenSource({ endpoints, prefix: `${opened++}/` });
      const leases = new LeaseManager({ source, ttlMs: 10_000 });
      expect((await leases.acquire('r')).ok).toBe(true);
    });

    it('where none answers it is an outage, and nothing was applied', async () => {
      const source = etcdTokenSource({ endpoints: at(await freePort()) });
      const leases = new LeaseManager({ source, ttlMs: 10_000 });
      const outage = { code: 'unavailable', applied: 'no' };
      await expect(leases.acquire('r')).rejects.toMatchObject(outage);
      await expect(leases.inspect('r')).rejects.toMatchObject(outage);
    });

    it.each([undefined, [], 'etcd', 'ftp://x', 7, [7], 'http://name:secret@etcd:2379'])(
      '%j is none',
      (endpoints) => {
        const make = () => etcdTokenSource({ endpoints: endpoints as never });
        expect(make).toThrow(expect.objectContaining({ code: 'invalid-input' }));
        expect(make).not.toThrow('secret');
      },
    );

    it.each([{ prefix: 7 }, { clock: {} }, { authorization: 'x' }, { tls: { certificate: '' } }, { ttl: 1 }])(
      '%j is no option',
      (option) => {
        const make = () => etcdTokenSource({ endpoints: at(server.port), ...option } as never);
        expect(make).toThrow(expect.objectContaining({ code: 'invalid-input' }));
      },
    );
  });
});
