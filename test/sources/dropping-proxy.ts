import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between a client and its server that hears everything, and may keep answers to itself. */
export interface DroppingProxy extends AsyncDisposable {
  readonly port: number;
  /** How many bytes of answers it has kept to itself since it was deafened. */
  readonly dropped: number;
  /** Lets so many pieces of answers through; the server hears everything after that as well, but nobody hears its answers. */
  deafenAfter(pieces: number): void;
  /** Breaks all connections, and takes no new ones. */
  cut(): void;
  /** Breaks all connections, takes new ones, and lets the answers through on these. */
  heal(): void;
}

/** Starts one on a free port of the loopback interface. */
export async function startDroppingProxy(serverPort: number): Promise<DroppingProxy> {
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let dropped = 0;
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
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
      if (left-- > 0) client.write(chunk);
      else dropped += chunk.length;
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
    deafenAfter(pieces) {
      left = pieces;
      dropped = 0;
    },
    cut() {
      isCut = true;
      breakAll();
    },
    heal() {
      isCut = false;
      left = Number.POSITIVE_INFINITY;
      breakAll();
    },
    async [Symbol.asyncDispose]() {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
