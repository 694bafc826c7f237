import { mkdir } from 'node:fs/promises';
import { freePort } from '../support/free-port.ts';
import type { ServerKind } from './server-process.ts';

/**
 * A cluster of one. Its elections take less than usual, because the shortest lease of etcd is half as long again as an election; so
 * leases of a second are granted.
 */
export const etcd: ServerKind = {
  name: 'etcd',
  async command(port, folder) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const client = `http://127.0.0.1:${port}`;
    const peer = `http://127.0.0.1:${await freePort()}`;
    const quick = ['--heartbeat-interval', '10', '--election-timeout', '100'];
    const clients = ['--listen-client-urls', client, '--advertise-client-urls', client];
    const peers = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer];
    const alone = ['--name', 'alone', '--initial-cluster', `alone=${peer}`, '--data-dir', folder];
    return ['etcd', ...quick, ...clients, ...peers, ...alone];
  },
  async isReady(port) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2_000) });
      return ((await response.json()) as { health?: string }).health === 'true';
    } catch {
      return false;
    }
  },
};
