import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between a client and its server that hears everything, and may keep answers to itself. */
export interface DroppingProxy extends AsyncDisposable {
  readonly port: number;
  /** How many bytes of answers it has kept to itself. */
  readonly dropped: number;
  /** From now on the server hears what is said, and nobody hears its answers. */
  deafen(): void;
  /** Breaks all connections, and lets the answers through on new ones. */
  heal(): void;
}

/** Starts one on a free port of the loopback interface. */
export async function startDroppingProxy(serverPort: number): Promise<DroppingProxy> {
  const sockets = new Set<Socket>();
  let deaf = false;
  let dropped = 0;
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket.on('error', end).on('close', end));
      socket.once('close', () => sockets.delete(socket));
    }
    client.on('data', (chunk) => upstream.write(chunk));
    upstream.on('data', (chunk) => {
      if (deaf) dropped += chunk.length;
      else client.write(chunk);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    get dropped() {
      return dropped;
    },
    deafen() {
      deaf = true;
    },
    heal() {
      deaf = false;
      breakAll();
    },
    async [Symbol.asyncDispose]() {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
