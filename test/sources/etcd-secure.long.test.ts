import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/fence/unwrap.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { type EtcdTokenSourceOptions, etcdTokenSource } from '../../src/lease/sources/etcd.ts';
import { installed, onPath } from './installed.ts';
import { type SecureEtcd, startSecureEtcd } from './secure-etcd.ts';

describe.skipIf(!installed.has('etcd') || !onPath('openssl'))('an etcd with certificates and users', () => {
  const leasesOf = (options: EtcdTokenSourceOptions) =>
    new LeaseManager({ source: etcdTokenSource(options), ttlMs: 60_000 });

  /** A source that keeps its token until it is refused. */
  const withUser = ({ endpoint, tls, authenticate }: SecureEtcd) => {
    const tokens: string[] = [];
    const authorization = async (refused?: string) => {
      if (tokens.length === 0 || tokens.at(-1) === refused) tokens.push(await authenticate());
      return tokens.at(-1) ?? '';
    };
    return { tokens, leases: leasesOf({ endpoints: endpoint, tls, authorization }) };
  };

  it('lets in who has both, wakes who waits, and tells of a loss', async () => {
    await using etcd = await startSecureEtcd('simple');
    const { tokens, leases } = withUser(etcd);
    const first = unwrap(await leases.acquire('r')).lease;
    const waiting = withUser(etcd).leases.acquire('r', { waitMs: 60_000 });
    expect((await first.renew()).ok).toBe(true);
    await first.release();
    const second = unwrap(await waiting).lease;
    expect(second.token).toBeGreaterThan(first.token);
    await leases.raise('r', { above: second.token });
    await expect.poll(() => second.signal.aborted).toBe(true);
    expect(tokens).toHaveLength(1);
  });

  it('keeps out who lacks the certificate, the user, or the right token', async () => {
    await using etcd = await startSecureEtcd('simple');
    const { endpoint: endpoints, tls } = etcd;
    const once = { timeoutMs: 2_000 };
    const strangers = [leasesOf({ endpoints }), leasesOf({ endpoints, tls: { ca: tls.ca } })];
    for (const leases of strangers) {
      await expect(leases.acquire('r', once)).rejects.toMatchObject({ code: 'unavailable' });
    }
    await expect(leasesOf({ endpoints, tls }).acquire('r')).rejects.toThrow('permission denied');
    const wrong = leasesOf({ endpoints, tls, authorization: () => 'x.1' });
    await expect(wrong.acquire('r')).rejects.toThrow('invalid auth token');
  });

  it('is restarted: the holder goes on, whether its token is known from the log again or not', async () => {
    await using etcd = await startSecureEtcd('simple');
    const { leases } = withUser(etcd);
    const lease = unwrap(await leases.acquire('r')).lease;
    await etcd.server.restart();
    expect((await lease.renew({ timeoutMs: 60_000 })).ok).toBe(true);
  });

  it('makes JWTs void when a user is added: the holder authenticates again, and goes on', async () => {
    await using etcd = await startSecureEtcd('jwt');
    const { tokens, leases } = withUser(etcd);
    const lease = unwrap(await leases.acquire('r')).lease;
    await etcd.ask('auth/user/add', { name: 'other', password: 'o' }, await etcd.authenticate());
    expect((await lease.renew()).ok).toBe(true);
    expect(tokens).toHaveLength(2);
    await lease.release();
    expect((await leases.acquire('r')).ok).toBe(true);
  });
});
