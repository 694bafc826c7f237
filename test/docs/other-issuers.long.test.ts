import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/documents.mjs';
import { fence } from '../../src/fence/fence.ts';
import { type ServerKind, type ServerProcess, startServer } from '../sources/server-process.ts';

const run = promisify(execFile);
const bin = '/usr/lib/postgresql/15/bin';
const [createSequence = '', acquire = ''] = [
  ...readFileSync(`${root}docs/other-issuers.md`, 'utf8').matchAll(/```sql\n(.*?)```/gs),
].map(([, sql]) => sql ?? '');

/** It refuses to run as root, and then runs as the user that its package makes. */
const isRoot = process.getuid?.() === 0;
const asPostgres = isRoot ? ['runuser', '-u', 'postgres', '--'] : [];

const postgres: ServerKind = {
  name: 'postgres',
  async command(port, folder) {
    await mkdir(folder, { recursive: true });
    if (isRoot) {
      const id = async (kind: string) => Number((await run('id', [kind, 'postgres'])).stdout);
      for (const path of [dirname(folder), folder]) await chown(path, await id('-u'), await id('-g'));
    }
    const as = (...command: string[]) => [...asPostgres, ...command] as [string, ...string[]];
    if (!existsSync(join(folder, 'PG_VERSION'))) {
      const [program, ...args] = as(
        `${bin}/initdb`,
        '-D',
        folder,
        '-U',
        'fence',
        '--auth=trust',
        '--no-sync',
      );
      await run(program, args);
    }
    const settings = ['-c', 'unix_socket_directories=', '-c', 'listen_addresses=127.0.0.1'];
    return as(`${bin}/postgres`, '-D', folder, '-p', String(port), ...settings);
  },
  isReady: async (port) =>
    run(`${bin}/pg_isready`, ['-h', '127.0.0.1', '-p', String(port)]).then(
      () => true,
      () => false,
    ),
};

describe.skipIf(!existsSync(`${bin}/postgres`))('the recipe for PostgreSQL', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServer(postgres);
  });
  afterAll(() => server[Symbol.asyncDispose]());
  /** A session of its own, which ends with its last statement. */
  const session = async (sql: string) => {
    const where = ['-h', '127.0.0.1', '-p', String(server.port), '-U', 'fence', '-d', 'postgres'];
    const { stdout } = await run('psql', [
      ...where,
      '-qAt',
      '-v',
      'ON_ERROR_STOP=1',
      '-c',
      sql.replace(/\n/g, ' '),
    ]);
    return stdout.trim();
  };
  /** Statement by statement, each committed by itself. */
  const sessions = async (...statements: readonly string[]) => {
    const where = ['-h', '127.0.0.1', '-p', String(server.port), '-U', 'fence', '-d', 'postgres'];
    const each = statements.flatMap((sql) => ['-c', sql]);
    const { stdout } = await run('psql', [...where, '-qAt', '-v', 'ON_ERROR_STOP=1', ...each]);
    return stdout.trim();
  };
  const grant = async () => fence('account/a1', await sessions(...acquire.trim().split('\n')));

  it('issues larger tokens with every grant, one holder at a time, also after a SIGKILL', async () => {
    await session(createSequence);
    const first = await grant();
    const [lock = ''] = acquire.trim().split('\n');
    const holding = sessions(lock, 'SELECT pg_sleep(1)');
    const free = `SELECT pg_try_advisory_lock${/\(.*\)/.exec(lock)?.[0]}`;
    await expect.poll(() => session(free)).toBe('f');
    const second = await grant();
    expect(await session(free)).toBe('t');
    await holding;
    expect(second.token).toBeGreaterThan(first.token);
    await server.restart();
    const third = await grant();
    expect(third.token).toBeGreaterThan(second.token);
  });
});
