import { describe, expect, it } from 'vitest';
import { runExample } from '../examples/run-example.ts';
import { etcd } from './etcd-server.ts';
import { installed } from './installed.ts';
import { startServer } from './server-process.ts';

describe.skipIf(!installed.has('etcd'))('a lease in etcd that is watched and renewed', () => {
  it('keeps no process alive', async () => {
    await using server = await startServer(etcd);
    const { code, stdout, stderr } = await runExample('test/sources/leaves-without-release.ts', [
      String(server.port),
    ]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'true\n', stderr: '' });
  }, 20_000);
});
