import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { tokenSourceConformance } from '../../src/testing/conformance/token-source.ts';
import { itAllAtOnce } from './all-at-once.ts';
import { describeOnAnyServer } from './describe-each-source.ts';
import { type AnyServer, anyServer } from './given-server.ts';
import type { ConnectedSource } from './sources.ts';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describeOnAnyServer('what every source must do', (kind) => {
  let server: AnyServer;
  const opened: ConnectedSource[] = [];
  beforeAll(async () => {
    server = await anyServer(kind);
  });
  afterAll(async () => {
    for (const connected of opened) await connected[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  // The server may remember an earlier run.
  const run = `test-${randomUUID()}`;
  let cases = 0;
  const open = async () => {
    const connected = await kind.connect(server.port, { host: server.host, prefix: `${run}-${cases++}/` });
    opened.push(connected);
    return { source: connected.source, now: () => Date.now(), advance: sleep };
  };
  itAllAtOnce(tokenSourceConformance({ ...kind, open }));
});
