import { mkdir } from 'node:fs/promises';
import { say } from './say.ts';
import type { ServerKind } from './server-process.ts';

/** Redis that loses nothing that it has acknowledged. */
export const durableRedis = redis('--appendonly', 'yes', '--appendfsync', 'always');

/** Redis that keeps nothing over a restart, as a cache. */
export const forgetfulRedis = redis('--appendonly', 'no');

/** One node of a cluster. It has no slots, but can tell which slot a key is in. */
export const clusteredRedis = redis('--cluster-enabled', 'yes');

function redis(...options: string[]): ServerKind {
  return {
    name: 'redis-server',
    async command(port, folder) {
      await mkdir(folder, { recursive: true });
      const where = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder];
      // By itself the bus of a cluster is 10,000 ports further, where there may be none.
      const bus = ['--cluster-port', String(port - 10_000)];
      return ['redis-server', ...where, ...bus, '--save', '', '--maxmemory-policy', 'noeviction', ...options];
    },
    isReady: async (port) => (await say(port, 'PING\r\n'))?.startsWith('+PONG') === true,
  };
}
