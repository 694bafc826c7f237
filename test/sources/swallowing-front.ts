import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before an etcd, and may take requests without ever answering them. */
export interface SwallowingFront extends Disposable {
  readonly url: string;
  /** Paths that are swallowed, as `/v3/watch`. */
  readonly swallows: Set<string>;
  /** How often each path was asked for. */
  asked(path: string): number;
}

export async function startSwallowingFront(port: number): Promise<SwallowingFront> {
  const swallows = new Set<string>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = '', method, headers } = request;
    asked.push(url);
    if (swallows.has(url)) return;
    const onward = forward({ host: '127.0.0.1', port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallows,
    asked: (path) => asked.filter((url) => url === path).length,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
