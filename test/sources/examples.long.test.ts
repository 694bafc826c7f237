import { expect, it } from 'vitest';
import { runExample } from '../examples/run-example.ts';
import { describeEachSource } from './describe-each-source.ts';
import { startServer } from './server-process.ts';

describeEachSource('the example', (kind) => {
  it('runs, and says what it should', async () => {
    await using server = await startServer(kind.server);
    const env = { [kind.address.env]: kind.address.of(server.port) };
    const { code, stdout, stderr } = await runExample(`examples/sources/${kind.name}.ts`, [], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(says[kind.name]);
  });
});

const says: Readonly<Record<string, string>> = {
  redis: '70 left, under token 1\nrefused as token-reused, accepted: true\n',
  zookeeper: '70 left\nthe next token is larger: true\n',
  etcd: '70 left\nlater tokens are larger: true\n',
};
