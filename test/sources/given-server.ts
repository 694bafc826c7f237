import { installed } from './installed.ts';
import { startServer } from './server-process.ts';
import type { SourceUnderTest } from './sources.ts';

/** A server for tests that do it no harm. */
export interface AnyServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
}

/** What the environment names, as `ETCD_ENDPOINTS=http://10.0.0.7:2379`; undefined where it names none. */
export function givenServer({ address }: SourceUnderTest): Pick<AnyServer, 'host' | 'port'> | undefined {
  const text = process.env[address.env];
  if (text === undefined || text === '') return undefined;
  const [, host, port] = /^(?:\w+:\/\/)?([^:/@]+):(\d+)/.exec(text) ?? [];
  if (host === undefined) throw new Error(`${address.env} is ${text}, which names no host and port`);
  return { host, port: Number(port) };
}

export function isAvailable(kind: SourceUnderTest): boolean {
  return installed.has(kind.name) || givenServer(kind) !== undefined;
}

/** That one, or a new one. */
export async function anyServer(kind: SourceUnderTest): Promise<AnyServer> {
  const given = givenServer(kind);
  if (given !== undefined) return { ...given, [Symbol.asyncDispose]: async () => {} };
  const server = await startServer(kind.server);
  return { host: '127.0.0.1', port: server.port, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
