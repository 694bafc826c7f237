import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { createTableInput } from '../../src/testing/table-definition.ts';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

function run(...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const ended = once(child, 'exit').then(([code, signal]) => {
    running.delete(child);
    return (code ?? signal) as number | NodeJS.Signals;
  });
  return { child, ended };
}

/** Runs a command to its end. */
async function outcome(...args: string[]) {
  const { child, ended } = run(...args);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, code };
}

async function started(...args: string[]) {
  const { child, ended } = run('local', '--port', '0', ...args);
  const [line] = (await once(child.stdout, 'data')).map(String);
  const endpoint = /http:\S+?(?=,)/.exec(line!)?.[0];
  const client = new DynamoDBClient({
    endpoint: endpoint!,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  onTestFinished(() => client.destroy());
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return { line, client, stop };
}

async function emptyFolder() {
  const path = await mkdtemp(join(tmpdir(), 'cli-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

it('runs until it is interrupted, and keeps its data in the folder', async () => {
  const path = await emptyFolder();
  const first = await started('--path', path);
  expect(first.line).toMatch(/^Local DynamoDB at http:\/\/127\.0\.0\.1:\d+, data in .*\n$/);
  expect(first.line).toContain(path);
  await first.client.send(
    new CreateTableCommand(createTableInput({ tableName: 'accounts', partitionKey: 'id' })),
  );
  expect(await first.stop('SIGINT')).toBe(0);

  const second = await started('--path', path);
  expect((await second.client.send(new ListTablesCommand({}))).TableNames).toEqual(['accounts']);
  expect(await second.stop('SIGTERM')).toBe(0);
});

it('says that it keeps nothing where there is no folder', async () => {
  const { line, stop } = await started();
  expect(line).toContain('in memory');
  expect(await stop('SIGTERM')).toBe(0);
});

it('says in one line which port is taken', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { stderr, code } = await outcome('local', '--port', String(port));
  expect(stderr).toContain(`error: Port ${port} on 127.0.0.1 cannot be listened on: the port is taken.`);
  expect(stderr).not.toContain('    at ');
  expect(code).toBe(1);
});

it.each(['--path', '--host'])('refuses an empty %s, which would mean something else', async (option) => {
  const { stdout, stderr, code } = await outcome('local', '--port', '0', option, '');
  expect(stderr).toContain('It must not be empty.');
  expect(stdout).toBe('');
  expect(code).toBe(1);
});

it('says that what is to keep the data is a file', async () => {
  const file = join(await emptyFolder(), 'file');
  await writeFile(file, '');
  const { stderr, code } = await outcome('local', '--port', '0', '--path', file);
  expect(stderr).toContain(`error: The folder ${file} cannot keep the data: ${file} is no folder.`);
  expect(code).toBe(1);
});

// Where Node 20 would try to make the folder for ever.
it.runIf(process.platform === 'linux')('ends where no folder can be made', async () => {
  const { stderr, code } = await outcome('local', '--port', '0', '--path', '/proc/nope');
  expect(stderr).toContain('error: The folder /proc/nope cannot keep the data: ENOENT');
  expect(code).toBe(1);
});

it.runIf(process.platform !== 'win32')('can be interrupted before it has started', async () => {
  const path = await emptyFolder();
  // LevelDB makes LOCK, and then waits for somebody to write into this.
  execFileSync('mkfifo', [join(path, 'CURRENT')]);
  const { child, ended } = run('local', '--port', '0', '--path', path);
  await vi.waitFor(() => access(join(path, 'LOCK')), 20_000);
  child.kill('SIGTERM');
  expect(await ended).toBe('SIGTERM');
});

it('ends where nobody reads what it says', async () => {
  const { child, ended } = run('local', '--port', '0');
  child.stdout.destroy();
  expect(await text(child.stderr)).not.toContain('    at ');
  expect(await ended).toBe(0);
});

it.each(['http', '-1', '65536', '80.5'])('refuses the port %s', async (port) => {
  const { stderr, code } = await outcome('local', `--port=${port}`);
  expect(stderr).toContain('It must be a number from 0 to 65535.');
  expect(code).toBe(1);
});

it('knows what it can do', async () => {
  expect((await outcome('--help')).stdout).toContain('Run a local DynamoDB, with transactions');
  expect((await outcome('local', '--help')).stdout).toContain('--path <folder>');
  expect((await outcome('nope')).stderr).toContain("unknown command 'nope'");
});
