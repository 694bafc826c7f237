import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { zooKeeperJar } from './installed.ts';
import { say } from './say.ts';
import type { ServerKind } from './server-process.ts';

/** An ensemble of one, whose sessions may be short. */
export const zooKeeper: ServerKind = {
  name: 'zookeeper',
  async command(port, folder) {
    await mkdir(folder, { recursive: true });
    const settings = {
      dataDir: folder,
      clientPort: port,
      clientPortAddress: '127.0.0.1',
      tickTime: 250,
      minSessionTimeout: 500,
      maxSessionTimeout: 60_000,
      maxClientCnxns: 0,
      'admin.enableServer': false,
      '4lw.commands.whitelist': 'srvr',
    };
    const file = join(folder, 'zoo.cfg');
    await writeFile(
      file,
      Object.entries(settings)
        .map((entry) => entry.join('='))
        .join('\n'),
    );
    const main = 'org.apache.zookeeper.server.quorum.QuorumPeerMain';
    return ['java', '-Xmx256m', '-XX:+UseSerialGC', '-cp', `${dirname(zooKeeperJar)}/*`, main, file];
  },
  isReady: async (port) => (await say(port, 'srvr'))?.startsWith('Zookeeper version') === true,
};
