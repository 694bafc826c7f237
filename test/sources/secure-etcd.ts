import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EtcdTls } from '../../src/lease/sources/etcd.ts';
import { freePort } from '../support/free-port.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** An etcd that speaks to nobody without a certificate of its own authority, and knows its users. */
export interface SecureEtcd extends AsyncDisposable {
  readonly endpoint: string;
  readonly tls: Required<Pick<EtcdTls, 'ca' | 'cert' | 'key'>>;
  readonly server: ServerProcess;
  /** Asks something behind the back of the source. */
  ask(path: string, body: object, token?: string): Promise<Record<string, unknown>>;
  /** @returns a token of the user root. */
  authenticate(): Promise<string>;
}

/** Certificates for the loopback interface, of an authority that nobody else knows. */
async function makeCertificates(folder: string): Promise<void> {
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-subj',
    '/CN=authority',
    '-days',
    '2',
  );
  await writeFile(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1\n');
  for (const name of ['server', 'client']) {
    openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', '/');
    const authority = [
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '2',
      '-extfile',
      'names',
    ];
    openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.crt`, ...authority);
  }
}

/** @param tokens as etcd's `--auth-token` takes it: `simple`, or what signs JWTs. */
export async function startSecureEtcd(tokens: 'simple' | 'jwt'): Promise<SecureEtcd> {
  const folder = await mkdtemp(join(tmpdir(), 'etcd-tls-'));
  await makeCertificates(folder);
  await writeFile(join(folder, 'secret'), 'signs the tokens of a test');
  const file = (name: string) => join(folder, name);
  const [ca, cert, key] = await Promise.all(
    ['ca.crt', 'client.crt', 'client.key'].map((name) => readFile(file(name))),
  );
  const tls = { ca, cert, key } as SecureEtcd['tls'];
  const post = (port: number, path: string, body: object, token = '') =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const headers = token === '' ? {} : { authorization: token };
      const options = {
        ...tls,
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        headers,
        agent: false,
      } as const;
      const sent = request(options, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(text));
      });
      sent.on('error', reject).end(JSON.stringify(body));
    });
  const server = await startServer({
    name: 'etcd',
    async command(port, data) {
      const client = `https://127.0.0.1:${port}`;
      const peer = `http://127.0.0.1:${await freePort()}`;
      const clients = ['--listen-client-urls', client, '--advertise-client-urls', client];
      const peers = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer];
      const alone = ['--name', 'alone', '--initial-cluster', `alone=${peer}`, '--data-dir', data];
      const mine = ['--cert-file', file('server.crt'), '--key-file', file('server.key')];
      const theirs = ['--client-cert-auth', '--trusted-ca-file', file('ca.crt')];
      const kind = tokens === 'jwt' ? `jwt,sign-method=HS256,priv-key=${file('secret')},ttl=1h` : 'simple';
      return ['etcd', ...clients, ...peers, ...alone, ...mine, ...theirs, '--auth-token', kind];
    },
    isReady: (port) =>
      post(port, '/v3/maintenance/status', {}).then(
        () => true,
        () => false,
      ),
  });
  const ask: SecureEtcd['ask'] = (path, body, token) => post(server.port, `/v3/${path}`, body, token);
  await ask('auth/role/add', { name: 'root' });
  await ask('auth/user/add', { name: 'root', password: 'r' });
  await ask('auth/user/grant', { user: 'root', role: 'root' });
  await ask('auth/enable', {});
  return {
    endpoint: `https://127.0.0.1:${server.port}`,
    tls,
    server,
    ask,
    authenticate: async () => String((await ask('auth/authenticate', { name: 'root', password: 'r' })).token),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
