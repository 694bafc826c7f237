import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { root } from '../../architecture/source-tree.ts';

/** What `npm start` runs, so that a signal goes to the server and not to npm. */
const [command = '', ...given] = (
  JSON.parse(readFileSync(`${root}package.json`, 'utf8')).scripts.start as string
).split(' ');

/** A folder that is gone after the test. */
export async function emptyFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'start-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Starts it, and does not wait. What it makes for itself goes to the folder `tmp`. */
export function run(args: readonly string[], tmp?: string) {
  const child: ChildProcess = spawn(command, [...given, ...args], {
    cwd: root,
    env: { ...process.env, ...(tmp === undefined ? {} : { TMPDIR: tmp }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const errors = text(child.stderr!);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return { child, ended, errors, stop, output: () => output };
}

/** Starts it on a free port, and waits until it has said all that it says. */
export async function started(...args: readonly string[]) {
  const tmp = await emptyFolder();
  const server = run(['--port', '0', ...args], tmp);
  while (!server.output().includes('/cancel')) {
    const more = await Promise.race([once(server.child.stdout!, 'data'), server.ended]);
    if (!Array.isArray(more)) throw new Error(`It ended with ${more}: ${await server.errors}`);
  }
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.output())?.[0] ?? '';
  return { ...server, url, tmp };
}

/** A command that was printed, with the status that it was printed with. */
export interface Printed {
  readonly text: string;
  readonly status: number;
  readonly command: string;
}

/** The commands in what was printed. */
export function commandsIn(output: string): Printed[] {
  return [...output.matchAll(/^ {2}(\d{3}) {2}(.*)\n(.*)$/gm)].map(([, status, what = '', line = '']) => ({
    text: what,
    status: Number(status),
    command: line,
  }));
}

const mark = '<<<next>>>';

/** Types commands into one shell, one after the other, and gives the status of each answer. */
export async function typed(printed: readonly Printed[]): Promise<(number | string)[]> {
  const script = printed.map((it) => `${it.command}\necho; echo '${mark}'`).join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', `exec 2>&1\n${script}`]);
  const answers = stdout.split(mark).slice(0, -1);
  return answers.map((answer) => {
    const status = /^\s*(?:HTTP\/1\.1 )?(\d{3})\b/.exec(answer)?.[1];
    return status === undefined ? answer : Number(status);
  });
}
