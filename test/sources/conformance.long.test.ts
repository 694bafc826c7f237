import { afterAll, beforeAll } from 'vitest';
import { tokenSourceConformance } from '../../src/testing/conformance/token-source.ts';
import { itAllAtOnce } from './all-at-once.ts';
import { describeEachSource } from './describe-each-source.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import type { ConnectedSource } from './sources.ts';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describeEachSource('what every source must do', (kind) => {
  let server: ServerProcess;
  const opened: ConnectedSource[] = [];
  beforeAll(async () => {
    server = await startServer(kind.server);
  });
  afterAll(async () => {
    for (const connected of opened) await connected[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  let cases = 0;
  const open = async () => {
    const connected = await kind.connect(server.port, { prefix: `case-${cases++}/` });
    opened.push(connected);
    return { source: connected.source, now: () => Date.now(), advance: sleep };
  };
  itAllAtOnce(tokenSourceConformance({ ...kind, open }));
});
