import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The servers of the tests of sources, by what each needs. Debian has them as redis-server and etcd-server. */
const needs = {
  redis: () => onPath('redis-server'),
  etcd: () => onPath('etcd'),
} as const;

export type ServerName = keyof typeof needs;

/** The servers that this machine has. */
export const installed: ReadonlySet<ServerName> = new Set(
  (Object.keys(needs) as ServerName[]).filter((name) => needs[name]()),
);

/** The servers that it has not. */
export const missing = (Object.keys(needs) as ServerName[]).filter((name) => !installed.has(name));

function onPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
