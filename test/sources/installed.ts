import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Of Debian's package; its dependencies are in the same folder. */
export const zooKeeperJar = '/usr/share/java/zookeeper.jar';

/** The servers of the tests of sources, by what each needs. Debian has them as redis-server, etcd-server and zookeeper. */
const needs = {
  redis: () => onPath('redis-server'),
  etcd: () => onPath('etcd'),
  zookeeper: () => onPath('java') && existsSync(zooKeeperJar),
} as const;

export type ServerName = keyof typeof needs;

/** The servers that this machine has. */
export const installed: ReadonlySet<ServerName> = new Set(
  (Object.keys(needs) as ServerName[]).filter((name) => needs[name]()),
);

/** The servers that it has not. */
export const missing = (Object.keys(needs) as ServerName[]).filter((name) => !installed.has(name));

export function onPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
