import { etcd } from '../../test/sources/etcd-server.ts';
import { installed } from '../../test/sources/installed.ts';
import { durableRedis } from '../../test/sources/redis-server.ts';
import { type ServerKind, startServer } from '../../test/sources/server-process.ts';
import { zooKeeper } from '../../test/sources/zookeeper-server.ts';
import type { SourceName } from './token-sources.ts';

/** Where a lock service answers, until it is disposed. */
export interface LockServer extends AsyncDisposable {
  readonly address: string;
}

type Locks = Exclude<SourceName, 'dynamodb'>;

const kinds: Readonly<Record<Locks, { kind: ServerKind; debian: string; address(port: number): string }>> = {
  redis: { kind: durableRedis, debian: 'redis-server', address: (port) => `redis://127.0.0.1:${port}` },
  etcd: { kind: etcd, debian: 'etcd-server', address: (port) => `http://127.0.0.1:${port}` },
  zookeeper: { kind: zooKeeper, debian: 'zookeeper', address: (port) => `127.0.0.1:${port}` },
};

/** What the demo would start is not there. */
export class NotInstalled extends Error {}

/** Starts the server, as the tests do: on a free port of the loopback interface, with its data in a temporary folder. */
export async function startLockServer(name: Locks): Promise<LockServer> {
  const { kind, debian, address } = kinds[name];
  if (!installed.has(name)) {
    throw new NotInstalled(
      `--source ${name}: it is not installed here. Install Debian's package ${debian}, or pass --address ${address(2379).replace('2379', '<port>')}.`,
    );
  }
  const server = await startServer(kind);
  return { address: address(server.port), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
