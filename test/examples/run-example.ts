import { type ChildProcess, spawn } from 'node:child_process';
import { root } from '../architecture/source-tree.ts';

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a program of the examples as a reader would, in a process of its own. `before`: others that are run in it first. */
export function startExample(
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  before: readonly string[] = [],
): ChildProcess {
  const imports = ['tsx', ...before.map((other) => `./${other}`)].flatMap((name) => ['--import', name]);
  return spawn(process.execPath, [...imports, file, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs it to its end. */
export function runExample(
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  before: readonly string[] = [],
): Promise<Run> {
  const child = startExample(file, args, env, before);
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}
