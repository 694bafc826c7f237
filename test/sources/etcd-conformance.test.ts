import { afterAll, beforeAll, describe } from 'vitest';
import { etcdTokenSource } from '../../src/lease/sources/etcd.ts';
import { tokenSourceConformance } from '../../src/testing/conformance/token-source.ts';
import { itAllAtOnce } from './all-at-once.ts';
import { etcd } from './etcd-server.ts';
import { installed } from './installed.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const offers = ['takeOver', 'inspect', 'raise', 'whenGone'] as const;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe.skipIf(!installed.has('etcd'))('the etcd source', () => {
  let server: ServerProcess;
  let opened = 0;
  beforeAll(async () => {
    server = await startServer(etcd);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const open = async () => ({
    source: etcdTokenSource({ endpoints: `http://127.0.0.1:${server.port}`, prefix: `${opened++}/` }),
    now: () => Date.now(),
    advance: sleep,
  });
  itAllAtOnce(tokenSourceConformance({ open, offers, ttlMs: 2_000, endsLateMs: 1_500, renewsLate: false }));
});
