import { describe, expect, it } from 'vitest';
import type { Report } from '../../examples/demo/report.ts';
import { describeEachSource } from '../sources/describe-each-source.ts';
import { startServer } from '../sources/server-process.ts';
import { runExample } from './run-example.ts';

const demo = 'examples/demo/main.ts';

describeEachSource('the demo, with its leases elsewhere', (kind) => {
  it('stops a real holder past its lease: its late write is refused by DynamoDB', async () => {
    const { code, stdout, stderr } = await runExample(demo, ['--json', '--source', kind.name]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { stories, expectations, leaseMs, leasesIn } = JSON.parse(stdout) as Report;
    expect(leasesIn?.toLowerCase()).toBe(kind.name);
    expect(expectations.filter(({ ok }) => !ok)).toEqual([]);
    expect(expectations).toHaveLength(21);
    for (const { stoppedMs, moved, a, b } of stories) {
      expect({ moved, longer: stoppedMs > leaseMs, grown: b.token > a.token }).toEqual({
        moved: false,
        longer: true,
        grown: true,
      });
    }
    const fenced = stories.find(({ name }) => name === 'fenced');
    expect(fenced?.a.answer).toMatchObject({ reason: 'fenced', lastToken: fenced?.b.token });
  });

  it('uses a server that runs already', async () => {
    await using server = await startServer(kind.server);
    const args = ['--json', '--source', kind.name, '--address', kind.address.of(server.port)];
    const { code } = await runExample(demo, [...args, '--story', 'fenced']);
    expect(code).toBe(0);
    // It is still there.
    expect(await kind.server.isReady(server.port)).toBe(true);
  });

  it('says what to install where it is not', async () => {
    const nowhere = { PATH: '' };
    const { code, stderr } = await runExample(demo, ['--source', kind.name], nowhere);
    expect(code).toBe(1);
    expect(stderr).toMatch(/not installed here. Install Debian's package [\w-]+, or pass --address/);
  });
});

describe('the demo refuses', () => {
  it.each([
    [['--source', 'consul'], 'the sources are dynamodb, redis, etcd, zookeeper'],
    [['--address', '127.0.0.1:1'], 'leases in DynamoDB are kept by'],
  ])('%j', async (args, why) => {
    const { code, stderr } = await runExample(demo, args);
    expect(code).not.toBe(0);
    expect(stderr).toContain(why);
  });
});
